//! Puts one run's trace together.

use serde_json::{Value, json};
use uuid::Uuid;
use windtunnel_api::artifact::trace::{ScriptProgress, TRACE_VERSION};
use windtunnel_api::secret::Redactor;
use windtunnel_api::surface::Surface;
use windtunnel_api::{Scenario, Trace};

use super::conversation::Conversation;
use super::evidence::Merged;
use super::request::RunIdentity;
use super::schema_hash::tool_schema_hash;
use super::served::Served;

/// What all runs of a case have in common.
#[derive(Debug)]
pub(super) struct CaseFacts {
    served: Served,
    tool_schema_hash: Option<String>,
    surface: Option<Value>,
}

impl CaseFacts {
    /// The facts of a case that is served these tools. `surface` is what the runtime shows, where it can.
    pub(super) fn new(served: Served, surface: Option<Value>) -> Self {
        let tool_schema_hash = tool_schema_hash(&served);
        let surface = Some(surface.unwrap_or_else(|| json!({ "status": "unavailable" })));
        Self { served, tool_schema_hash, surface }
    }
}

/// What is of one run alone.
pub(super) struct RunFacts {
    pub(super) run_id: Uuid,
    pub(super) started_at: String,
    pub(super) finished_at: String,
    pub(super) conversation: Conversation,
    pub(super) evidence: Merged,
    pub(super) script: Option<ScriptProgress>,
    /// What the model was told besides the conversation, where the agent's handle has seen it.
    pub(super) surface: Option<Surface>,
}

/// The trace of a run.
pub(super) fn trace(scenario: &Scenario, identity: &RunIdentity, case: &CaseFacts, run: RunFacts) -> Trace {
    Trace {
        windtunnel_trace: TRACE_VERSION,
        run_id: run.run_id,
        scenario_id: scenario.name.clone(),
        agent_id: identity.agent_id.clone(),
        variant_id: identity.variant_id.clone(),
        model: identity.model.model.clone(),
        quant: identity.model.quant.clone(),
        sampler: scenario.sampler.clone(),
        started_at: run.started_at,
        finished_at: run.finished_at,
        turns: run.conversation.turns,
        tool_schema_hash: case.tool_schema_hash.clone(),
        worker_warnings: run.evidence.worker_warnings,
        mcp_calls: run.evidence.mcp_calls,
        observations: run.evidence.observations,
        surface: run.surface.map(|surface| json!(surface)).or_else(|| case.surface.clone()),
        usage: run.conversation.usage,
        model_calls: run.conversation.model_calls,
        events: run.evidence.events,
        served_tools: case.served.names(),
        script: run.script,
    }
}

/// The trace without secrets. What is judged is what is saved, so this comes before the score.
///
/// Only what was said and seen is searched: names, ids and times come from files and from us.
pub(super) fn redact(trace: Trace, redactor: &Redactor) -> Result<Trace, serde_json::Error> {
    const SEEN: [&str; 6] = ["turns", "worker_warnings", "mcp_calls", "observations", "surface", "events"];
    if redactor.is_empty() {
        return Ok(trace);
    }
    let mut value = serde_json::to_value(trace)?;
    for key in SEEN {
        if let Some(part) = value.get_mut(key) {
            redactor.value(part);
        }
    }
    serde_json::from_value(value)
}
