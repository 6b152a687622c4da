//! What is asked of a scenario's run.

use std::sync::Arc;

use windtunnel_api::{Pack, ReferenceCase};
use windtunnel_gate::Gate;
use windtunnel_spi::{
    AgentConfig, AgentHandle, AgentRuntime, ModelLabel, Precondition, RuntimeError, RuntimeErrorKind,
    StateProbe, ToolHandle,
};

use crate::bench::CaseSite;

/// What is asked of [`run_scenario`](super::run_scenario).
pub struct ScenarioRequest<'a> {
    /// The scenario with its gate.
    pub gate: &'a Gate,
    /// The owning pack: its tool servers are started.
    pub pack: &'a Pack,
    /// Preconditions written in Rust, beside the scenario's own.
    pub preconditions: &'a [Arc<dyn Precondition>],
    /// What drives the agent.
    pub runtime: &'a dyn AgentRuntime,
    /// Live, or a reference case.
    pub subject: Subject<'a>,
    /// The names under which runs are stored.
    pub identity: RunIdentity,
    /// Where it happens; [`Bench::site`](crate::Bench::site) makes it.
    pub site: CaseSite,
    /// The probe of this case: what preconditions see and observations come from.
    pub state_probe: Option<Box<dyn StateProbe>>,
    /// How many runs.
    pub runs: usize,
}

/// Whose decisions the agent follows.
#[derive(Debug, Clone, Copy)]
pub enum Subject<'a> {
    /// Its own model's.
    Live,
    /// A reference case's.
    Reference(&'a ReferenceCase),
}

impl<'a> Subject<'a> {
    /// The reference case, if it is one.
    pub fn case(self) -> Option<&'a ReferenceCase> {
        match self {
            Self::Live => None,
            Self::Reference(case) => Some(case),
        }
    }

    /// Provisions the agent, once.
    pub(super) async fn provision(
        self,
        runtime: &dyn AgentRuntime,
        config: AgentConfig,
        tools: Vec<Arc<dyn ToolHandle>>,
    ) -> Result<Box<dyn AgentHandle>, RuntimeError> {
        match self {
            Self::Live => runtime.provision(config, tools).await,
            Self::Reference(case) => match runtime.reference() {
                Some(capable) => capable.provision_reference(config, case, tools).await,
                None => Err(RuntimeError::new(
                    RuntimeErrorKind::Config,
                    "the runtime has no inference seam to put a script into",
                )),
            },
        }
    }
}

/// The names under which runs are stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunIdentity {
    /// Who runs it: `wt-cli`, `wt-selftest`.
    pub agent_id: String,
    /// The label of the runs.
    pub variant_id: String,
    /// The model's labels.
    pub model: ModelLabel,
}
