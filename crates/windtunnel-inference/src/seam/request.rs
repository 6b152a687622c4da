//! A request as the seam takes it.

use serde_json::Value;
use windtunnel_api::surface::Surface;

use super::history::Said;
use super::own_calls::ToolResult;
use crate::chat::ChatReply;
use crate::script::Sent;

/// A request as the seam takes it.
pub(crate) struct SeamRequest {
    /// The wire it came over.
    pub(crate) wire: &'static str,
    /// The model it names.
    pub(crate) model: String,
    /// Its messages, as they were sent; before them those of the answer that it goes on from.
    pub(crate) messages: Vec<Value>,
    /// What was said up to the answer that it goes on from.
    pub(crate) earlier: Said,
    /// The names of the tools it offers.
    pub(crate) offered: Vec<String>,
    /// What an aside answers to it.
    pub(crate) aside: Option<String>,
    /// Whether it only prepares the model and wants no answer.
    pub(crate) warm_up: bool,
    /// What it tells besides the conversation, where that was [wanted](super::InferenceSeam::wants_surface).
    pub(crate) surface: Option<Surface>,
    /// Bytes of the prompt.
    pub(crate) prompt_bytes: usize,
    /// How it was sent; none inside this process.
    pub(crate) sent: Option<Sent>,
    /// Finds the tool results in messages of this wire.
    pub(crate) tool_results: fn(&[Value]) -> Vec<ToolResult>,
}

/// What is to be remembered of the answer of this number: its id, and its items as messages.
pub(crate) type Kept<'a> = dyn Fn(u64, &ChatReply) -> Option<(String, Vec<Value>)> + 'a;
