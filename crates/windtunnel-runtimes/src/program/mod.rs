//! What runtimes of programs share: checked settings, what a case adds to them, the scripted model, and how a turn fails.

mod agent;
mod argument;
mod config_file;
mod outputs;
mod settings;
mod stand_in;
mod turn;
mod world;

pub(crate) use agent::ProgramAgent;
pub(crate) use argument::Placeholder;
pub(crate) use settings::{Program, Settings};
pub(crate) use stand_in::{StandIn, served};
pub(crate) use turn::{Exchange, Failure, MAX_REPLY, TO_EXPLAIN, TurnLimit};
pub(crate) use world::{AgentWorld, Server};
