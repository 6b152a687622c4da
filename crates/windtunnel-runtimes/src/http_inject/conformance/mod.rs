//! What an endpoint keeps of the contract, rule by rule.
//!
//! An [`Examination`] asks the endpoint as the bench does and as nobody should, and makes a [`Conformance`] of what it saw: one
//! [`Finding`] per rule. Where the agent's model can be replaced, turns are answered by decisions that the examination hands over, so
//! that they are the same every time and cost nothing; only what a script would hide is asked of the agent's own model: whether
//! sessions know of each other, whether a reset forgets, whether a time limit is kept.
//!
//! Nothing here calls a tool: the one that is scripted has a name that no agent offers.

mod examination;
mod finding;
mod memory;
mod refusals;
mod script;
mod shape;
mod surface;
mod time;
mod turns;
mod visit;

pub use examination::Examination;
pub use finding::{Conformance, Finding, Standing};
