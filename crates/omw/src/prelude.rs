//! What embedders use most.

pub use crate::backend::{BackendError, Pace};
#[cfg(feature = "js")]
pub use crate::brain::js::Js;
#[cfg(feature = "rhai")]
pub use crate::brain::rhai::Rhai;
pub use crate::brain::{Brain, BrainError, Native, Runtime};
pub use crate::endpoint::{Endpoint, EndpointRequest, EndpointRouter, RouteError, Session, SessionError};
pub use crate::exchange::*;
pub use crate::host::trace::{CloseReason, RunOutcome, TraceEvent, TraceSender, group};
pub use crate::host::{Host, HostError, HostResult, StopReason, StopSignal};
pub use crate::provider::{DeltaStream, Provider};
pub use crate::registry::{BuildContext, Factory, FactoryError, Kinds, Registries};
pub use crate::run::{
    AgentEnd, Control, Run, RunBuilder, RunError, RunHandle, RunReport, Snapshots, Whereabouts, loop_agents,
    loop_agents_traced, run_agents, run_agents_traced,
};
pub use crate::tooling::{CallMode, Tooling, UpdateStream};
