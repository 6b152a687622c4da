//! A scenario as it was found, with everything that a run of it needs.

use std::fmt;
use std::sync::Arc;

use camino::Utf8PathBuf;
use windtunnel_api::{Pack, Scenario};
use windtunnel_gate::Gate;
use windtunnel_spi::Precondition;

/// A scenario with its owning pack and its compiled gate.
#[derive(Clone)]
pub struct Found {
    /// The scenario's gate, compiled once; it holds the scenario.
    pub gate: Arc<Gate>,
    /// The owning pack.
    pub pack: Arc<Pack>,
    /// The file it was read from; none for a scenario built in Rust.
    pub file: Option<Utf8PathBuf>,
    /// Preconditions written in Rust, beside those of the scenario.
    pub preconditions: Vec<Arc<dyn Precondition>>,
}

impl Found {
    /// The scenario.
    pub fn scenario(&self) -> &Arc<Scenario> {
        self.gate.scenario()
    }
}

impl fmt::Debug for Found {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Found")
            .field("scenario", &self.scenario().name)
            .field("pack", &self.pack.name())
            .field("file", &self.file)
            .finish_non_exhaustive()
    }
}
