//! A request as any wire gives it, and what its answer has to fit.

use serde_json::Value;

/// What a POST asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Operation {
    /// An answer.
    Infer,
    /// The number of tokens in a request.
    CountTokens,
}

/// A request as any wire gives it.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct WireRequest {
    pub(crate) model: String,
    pub(crate) messages: Vec<Value>,
    /// The names of the tools it offers.
    pub(crate) offered: Vec<String>,
    pub(crate) delivery: Delivery,
    /// The earlier answer that it goes on from.
    pub(crate) previous: Option<String>,
    /// Whether it only prepares the model and wants no answer.
    pub(crate) warm_up: bool,
    /// Whether reasoning is to come back in a form that the client can replay.
    pub(crate) replayable_reasoning: bool,
    /// Whether the answer is to be kept for requests that go on from it.
    pub(crate) stored: bool,
    /// Offered tools that are called in a form of their own.
    pub(crate) tool_forms: Vec<ToolForm>,
}

impl WireRequest {
    /// What the answer of this number has to fit.
    pub(crate) fn reply_to(&self, number: u64) -> ReplyTo<'_> {
        ReplyTo {
            number,
            model: &self.model,
            delivery: self.delivery,
            previous: self.previous.as_deref(),
            replayable_reasoning: self.replayable_reasoning,
            stored: self.stored,
            tool_forms: &self.tool_forms,
        }
    }
}

/// How an offered tool is called, where that is not by the name it is offered under and with a JSON object.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct ToolForm {
    /// The name it is offered under to a script.
    pub(crate) offered: String,
    /// The name that the call has on the wire.
    pub(crate) name: String,
    /// The group of tools that the call names beside it.
    pub(crate) namespace: Option<String>,
    /// Whether it takes a text.
    pub(crate) takes_text: bool,
}

/// What an answer has to fit.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ReplyTo<'a> {
    /// Makes the ids: equal for a repeated answer, unique otherwise.
    pub(crate) number: u64,
    pub(crate) model: &'a str,
    pub(crate) delivery: Delivery,
    /// The earlier answer that the request goes on from.
    pub(crate) previous: Option<&'a str>,
    pub(crate) replayable_reasoning: bool,
    pub(crate) stored: bool,
    pub(crate) tool_forms: &'a [ToolForm],
}

/// How the client wants its answer.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Delivery {
    /// As one JSON document.
    #[default]
    Whole,
    /// As server-sent events.
    Stream {
        /// Whether the token usage is asked for.
        usage: bool,
    },
}
