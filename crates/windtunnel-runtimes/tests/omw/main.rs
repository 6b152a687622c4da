//! The `omw` runtime over real scripts.

#![expect(clippy::unwrap_used, reason = "what helpers of tests unwrap fails the test")]

mod ends;
mod reference;
mod stage;
mod start;
