//! State probes: what the world looks like after the last turn.
//!
//! A pack names its probes in `[probe.<name>]`; together they are one [`StateProbe`](windtunnel_spi::StateProbe) that captures
//! `{<name>: value}`. Every probe has limits on what it reads, and passing one is an error: half an observation could let a
//! wrong run pass.

mod command;
mod composite;
mod http;
mod json;
mod sqlite;
mod workspace;

pub use composite::{factory, secrets};
