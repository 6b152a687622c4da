//! Calls of tools that the agent runs itself: asked for in a decision, seen again when their result comes back.

use serde_json::Value;
use windtunnel_api::artifact::evidence::{Evidence, ToolCall, Witness};
use windtunnel_spi::Stamped;

use super::log::Moment;
use crate::chat::CallRequest;

/// Served calls whose results have not come back yet.
#[derive(Debug, Default)]
pub(super) struct OwnCalls(Vec<OwnCall>);

#[derive(Debug)]
struct OwnCall {
    id: String,
    tool: String,
    args: Value,
    asked: Moment,
}

impl OwnCalls {
    /// Waits for the result of a call. Its place in the order of evidence is here, after the decision and before what follows.
    pub(super) fn expect(&mut self, call: &CallRequest) {
        self.0.push(OwnCall {
            id: call.id.clone(),
            tool: call.name.clone(),
            args: call.arguments_value(),
            asked: Moment::now(),
        });
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
            let Some(index) = self.0.iter().position(|call| call.id == result.call_id) else { continue };
            let call = self.0.remove(index);
            let error = result.failed.then(|| match &result.value {
                Value::String(text) => text.clone(),
                other => other.to_string(),
            });
            let value = if result.failed { Value::Null } else { result.value };
            witnessed.push(call.asked.with(Evidence::ToolCall(ToolCall {
                server: String::new(),
                tool: call.tool,
                args: call.args,
                result: value,
                error,
                ms: (now.at_ms - call.asked.at_ms).max(0.0),
                witness: Witness::Seam,
                extra: None,
            })));
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
