//! The traits that a platform implements to be tested: runtimes, agents, tool servers, probes, hooks.
//!
//! Below it is [`windtunnel_api`], the plain data; above it the runner, which drives these traits, and the crates that
//! implement them. No trait here knows a concrete platform. Runtimes, agents, tool servers, probes
//! and judges have their doubles in [`doubles`].
//!
//! ```
//! use windtunnel_spi::doubles::CannedRuntime;
//! use windtunnel_spi::{AgentRuntime, CaseWorld, AgentConfig, Message, SessionId};
//!
//! # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
//! let runtime = CannedRuntime::new(["artifact complete"]);
//! let config = AgentConfig::new("wt-cli", CaseWorld::new("case-1", "."));
//! let mut agent = runtime.provision(config, Vec::new()).await.unwrap();
//! let reply = agent.send(&[Message::user("Create it.")], &SessionId::new("s")).await.unwrap();
//! assert_eq!(reply.content, "artifact complete");
//! agent.teardown().await;
//! assert!(runtime.reference().is_none(), "it shortcuts the loop, so it cannot be self-tested");
//! # });
//! ```

pub mod agent;
pub mod case;
pub mod doubles;
mod error;
pub mod hook;
pub mod judge;
pub mod plugin;
pub mod probe;
pub mod seam;
pub mod stamp;
pub mod tool;
pub mod world;

pub use agent::{
    AgentConfig, AgentHandle, AgentReply, AgentRuntime, ClaimedCall, Message, ReferenceCapableAgentRuntime,
    SessionId, SurfaceIntrospectable, ToolAccess, UnwitnessedCalls,
};
pub use case::{CaseContext, TestCase};
pub use error::{EvidenceUnavailable, ProbeError, RuntimeError, RuntimeErrorKind, ToolError, with_causes};
pub use hook::{Hook, HookArtifact, HookPoint};
pub use judge::Judge;
pub use plugin::{ModelLabel, PackBinding, ReadyPlugin, RuntimePlugin};
pub use probe::{Precondition, PreconditionContext, ProbeFactory, StateProbe};
pub use seam::{Clock, IdSource, Seam};
pub use stamp::{Moment, Stamp, Stamped};
pub use tool::{InjectedFailure, ServedTool, ToolFactory, ToolHandle, ToolServer};
pub use world::CaseWorld;
