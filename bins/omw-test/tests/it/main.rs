//! `omw-test` as its users call it.
#![expect(clippy::unwrap_used, reason = "what fails here is a test")]

mod examples;
mod harness;
mod malformed;
mod outputs;
mod requests;
mod stopping;
mod watching;
