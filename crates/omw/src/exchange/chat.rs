//! Conversations with a model.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::Tool;

/// One message of a conversation.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Message {
    /// `system`, `user`, `assistant` or `tool`.
    pub role: String,
    /// What was said.
    pub content: Option<String>,
    /// What the model thought.
    pub reasoning: Option<String>,
    /// The calls that an assistant asks for.
    #[serde(default)]
    pub tool_calls: Vec<ToolCall>,
    /// The call that a `tool` message answers.
    pub tool_call_id: Option<String>,
}

/// A call that a model asks for.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ToolCall {
    /// Names the call within the conversation.
    pub id: String,
    /// The tool.
    pub name: String,
    /// Its arguments, as JSON text, verbatim.
    pub arguments: String,
}

/// What a model is asked.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct ChatRequest {
    /// The model's name.
    pub model: String,
    /// The conversation so far.
    pub messages: Vec<Message>,
    /// The tools that the model may call.
    pub tools: Vec<Tool>,
    /// Further members of the request's body: `temperature`, `max_tokens`, ….
    pub params: Option<Value>,
}

/// A whole answer of a model.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChatReply {
    /// What it said.
    pub content: Option<String>,
    /// What it thought.
    pub reasoning: Option<String>,
    /// The calls that it asks for.
    #[serde(default)]
    pub tool_calls: Vec<ToolCall>,
    /// `stop`, `tool_calls`, `length`, ….
    pub finish_reason: Option<String>,
    /// What it cost, as JSON text.
    pub usage: Option<String>,
}

/// A piece of a streamed answer.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChatDelta {
    /// More of what it says.
    pub content: Option<String>,
    /// More of what it thinks.
    pub reasoning: Option<String>,
    /// Pieces of calls.
    #[serde(default)]
    pub tool_calls: Vec<ToolCallDelta>,
    /// Set on the last piece that says something.
    pub finish_reason: Option<String>,
    /// What it cost, as JSON text.
    pub usage: Option<String>,
}

/// A piece of a call in a streamed answer. Pieces of one call have the same index; their arguments are joined.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ToolCallDelta {
    /// Which call of the answer, counted from 0 without gaps.
    #[serde(default)]
    pub index: u32,
    /// Its id, on the first piece.
    pub id: Option<String>,
    /// Its tool, on the first piece.
    pub name: Option<String>,
    /// More of its arguments' JSON text.
    pub arguments: Option<String>,
}

impl ChatReply {
    /// Joins the next piece of a streamed answer to what came before.
    pub fn push(&mut self, delta: ChatDelta) {
        append(&mut self.content, delta.content);
        append(&mut self.reasoning, delta.reasoning);
        for piece in delta.tool_calls {
            let index = piece.index as usize;
            // Never by more than one: a stream that names call 4,000,000,000 first would otherwise have us make that many.
            if index >= self.tool_calls.len() {
                self.tool_calls.push(ToolCall::default());
            }
            let place = index.min(self.tool_calls.len() - 1);
            if let Some(call) = self.tool_calls.get_mut(place) {
                call.id.extend(piece.id);
                call.name.extend(piece.name);
                call.arguments.extend(piece.arguments);
            }
        }
        self.finish_reason = delta.finish_reason.or(self.finish_reason.take());
        self.usage = delta.usage.or(self.usage.take());
    }
}

fn append(text: &mut Option<String>, more: Option<String>) {
    match (text, more) {
        (Some(text), Some(more)) => text.push_str(&more),
        (text @ None, more) => *text = more,
        (Some(_), None) => {}
    }
}
