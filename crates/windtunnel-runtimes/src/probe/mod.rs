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

use std::time::Duration;

pub use composite::{factory, secrets};
use windtunnel_spi::CaseWorld;

/// The longest that a program or a query may take.
const MAX_WAIT: Duration = Duration::from_secs(30);

/// How long a program or a query may take in this case: a little less than all probes together, so that the one that is too
/// slow is named.
fn wait_limit(world: &CaseWorld) -> Duration {
    MAX_WAIT.min(world.limits.start.mul_f64(0.9))
}
