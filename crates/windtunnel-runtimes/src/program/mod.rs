//! What runtimes of programs share: checked settings, what a case adds to them, what answers it as its model, and how a turn fails.

mod agent;
mod argument;
mod config_file;
mod model;
mod outputs;
mod settings;
mod turn;
mod world;

pub(crate) use agent::ProgramAgent;
pub(crate) use argument::Placeholder;
pub(crate) use model::served;
pub(crate) use settings::{Program, Settings};
pub(crate) use turn::{Exchange, Failure, MAX_REPLY, TO_EXPLAIN, TurnLimit};
pub(crate) use world::{AgentWorld, Server};
