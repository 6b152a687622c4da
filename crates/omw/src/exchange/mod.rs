//! What agents exchange with the world: chat messages, tools, resources, and the events of their inboxes.
//!
//! Serialized as they are, these are the shapes that a trace shows: every member is there, absent ones as `null`, and
//! JSON that travels as text stays text.

mod chat;
mod event;
mod resource;
mod tool;

pub use chat::{ChatDelta, ChatReply, ChatRequest, Message, ToolCall, ToolCallDelta};
pub use event::{EndpointMessage, EndpointSessionEnd, Envelope, Event};
pub use resource::{ResourceAnnotations, ResourceContent, ResourceInfo, ResourceTemplate};
pub use tool::{Tool, ToolAnnotations, ToolResult};
