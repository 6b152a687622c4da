//! Calls of tools that the agent runs itself: asked for in a decision, seen again when their result comes back.

use serde_json::{Value, json};
use windtunnel_api::artifact::evidence::{Evidence, ToolCall, Witness};
use windtunnel_spi::{Moment, Stamped};

use crate::chat::CallRequest;

/// Served calls whose results have not come back yet.
#[derive(Debug, Default)]
pub(super) struct OwnCalls(Vec<(String, OwnCall)>);

/// A call whose result has not come back yet.
#[derive(Debug)]
pub(crate) struct OwnCall {
    /// Empty where the agent runs the tool itself.
    pub(crate) server: String,
    pub(crate) tool: String,
    pub(crate) args: Value,
    /// When it was asked for: its place in the order of evidence.
    pub(crate) asked: Moment,
}

impl OwnCall {
    /// The call with its result, which came back `now`, as evidence.
    pub(crate) fn answered(self, result: ToolResult, now: Moment) -> Stamped<Evidence> {
        let (result, error) = match result {
            ToolResult { value, failed: false, .. } => (value, None),
            ToolResult { value: Value::String(text), .. } => (Value::Null, Some(text)),
            ToolResult { value, .. } => (Value::Null, Some(value.to_string())),
        };
        self.asked.with(Evidence::ToolCall(ToolCall {
            server: self.server,
            tool: self.tool,
            args: self.args,
            result,
            error,
            ms: (now.at_ms - self.asked.at_ms).max(0.0),
            witness: Witness::Seam,
            extra: None,
        }))
    }
}

impl OwnCall {
    /// The call as evidence, where no result ever came back: the agent ended with it, or dropped it.
    pub(crate) fn unanswered(self) -> Stamped<Evidence> {
        self.asked.with(Evidence::ToolCall(ToolCall {
            server: self.server,
            tool: self.tool,
            args: self.args,
            result: Value::Null,
            error: None,
            ms: 0.0,
            witness: Witness::Seam,
            extra: Some(json!({"answered": false})),
        }))
    }
}

impl OwnCalls {
    /// Waits for the result of a call. Its place in the order of evidence is here, after the decision and before what follows.
    pub(super) fn expect(&mut self, call: &CallRequest) {
        let own = OwnCall {
            server: String::new(),
            tool: call.name.clone(),
            args: call.arguments_value(),
            asked: Moment::now(),
        };
        self.0.push((call.id.clone(), own));
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn clear(&mut self) {
        self.0.clear();
    }

    /// The calls whose results are among these, as evidence.
    pub(super) fn witnessed(&mut self, results: Vec<ToolResult>, now: Moment) -> Vec<Stamped<Evidence>> {
        let mut witnessed = Vec::new();
        for result in results {
            let Some(index) = self.0.iter().position(|(id, _)| *id == result.call_id) else { continue };
            let (_, call) = self.0.remove(index);
            witnessed.push(call.answered(result, now));
        }
        witnessed
    }
}

/// The result of a tool call, as the agent tells the model.
#[derive(Debug, Clone, PartialEq)]
pub struct ToolResult {
    /// Which call it answers.
    pub call_id: String,
    /// The text; the content as it came where it is no text.
    pub value: Value,
    /// Whether the agent says that the call failed, on wires where it can.
    pub failed: bool,
}
