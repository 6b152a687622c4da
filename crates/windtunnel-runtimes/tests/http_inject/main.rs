//! The `http_inject` runtime against real endpoints on loopback.

#![expect(clippy::unwrap_used, clippy::panic, reason = "test code")]

mod reference;
mod support;
mod turns;
