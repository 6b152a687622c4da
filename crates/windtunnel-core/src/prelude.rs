//! The names that most embedders use: `use windtunnel_core::prelude::*;`.
//!
//! | to | names |
//! |---|---|
//! | write a scenario | [`Scenario`], [`ReferenceCase`], [`Checks`], [`Judgement`], [`Precondition`], [`Found`] |
//! | implement a runtime | [`AgentRuntime`], [`ReferenceCapableAgentRuntime`], [`AgentHandle`], [`ReadyPlugin`] |
//! | run it | [`Bench`], [`run_reference_case`], [`selftest`], [`run_scenario`], [`sweep`](sweep()) |
//! | judge it again | [`Gate`], [`Trace`], [`Score`] |

#[doc(no_inline)]
pub use async_trait::async_trait;
#[doc(no_inline)]
pub use camino::{Utf8Path, Utf8PathBuf};
#[doc(no_inline)]
pub use tokio_util::sync::CancellationToken;
#[doc(inline)]
pub use windtunnel_api::{
    Evidence, Layer, LayerScore, Pack, PackManifest, ReferenceCase, ReferenceDecision, ReferenceKind,
    ReferenceToolCall, Scenario, Score, SelftestRecord, SelftestVerdict, Trace, Verdict, Witness,
};
#[doc(inline)]
pub use windtunnel_discovery::{Found, Selection, discover, load_pack};
#[doc(inline)]
pub use windtunnel_doc::Diagnostics;
#[doc(inline)]
pub use windtunnel_gate::{Checks, Gate, IntoJudgement, Judgement, Metric, aggregate};
#[doc(inline)]
pub use windtunnel_runner::{
    Bench, Interrupts, ReferenceOutcome, ReferenceRequest, Runtimes, ScenarioOutcome, ScenarioRequest,
    SelftestOptions, SelftestOutcome, SweepOptions, SweepOutcome, run_reference_case, run_scenario, selftest,
};
// Its module of the same name is not meant.
#[doc(inline)]
pub use windtunnel_runner::sweep::sweep;
#[doc(inline)]
pub use windtunnel_spi::{
    AgentConfig, AgentHandle, AgentReply, AgentRuntime, CaseWorld, ClaimedCall, EvidenceUnavailable, Hook,
    HookArtifact, HookPoint, Message, ModelLabel, PackBinding, Precondition, PreconditionContext, ProbeError,
    ProbeFactory, ReadyPlugin, ReferenceCapableAgentRuntime, RuntimeError, RuntimeErrorKind, RuntimePlugin,
    ServedTool, SessionId, Stamped, StateProbe, ToolError, ToolHandle,
};
#[doc(inline)]
pub use windtunnel_store::{RunStore, SavedRun, read_runs};
