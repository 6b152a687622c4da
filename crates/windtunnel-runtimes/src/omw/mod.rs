//! `omw`: the agents of an `omw.toml`, in this process, as the agent under test.
//!
//! Its brains, its actors and its wires are the real ones. A user turn is a request to its endpoint, for the model that the agent serves;
//! its toolings are the pack's tool servers behind their recorders; in a self-test its providers are the scripted model.

mod agent;
mod door;
mod plan;
mod runtime;

pub use runtime::OmwAgents;
