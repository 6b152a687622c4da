//! The ordered evidence of a trace, as gates and patterns see it.

use std::borrow::Cow;

use serde_json::{Value, json};
use windtunnel_api::artifact::evidence::ToolCall;
use windtunnel_api::artifact::trace::{McpCall, Turn};
use windtunnel_api::{Evidence, Trace, Witness};
use windtunnel_pattern::excerpt;

use crate::tools::Tools;

/// The key that [`values`] adds to a call under a decorated name: the bare names that it means.
pub(crate) const BARE_NAMES: &str = "bare_names";

/// Characters of an event in a message.
const SHOWN: usize = 300;

/// The evidence of a run: what the trace holds, or for a trace of another program what follows from its turns, then its witnessed
/// calls, then its observations.
///
/// The calls that a turn claims come before its text, since they were made on the way to it.
pub fn events(trace: &Trace) -> Cow<'_, [Evidence]> {
    if trace.events.is_empty() { Cow::Owned(derived(trace)) } else { Cow::Borrowed(&trace.events) }
}

fn derived(trace: &Trace) -> Vec<Evidence> {
    let turns = trace.turns.iter().flat_map(|turn| {
        let claims = turn.tool_calls.iter().filter_map(claim);
        claims.chain([Evidence::Turn { role: turn.role, content: turn.content.clone() }])
    });
    let calls = trace.mcp_calls.iter().map(|call| Evidence::ToolCall(witnessed(call)));
    let observations = trace.observations.iter();
    let observations = observations
        .map(|(source, value)| Evidence::Observation { source: source.clone(), value: value.clone() });
    turns.chain(calls).chain(observations).collect()
}

/// A call as transcripts write it: `{name, arguments}`, `{tool_name, args}`, or under `function` with the arguments as text.
fn claim(call: &Value) -> Option<Evidence> {
    let body = call.get("function").unwrap_or(call);
    let tool = ["name", "tool_name", "tool"].into_iter().find_map(|key| body.get(key)?.as_str())?;
    let args = ["arguments", "args", "input"].into_iter().find_map(|key| body.get(key));
    let args = match args {
        Some(Value::String(text)) => serde_json::from_str(text).unwrap_or_else(|_| json!(text)),
        Some(args) => args.clone(),
        None => json!({}),
    };
    Some(Evidence::ClaimedCall { tool: tool.to_owned(), args })
}

fn witnessed(call: &McpCall) -> ToolCall {
    ToolCall {
        server: String::new(),
        tool: call.tool_name.clone(),
        args: call.args.clone(),
        result: call.result.clone(),
        error: None,
        ms: 0.0,
        witness: Witness::Recorder,
        extra: call.extra.clone(),
    }
}

/// The results that the transcript claims, for a run that nobody witnessed.
pub(crate) fn claimed_results(turns: &[Turn]) -> impl Iterator<Item = &Value> {
    turns.iter().flat_map(|turn| &turn.tool_results)
}

/// The events as the values that patterns are held against.
///
/// Which bare names a decorated one means depends on the tools that were served, so it is written into the event here, where the
/// trace is known; the comparison in [`crate::patterns`] then needs the event alone.
pub(crate) fn values(events: &[Evidence], tools: &Tools<'_>) -> Vec<Value> {
    events.iter().map(|event| value(event, tools)).collect()
}

fn value(event: &Evidence, tools: &Tools<'_>) -> Value {
    // Evidence has only string keys and no failing serializer, so this cannot fail.
    let mut value = serde_json::to_value(event).unwrap_or_default();
    let names = match event {
        Evidence::ToolCall(call) => tools.bare_names(&call.tool),
        Evidence::ClaimedCall { tool, .. } => tools.bare_names(tool),
        _ => Vec::new(),
    };
    if let (false, Value::Object(members)) = (names.is_empty(), &mut value) {
        members.insert(BARE_NAMES.to_owned(), names.into());
    }
    value
}

/// An event as messages show it: without what is absent, and without its duration, which differs from run to run.
pub(crate) fn shown(event: &Value) -> String {
    let mut event = event.clone();
    if let Value::Object(members) = &mut event {
        members.retain(|key, value| !value.is_null() && key != "ms" && key != BARE_NAMES);
    }
    excerpt(&event, SHOWN)
}

#[cfg(test)]
mod tests {
    use windtunnel_api::artifact::evidence::Role;

    use super::*;
    use crate::fixture;

    #[test]
    fn a_foreign_trace_yields_turns_then_calls_then_observations() {
        let mut trace = fixture::trace();
        let mut answer = Turn::new(Role::Assistant, "done");
        answer.tool_calls = vec![
            json!({"name": "a", "arguments": {"x": 1}}),
            json!({"tool_name": "b", "args": {}}),
            json!({"id": "1", "type": "function", "function": {"name": "c", "arguments": "{\"y\": 2}"}}),
            json!({"function": {"name": "d", "arguments": "not json"}}),
            json!("no call at all"),
        ];
        trace.turns = vec![Turn::new(Role::User, "go"), answer];
        trace.mcp_calls = vec![McpCall {
            tool_name: "lookup".into(),
            args: json!({"id": 1}),
            result: json!("found"),
            timestamp_ms: 1.0,
            extra: Some(json!({"divergence": {"policy": "nearest"}})),
        }];
        trace.observations.insert("workspace".into(), json!({"files": {}}));

        let claimed = |tool: &str, args| Evidence::ClaimedCall { tool: tool.into(), args };
        let expected = vec![
            Evidence::Turn { role: Role::User, content: "go".into() },
            claimed("a", json!({"x": 1})),
            claimed("b", json!({})),
            claimed("c", json!({"y": 2})),
            claimed("d", json!("not json")),
            Evidence::Turn { role: Role::Assistant, content: "done".into() },
            Evidence::ToolCall(ToolCall {
                ms: 0.0,
                extra: Some(json!({"divergence": {"policy": "nearest"}})),
                ..fixture::call("", "lookup", json!({"id": 1}), json!("found"))
            }),
            Evidence::Observation { source: "workspace".into(), value: json!({"files": {}}) },
        ];
        assert_eq!(events(&trace).into_owned(), expected);
    }

    #[test]
    fn saved_events_are_taken_as_they_are() {
        let mut trace = fixture::trace();
        trace.turns = vec![Turn::new(Role::Assistant, "from the turns")];
        trace.events = vec![Evidence::Warning { text: "only this".into() }];
        assert_eq!(*events(&trace), trace.events);
    }

    #[test]
    fn only_a_decorated_name_is_spelled_out() {
        let served = fixture::served([("crm", &["lookup"][..])]);
        let tools = Tools::new(&served, &[]);
        let call = |tool| Evidence::ToolCall(fixture::call("crm", tool, json!({}), json!(null)));
        let values = values(&[call("lookup"), call("mcp__crm__lookup"), call("client_lookup")], &tools);
        let names: Vec<_> = values.iter().map(|value| value.get(BARE_NAMES)).collect();
        assert_eq!(names[0], None);
        assert!(names[1].unwrap().as_array().unwrap().contains(&json!("lookup")));
        assert_eq!(names[2], None);
    }

    #[test]
    fn a_shown_event_is_the_same_in_every_run() {
        let served = fixture::served([("crm", &["lookup"][..])]);
        let show = |ms| {
            let mut call = fixture::call("crm", "crm.lookup", json!({"id": 1}), json!("ok"));
            call.ms = ms;
            shown(&values(&[Evidence::ToolCall(call)], &Tools::new(&served, &[]))[0])
        };
        assert_eq!(
            show(0.4),
            r#"{"kind":"tool_call","server":"crm","tool":"crm.lookup","args":{"id":1},"result":"ok","witness":"recorder"}"#
        );
        assert_eq!(show(0.4), show(0.5));
    }
}
