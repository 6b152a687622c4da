//! The items of an answer.

use std::borrow::Cow;

use serde::Serialize;
use serde_json::Value;

use super::tools::TEXT_ARGUMENT;
use crate::chat::{CallRequest, ChatReply, Stop};
use crate::wire::{ReplyTo, ToolForm};

/// An item, finished or just begun.
#[derive(Debug, Clone, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(super) enum Item<'a> {
    Reasoning {
        id: String,
        summary: Vec<Summary<'a>>,
        #[serde(skip_serializing_if = "Option::is_none")]
        encrypted_content: Option<String>,
    },
    Message {
        id: String,
        status: Status,
        role: &'static str,
        content: Vec<Part<'a>>,
    },
    FunctionCall {
        id: String,
        status: Status,
        #[serde(flatten)]
        call: Call<'a>,
        arguments: &'a str,
    },
    CustomToolCall {
        id: String,
        status: Status,
        #[serde(flatten)]
        call: Call<'a>,
        input: Cow<'a, str>,
    },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Status {
    InProgress,
    Completed,
    Incomplete,
    Failed,
}

/// Which tool is called, and the id that pairs the call with its output.
#[derive(Debug, Clone, Copy, Serialize)]
pub(super) struct Call<'a> {
    #[serde(rename = "call_id")]
    id: &'a str,
    pub(super) name: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    namespace: Option<&'a str>,
}

/// A part of a reasoning item.
#[derive(Debug, Clone, Copy, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(super) enum Summary<'a> {
    SummaryText { text: &'a str },
}

/// A part of a message.
#[derive(Debug, Clone, Copy, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(super) enum Part<'a> {
    /// Lists that are missing instead of empty are an error to some clients.
    OutputText {
        annotations: [(); 0],
        logprobs: [(); 0],
        text: &'a str,
    },
    Refusal {
        refusal: &'a str,
    },
}

impl<'a> Part<'a> {
    pub(super) fn text(text: &'a str) -> Self {
        Self::OutputText { annotations: [], logprobs: [], text }
    }
}

/// The items of an answer, in their order. Where the length is used up, the last one is incomplete.
pub(super) fn items<'a>(reply: &'a ChatReply, to: &ReplyTo<'a>) -> Vec<Item<'a>> {
    let mut items = Vec::with_capacity(reply.tool_calls.len() + 2);
    if let Some(text) = &reply.reasoning {
        let encrypted_content = to.replayable_reasoning.then(|| format!("wt-encrypted-{}", to.number));
        let id = format!("rs_wt_{}", to.number);
        items.push(Item::Reasoning { id, summary: vec![Summary::SummaryText { text }], encrypted_content });
    }
    if let Some(text) = &reply.content {
        let part =
            if reply.stop == Stop::Refusal { Part::Refusal { refusal: text } } else { Part::text(text) };
        let id = format!("msg_wt_{}", to.number);
        items.push(Item::Message { id, status: Status::Completed, role: "assistant", content: vec![part] });
    }
    let call = |(index, call)| Item::of_call(index + 1, call, to);
    items.extend(reply.tool_calls.iter().enumerate().map(call));
    if reply.stop == Stop::Length
        && let Some(last) = items.last_mut()
    {
        last.set_status(Status::Incomplete);
    }
    items
}

impl<'a> Item<'a> {
    fn of_call(index: usize, request: &'a CallRequest, to: &ReplyTo<'a>) -> Self {
        let form = to.tool_forms.iter().find(|form| form.offered == request.name);
        let call = Call {
            id: &request.id,
            name: form.map_or(&request.name, |form| &form.name),
            namespace: form.and_then(|form| form.namespace.as_deref()),
        };
        let (status, number) = (Status::Completed, to.number);
        if form.is_some_and(|form: &ToolForm| form.takes_text) {
            let input = input_text(&request.arguments);
            Self::CustomToolCall { id: format!("ctc_wt_{number}_{index}"), status, call, input }
        } else {
            let arguments = &request.arguments;
            Self::FunctionCall { id: format!("fc_wt_{number}_{index}"), status, call, arguments }
        }
    }

    pub(super) fn id(&self) -> &str {
        match self {
            Self::Reasoning { id, .. }
            | Self::Message { id, .. }
            | Self::FunctionCall { id, .. }
            | Self::CustomToolCall { id, .. } => id,
        }
    }

    /// The item as it begins: everything that comes in pieces is still empty.
    pub(super) fn begun(&self) -> Self {
        let mut begun = self.clone();
        begun.set_status(Status::InProgress);
        match &mut begun {
            Self::Reasoning { summary, encrypted_content, .. } => {
                summary.clear();
                *encrypted_content = None;
            }
            Self::Message { content, .. } => content.clear(),
            Self::FunctionCall { arguments, .. } => *arguments = "",
            Self::CustomToolCall { input, .. } => *input = "".into(),
        }
        begun
    }

    fn set_status(&mut self, new: Status) {
        match self {
            Self::Message { status, .. }
            | Self::FunctionCall { status, .. }
            | Self::CustomToolCall { status, .. } => *status = new,
            Self::Reasoning { .. } => {}
        }
    }
}

/// The text for a tool that takes one: the scripted argument `input`, or all arguments as JSON if there are others.
fn input_text(arguments: &str) -> Cow<'_, str> {
    match serde_json::from_str(arguments) {
        Ok(Value::Object(mut named)) if named.len() == 1 => match named.remove(TEXT_ARGUMENT) {
            Some(Value::String(text)) => text.into(),
            _ => arguments.into(),
        },
        _ => arguments.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tool_that_takes_a_text_gets_the_argument_input_alone_or_all_as_json() {
        for (arguments, expected) in [
            (r#"{"input":"1 + 1"}"#, "1 + 1"),
            (r#"{"input":7}"#, r#"{"input":7}"#),
            (r#"{"input":"a","more":1}"#, r#"{"input":"a","more":1}"#),
            ("{}", "{}"),
            (r#"{"input":"cut o"#, r#"{"input":"cut o"#),
        ] {
            assert_eq!(input_text(arguments), expected);
        }
    }
}
