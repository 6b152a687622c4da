//! What brains get.

use serde_json::Value;

use super::KeyCase;
use super::case::Record;
use crate::exchange::{
    ChatDelta, ChatReply, EndpointMessage, EndpointSessionEnd, Envelope, Event, Message, ResourceAnnotations,
    ResourceContent, ResourceInfo, ResourceTemplate, Tool, ToolAnnotations, ToolCall, ToolCallDelta,
    ToolResult,
};

/// Something that a brain gets as a value.
pub(crate) trait Shape {
    /// The value.
    fn shape(self, case: KeyCase) -> Value;
}

/// The value of JSON text. Text that is no JSON stays as it is.
pub(crate) fn parsed(text: String) -> Value {
    serde_json::from_str(&text).unwrap_or(Value::String(text))
}

/// The value of a piece of a call's arguments: parsed when it is the whole object, and otherwise the text, so that pieces can be
/// joined.
fn parsed_whole(text: String) -> Value {
    match serde_json::from_str(&text) {
        Ok(value @ Value::Object(_)) => value,
        _ => Value::String(text),
    }
}

impl Shape for Value {
    fn shape(self, _case: KeyCase) -> Value {
        self
    }
}

impl Shape for String {
    fn shape(self, _case: KeyCase) -> Value {
        Value::String(self)
    }
}

impl Shape for bool {
    fn shape(self, _case: KeyCase) -> Value {
        Value::Bool(self)
    }
}

impl Shape for f64 {
    fn shape(self, _case: KeyCase) -> Value {
        Value::from(self)
    }
}

impl Shape for u64 {
    fn shape(self, _case: KeyCase) -> Value {
        Value::from(self)
    }
}

impl<T: Shape> Shape for Vec<T> {
    fn shape(self, case: KeyCase) -> Value {
        Value::Array(self.into_iter().map(|item| item.shape(case)).collect())
    }
}

impl Shape for ToolCall {
    fn shape(self, case: KeyCase) -> Value {
        Record::new(case)
            .member("id", self.id)
            .member("name", self.name)
            .member("arguments", parsed(self.arguments))
            .done()
    }
}

impl Shape for ToolCallDelta {
    fn shape(self, case: KeyCase) -> Value {
        Record::new(case)
            .member("index", u64::from(self.index))
            .optional("id", self.id)
            .optional("name", self.name)
            .optional("arguments", self.arguments.map(parsed_whole))
            .done()
    }
}

impl Shape for ChatReply {
    fn shape(self, case: KeyCase) -> Value {
        Record::new(case)
            .optional("content", self.content)
            .optional("reasoning", self.reasoning)
            .member("tool_calls", self.tool_calls)
            .optional("finish_reason", self.finish_reason)
            .optional("usage", self.usage.map(parsed))
            .done()
    }
}

impl Shape for ChatDelta {
    fn shape(self, case: KeyCase) -> Value {
        Record::new(case)
            .optional("content", self.content)
            .optional("reasoning", self.reasoning)
            .unless_empty("tool_calls", self.tool_calls)
            .optional("finish_reason", self.finish_reason)
            .optional("usage", self.usage.map(parsed))
            .done()
    }
}

impl Shape for Message {
    fn shape(self, case: KeyCase) -> Value {
        Record::new(case)
            .member("role", self.role)
            .optional("content", self.content)
            .optional("reasoning", self.reasoning)
            .unless_empty("tool_calls", self.tool_calls)
            .optional("tool_call_id", self.tool_call_id)
            .done()
    }
}

impl Shape for Tool {
    fn shape(self, case: KeyCase) -> Value {
        Record::new(case)
            .member("name", self.name)
            .optional("title", self.title)
            .optional("description", self.description)
            .member("input_schema", self.input_schema)
            .optional("output_schema", self.output_schema)
            .optional("annotations", self.annotations)
            .done()
    }
}

impl Shape for ToolAnnotations {
    fn shape(self, case: KeyCase) -> Value {
        Record::new(case)
            .optional("read_only_hint", self.read_only_hint)
            .optional("destructive_hint", self.destructive_hint)
            .optional("idempotent_hint", self.idempotent_hint)
            .optional("open_world_hint", self.open_world_hint)
            .done()
    }
}

impl Shape for ToolResult {
    fn shape(self, case: KeyCase) -> Value {
        Record::new(case)
            .member("name", self.name)
            .member("arguments", parsed(self.arguments))
            .member("content", parsed(self.content))
            .optional("structured_content", self.structured_content.map(parsed))
            .member("is_error", self.is_error)
            .done()
    }
}

impl Shape for ResourceInfo {
    fn shape(self, case: KeyCase) -> Value {
        Record::new(case)
            .member("uri", self.uri)
            .member("name", self.name)
            .optional("title", self.title)
            .optional("description", self.description)
            .optional("mime_type", self.mime_type)
            .optional("size", self.size)
            .optional("annotations", self.annotations)
            .done()
    }
}

impl Shape for ResourceAnnotations {
    fn shape(self, case: KeyCase) -> Value {
        Record::new(case)
            .member("audience", self.audience)
            .optional("priority", self.priority)
            .optional("last_modified", self.last_modified)
            .done()
    }
}

impl Shape for ResourceContent {
    fn shape(self, case: KeyCase) -> Value {
        Record::new(case)
            .member("uri", self.uri)
            .optional("mime_type", self.mime_type)
            .member("content", self.content)
            .done()
    }
}

impl Shape for ResourceTemplate {
    fn shape(self, case: KeyCase) -> Value {
        Record::new(case)
            .member("uri_template", self.uri_template)
            .member("name", self.name)
            .optional("title", self.title)
            .optional("description", self.description)
            .optional("mime_type", self.mime_type)
            .done()
    }
}

impl Shape for EndpointMessage {
    fn shape(self, case: KeyCase) -> Value {
        Record::new(case)
            .member("session", self.session)
            .member("messages", self.messages)
            .member("tools", self.tools)
            .optional("params", self.params.filter(|params| !params.is_null()))
            .done()
    }
}

impl Shape for EndpointSessionEnd {
    fn shape(self, case: KeyCase) -> Value {
        Record::new(case).member("session", self.session).optional("error", self.error).done()
    }
}

impl Shape for Event {
    /// The payload; the kind is the envelope's.
    fn shape(self, case: KeyCase) -> Value {
        match self {
            Self::Message(text) | Self::Error(text) => Value::String(text),
            Self::Timer | Self::Reload | Self::Shutdown | Self::ChatEnd => Value::Null,
            Self::ChatDelta(delta) => delta.shape(case),
            Self::ToolResult(result) => result.shape(case),
            Self::ResourceListUpdated(resources) => resources.shape(case),
            Self::ResourceUpdated(contents) => contents.shape(case),
            Self::EndpointMessage(message) => message.shape(case),
            Self::EndpointSessionEnd(end) => end.shape(case),
        }
    }
}

impl Shape for Envelope {
    fn shape(self, case: KeyCase) -> Value {
        Record::new(case)
            .member("id", self.id)
            .member("kind", self.event.kind().to_owned())
            .member("payload", self.event)
            .done()
    }
}
