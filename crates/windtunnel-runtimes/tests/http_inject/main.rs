//! The `http_inject` runtime against real endpoints on loopback.

#![expect(clippy::unwrap_used, reason = "what helpers of tests unwrap fails the test")]

mod conformance;
mod desk;
mod reference;
mod support;
mod turns;
