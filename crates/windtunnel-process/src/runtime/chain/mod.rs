//! A chain of hooks, run in order: what each of them means for the chain is decided by [`tally`], apart from running them.

mod messages;
mod run;
mod tally;

pub(super) use run::{guarded, run};
pub(super) use tally::{Decision, Heard};
