//! Calls of tools that the agent runs itself: asked for in a decision, seen again when their result comes back.

use serde_json::{Value, json};
use windtunnel_api::artifact::evidence::{Evidence, ToolCall, Witness};
use windtunnel_spi::{Moment, Stamped};

use crate::chat::CallRequest;

/// Served calls whose results have not come back yet, with the ids that the results name.
#[derive(Debug, Default)]
pub(crate) struct OwnCalls(Vec<(String, OwnCall)>);

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
    /// A call of a tool that the agent runs itself, under the name it was asked for.
    pub(crate) fn of(call: &CallRequest, asked: Moment) -> Self {
        Self { server: String::new(), tool: call.name.clone(), args: call.arguments_value(), asked }
    }

    /// The call with its result, which came back `now`, as evidence.
    fn answered(self, result: ToolResult, now: Moment) -> Stamped<Evidence> {
        let (result, error) = match result {
            ToolResult { value, failed: false, .. } => (value, None),
            ToolResult { value: Value::String(text), .. } => (Value::Null, Some(text)),
            ToolResult { value, .. } => (Value::Null, Some(value.to_string())),
        };
        let ms = (now.at_ms - self.asked.at_ms).max(0.0);
        let asked = self.asked;
        asked.with(Evidence::ToolCall(ToolCall { result, error, ms, ..self.evidence() }))
    }

    /// The call as evidence, where no result ever came back: the agent ended with it, or dropped it.
    fn unanswered(self) -> Stamped<Evidence> {
        let extra = Some(json!({"answered": false}));
        let asked = self.asked;
        asked.with(Evidence::ToolCall(ToolCall { extra, ..self.evidence() }))
    }

    /// What is known before a result is.
    fn evidence(self) -> ToolCall {
        ToolCall {
            server: self.server,
            tool: self.tool,
            args: self.args,
            result: Value::Null,
            error: None,
            ms: 0.0,
            witness: Witness::Seam,
            extra: None,
        }
    }
}

impl OwnCalls {
    /// Waits for the result of the call with this id.
    pub(crate) fn expect(&mut self, id: &str, call: OwnCall) {
        self.0.push((id.to_owned(), call));
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn clear(&mut self) {
        self.0.clear();
    }

    /// The calls whose results are among these, as evidence.
    pub(crate) fn witnessed(&mut self, results: Vec<ToolResult>, now: Moment) -> Vec<Stamped<Evidence>> {
        let mut witnessed = Vec::new();
        for result in results {
            let Some(index) = self.0.iter().position(|(id, _)| *id == result.call_id) else { continue };
            let (_, call) = self.0.remove(index);
            witnessed.push(call.answered(result, now));
        }
        witnessed
    }

    /// The calls of which no result came back, as evidence.
    pub(crate) fn unanswered(self) -> impl Iterator<Item = Stamped<Evidence>> {
        self.0.into_iter().map(|(_, call)| call.unanswered())
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
