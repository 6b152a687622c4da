//! A scenario as it was found, with everything that a run of it needs.

use std::fmt;
use std::sync::Arc;

use camino::Utf8PathBuf;
use windtunnel_api::{Pack, Scenario};
use windtunnel_doc::Diagnostics;
use windtunnel_gate::{Checks, Gate};
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
    /// A scenario built in Rust, with its closures, as a member of a pack.
    ///
    /// # Errors
    /// Everything that is wrong with the scenario, by field.
    pub fn new(pack: &Arc<Pack>, scenario: Scenario, checks: Checks) -> Result<Self, Diagnostics> {
        let name = format!("scenario {:?}", scenario.name);
        let gate = Gate::compile(Arc::new(scenario), checks)
            .map_err(|faults| Diagnostics::of_value(name, faults))?;
        Ok(Self { gate: Arc::new(gate), pack: Arc::clone(pack), file: None, preconditions: Vec::new() })
    }

    /// The same with one more precondition written in Rust.
    #[must_use]
    pub fn with_precondition(mut self, precondition: impl Precondition + 'static) -> Self {
        self.preconditions.push(Arc::new(precondition));
        self
    }

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
