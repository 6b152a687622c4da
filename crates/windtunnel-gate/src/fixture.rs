//! Traces and parts of them, for the tests of this crate.

use indexmap::IndexMap;
use serde_json::{Map, Value};
use uuid::Uuid;
use windtunnel_api::artifact::evidence::{Role, ToolCall};
use windtunnel_api::artifact::trace::{TRACE_VERSION, Turn};
use windtunnel_api::{Evidence, Trace, Witness};

/// A trace in which nothing happened.
pub(crate) fn trace() -> Trace {
    Trace {
        windtunnel_trace: TRACE_VERSION,
        run_id: Uuid::nil(),
        scenario_id: "s".into(),
        agent_id: "wt-cli".into(),
        variant_id: "l1".into(),
        model: "unknown".into(),
        quant: "unknown".into(),
        sampler: Map::new(),
        started_at: "2026-11-30T08:58:54.387116+00:00".into(),
        finished_at: "2026-11-30T08:58:55.387116+00:00".into(),
        turns: Vec::new(),
        tool_schema_hash: None,
        worker_warnings: Vec::new(),
        mcp_calls: Vec::new(),
        observations: Map::new(),
        surface: None,
        usage: None,
        model_calls: None,
        events: Vec::new(),
        served_tools: IndexMap::new(),
        script: None,
    }
}

/// A trace of one user turn, some witnessed calls, and an answer.
pub(crate) fn answered(calls: impl IntoIterator<Item = ToolCall>, answer: &str) -> Trace {
    let mut trace = trace();
    trace.turns = vec![Turn::new(Role::User, "go"), Turn::new(Role::Assistant, answer)];
    trace.events = vec![Evidence::Turn { role: Role::User, content: "go".into() }];
    trace.events.extend(calls.into_iter().map(Evidence::ToolCall));
    trace.events.push(Evidence::Turn { role: Role::Assistant, content: answer.into() });
    trace
}

/// A call that the recorder saw.
pub(crate) fn call(server: &str, tool: &str, args: Value, result: Value) -> ToolCall {
    ToolCall {
        server: server.into(),
        tool: tool.into(),
        args,
        result,
        error: None,
        ms: 1.0,
        witness: Witness::Recorder,
        extra: None,
    }
}

/// Servers with their tools.
pub(crate) fn served<'a>(
    servers: impl IntoIterator<Item = (&'a str, &'a [&'a str])>,
) -> IndexMap<String, Vec<String>> {
    let owned = |tools: &[&str]| tools.iter().map(|tool| (*tool).to_owned()).collect();
    servers.into_iter().map(|(server, tools)| (server.to_owned(), owned(tools))).collect()
}
