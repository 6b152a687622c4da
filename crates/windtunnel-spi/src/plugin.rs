//! How a runtime enters a suite.

use std::sync::Arc;

use async_trait::async_trait;
use windtunnel_api::{Pack, Scenario};

use crate::agent::AgentRuntime;
use crate::error::RuntimeError;
use crate::probe::ProbeFactory;

/// A runtime by name: built once per suite, with one `pre_run` and one `post_run`.
#[async_trait]
pub trait RuntimePlugin: Send + Sync {
    /// The name it is selected by.
    fn name(&self) -> &str;

    /// Builds the runtime.
    async fn build(&self) -> Result<Arc<dyn AgentRuntime>, RuntimeError>;

    /// Whether its settings suffice for live agents. Asked before anything is built or started; self-tests do not ask.
    ///
    /// # Errors
    /// What is missing, and the next command. The whole request is refused.
    fn check_live(&self) -> Result<(), RuntimeError> {
        Ok(())
    }

    /// How many cases it can run side by side.
    fn max_concurrency(&self) -> usize {
        1
    }

    /// Names what only one suite on a machine may use at a time.
    fn lock_key(&self) -> Option<String> {
        None
    }

    /// The labels under which runs are stored.
    fn model_label(&self) -> ModelLabel {
        ModelLabel::default()
    }

    /// Called once before the first case. May install or replace the probe factory of a selected pack once its live fixture is
    /// ready; factories are read after it, per case.
    async fn pre_run(
        &self,
        _runtime: &dyn AgentRuntime,
        _packs: &mut [PackBinding],
        _runtime_name: &str,
    ) -> Result<(), RuntimeError> {
        Ok(())
    }

    /// Called once after the last case, also when the suite was cut short.
    async fn post_run(&self, _runtime: &dyn AgentRuntime, _packs: &[PackBinding]) {}
}

/// A plugin around a runtime that already stands.
pub struct ReadyPlugin {
    name: String,
    runtime: Arc<dyn AgentRuntime>,
    max_concurrency: usize,
}

impl ReadyPlugin {
    /// The runtime under this name, for one case at a time.
    pub fn new(name: impl Into<String>, runtime: Arc<dyn AgentRuntime>) -> Self {
        Self { name: name.into(), runtime, max_concurrency: 1 }
    }

    /// The same for several cases side by side.
    #[must_use]
    pub fn with_max_concurrency(mut self, cases: usize) -> Self {
        self.max_concurrency = cases;
        self
    }
}

#[async_trait]
impl RuntimePlugin for ReadyPlugin {
    fn name(&self) -> &str {
        &self.name
    }

    async fn build(&self) -> Result<Arc<dyn AgentRuntime>, RuntimeError> {
        Ok(Arc::clone(&self.runtime))
    }

    fn max_concurrency(&self) -> usize {
        self.max_concurrency
    }
}

/// The model that a runtime uses, as it is written into paths and traces.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModelLabel {
    /// The model's name.
    pub model: String,
    /// Its quantisation.
    pub quant: String,
}

impl Default for ModelLabel {
    fn default() -> Self {
        Self { model: "unknown".to_owned(), quant: "unknown".to_owned() }
    }
}

/// A selected pack with its selected scenarios and the factory of its probes.
#[derive(Clone)]
pub struct PackBinding {
    /// The pack.
    pub pack: Arc<Pack>,
    /// The selected scenarios of it.
    pub scenarios: Vec<Arc<Scenario>>,
    /// Makes the probe of each case; `None` if the pack has none.
    pub probe_factory: Option<Arc<dyn ProbeFactory>>,
}
