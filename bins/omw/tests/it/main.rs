//! `omw` as its users call it.
#![expect(clippy::unwrap_used, reason = "what fails here is a test")]

mod harness;
mod running;
mod scaffolding;
