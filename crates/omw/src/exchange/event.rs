//! What arrives in an agent's inbox.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{ChatDelta, Message, ResourceContent, ResourceInfo, Tool, ToolResult};

/// An event, and the handle that the call which opened its source returned.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Envelope {
    /// The id of the subscription, stream, timer or call.
    pub id: String,
    /// What happened.
    pub event: Event,
}

/// Something that an agent reads from its inbox.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", content = "data", rename_all = "kebab-case")]
pub enum Event {
    /// Another agent, or this one, sent a message.
    Message(String),
    /// A source failed; the text says why.
    Error(String),
    /// A timer fired.
    Timer,
    /// The agent's script changed; the brain is about to be replaced.
    Reload,
    /// The run is about to end.
    Shutdown,
    /// A piece of a streamed answer.
    ChatDelta(ChatDelta),
    /// A streamed answer is complete.
    ChatEnd,
    /// A tool answered.
    ToolResult(ToolResult),
    /// A server's list of resources changed; this is the new one.
    ResourceListUpdated(Vec<ResourceInfo>),
    /// A resource changed; these are its new contents.
    ResourceUpdated(Vec<ResourceContent>),
    /// A client of the endpoint asks.
    EndpointMessage(EndpointMessage),
    /// A session with a client of the endpoint is over.
    EndpointSessionEnd(EndpointSessionEnd),
}

impl Event {
    /// The kebab-case name of its kind: `chat-delta`, `tool-result`, ….
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Message(_) => "message",
            Self::Error(_) => "error",
            Self::Timer => "timer",
            Self::Reload => "reload",
            Self::Shutdown => "shutdown",
            Self::ChatDelta(_) => "chat-delta",
            Self::ChatEnd => "chat-end",
            Self::ToolResult(_) => "tool-result",
            Self::ResourceListUpdated(_) => "resource-list-updated",
            Self::ResourceUpdated(_) => "resource-updated",
            Self::EndpointMessage(_) => "endpoint-message",
            Self::EndpointSessionEnd(_) => "endpoint-session-end",
        }
    }

    /// The names of all kinds.
    pub const KINDS: [&str; 12] = [
        "message",
        "error",
        "timer",
        "reload",
        "shutdown",
        "chat-delta",
        "chat-end",
        "tool-result",
        "resource-list-updated",
        "resource-updated",
        "endpoint-message",
        "endpoint-session-end",
    ];
}

/// What a client of the endpoint asks.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct EndpointMessage {
    /// The session to answer.
    pub session: String,
    /// The conversation.
    pub messages: Vec<Message>,
    /// The tools that the client offers.
    pub tools: Vec<Tool>,
    /// Further members of the request.
    pub params: Option<Value>,
}

/// The end of a session with a client of the endpoint.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct EndpointSessionEnd {
    /// Which session.
    pub session: String,
    /// Why, if it did not end as it should.
    pub error: Option<String>,
}
