//! State probes and preconditions.

use std::sync::Arc;

use async_trait::async_trait;
use serde_json::{Map, Value};

use crate::agent::AgentConfig;
use crate::error::ProbeError;
use crate::tool::ServedTool;
use crate::world::CaseWorld;

/// Makes the state probe of a pack, fresh for every case.
pub trait ProbeFactory: Send + Sync {
    /// The probe of this case.
    fn probe(&self, world: &CaseWorld) -> Result<Box<dyn StateProbe>, ProbeError>;
}

/// Reads the state of the world that the agent works on.
#[async_trait]
pub trait StateProbe: Send + Sync {
    /// Brings the observed system to its first state, before each run.
    async fn reset(&self) -> Result<(), ProbeError>;

    /// What is observed now, by source.
    async fn capture(&self) -> Result<Map<String, Value>, ProbeError>;
}

/// What a precondition may look at. Nothing hidden in plugins, scorers or runtimes is in it.
#[derive(Clone, Copy)]
pub struct PreconditionContext<'a> {
    /// The tools served to this case, by server.
    pub tools: &'a [(String, Vec<ServedTool>)],
    /// The probe handed to this case.
    pub state_probe: Option<&'a dyn StateProbe>,
    /// What the agent was provisioned with.
    pub config: &'a AgentConfig,
}

/// A condition, written in Rust, that must hold before the agent is asked anything.
pub trait Precondition: Send + Sync {
    /// Its name in reports.
    fn name(&self) -> &str;

    /// Why it does not hold, if it does not.
    fn check(&self, context: &PreconditionContext<'_>) -> Result<(), String>;
}

impl<T: Precondition + ?Sized> Precondition for Arc<T> {
    fn name(&self) -> &str {
        (**self).name()
    }

    fn check(&self, context: &PreconditionContext<'_>) -> Result<(), String> {
        (**self).check(context)
    }
}
