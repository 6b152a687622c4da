//! Writing answers as server-sent events.
//!
//! Clients read different parts of a stream: some the deltas, some the finished items, some only the response at the end. All
//! of them tell the same.

use serde::Serialize;

use super::item::{Item, Part, Summary, items};
use super::response::Response;
use crate::chat::ChatReply;
use crate::wire::pieces::pieces;
use crate::wire::{EventWriter, Payload, ReplyTo, WireError};

pub(super) fn stream(reply: &ChatReply, to: &ReplyTo<'_>) -> Payload {
    let output = items(reply, to);
    let mut events = Events { number: 0, writer: EventWriter::new() };
    let begun = Response::begun(to);
    events.response("response.created", &begun);
    events.response("response.in_progress", &begun);
    for (index, item) in output.iter().enumerate() {
        events.item(index, item);
    }
    let ended = Response::ended(reply, &output, to);
    events.response(ended.last_event(), &ended);
    events.writer.finish()
}

/// The events of an answer up to its middle, and then the failure.
pub(super) fn failing_stream(reply: &ChatReply, to: &ReplyTo<'_>, error: &WireError<'_>) -> Payload {
    let payload = stream(reply, to);
    let mut last = Events { number: payload.half(), writer: EventWriter::new() };
    let failed = Response::failed(error, to);
    last.response(failed.last_event(), &failed);
    payload.half_then(last.writer.finish())
}

struct Events {
    /// How many events there are so far.
    number: usize,
    writer: EventWriter,
}

#[derive(Serialize)]
struct Event<B> {
    r#type: &'static str,
    sequence_number: usize,
    #[serde(flatten)]
    body: B,
}

#[derive(Serialize)]
struct OfResponse<'a> {
    response: &'a Response<'a>,
}

#[derive(Serialize)]
struct OfItem<'a> {
    output_index: usize,
    item: &'a Item<'a>,
}

/// Where in the answer something happens.
#[derive(Clone, Copy, Serialize)]
struct Place<'a> {
    item_id: &'a str,
    output_index: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    content_index: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    summary_index: Option<usize>,
}

#[derive(Serialize)]
struct At<'a, B> {
    #[serde(flatten)]
    place: Place<'a>,
    #[serde(flatten)]
    body: B,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Body<'a> {
    Part { part: Part<'a> },
    SummaryPart { part: Summary<'a> },
    Delta { delta: &'a str },
    TextDelta { delta: &'a str, logprobs: [(); 0] },
    SummaryDone { text: &'a str },
    TextDone { text: &'a str, logprobs: [(); 0] },
    RefusalDone { refusal: &'a str },
    ArgumentsDone { name: &'a str, arguments: &'a str },
    InputDone { input: &'a str },
}

impl Events {
    fn item(&mut self, output_index: usize, item: &Item<'_>) {
        self.push("response.output_item.added", OfItem { output_index, item: &item.begun() });
        let place = Place { item_id: item.id(), output_index, content_index: None, summary_index: None };
        match item {
            Item::Reasoning { summary, .. } => {
                for (index, part) in summary.iter().enumerate() {
                    self.summary(Place { summary_index: Some(index), ..place }, *part);
                }
            }
            Item::Message { content, .. } => {
                for (index, part) in content.iter().enumerate() {
                    self.part(Place { content_index: Some(index), ..place }, *part);
                }
            }
            Item::FunctionCall { call, arguments, .. } => {
                for delta in pieces(arguments) {
                    self.at("response.function_call_arguments.delta", place, Body::Delta { delta });
                }
                let done = Body::ArgumentsDone { name: call.name, arguments };
                self.at("response.function_call_arguments.done", place, done);
            }
            Item::CustomToolCall { input, .. } => {
                for delta in pieces(input) {
                    self.at("response.custom_tool_call_input.delta", place, Body::Delta { delta });
                }
                self.at("response.custom_tool_call_input.done", place, Body::InputDone { input });
            }
        }
        self.push("response.output_item.done", OfItem { output_index, item });
    }

    fn summary(&mut self, place: Place<'_>, part: Summary<'_>) {
        let Summary::SummaryText { text } = part;
        let empty = Body::SummaryPart { part: Summary::SummaryText { text: "" } };
        self.at("response.reasoning_summary_part.added", place, empty);
        for delta in pieces(text) {
            self.at("response.reasoning_summary_text.delta", place, Body::Delta { delta });
        }
        self.at("response.reasoning_summary_text.done", place, Body::SummaryDone { text });
        self.at("response.reasoning_summary_part.done", place, Body::SummaryPart { part });
    }

    fn part(&mut self, place: Place<'_>, part: Part<'_>) {
        let added = "response.content_part.added";
        match part {
            Part::OutputText { text, .. } => {
                self.at(added, place, Body::Part { part: Part::text("") });
                for delta in pieces(text) {
                    self.at("response.output_text.delta", place, Body::TextDelta { delta, logprobs: [] });
                }
                self.at("response.output_text.done", place, Body::TextDone { text, logprobs: [] });
            }
            Part::Refusal { refusal } => {
                self.at(added, place, Body::Part { part: Part::Refusal { refusal: "" } });
                for delta in pieces(refusal) {
                    self.at("response.refusal.delta", place, Body::Delta { delta });
                }
                self.at("response.refusal.done", place, Body::RefusalDone { refusal });
            }
        }
        self.at("response.content_part.done", place, Body::Part { part });
    }

    fn response(&mut self, name: &'static str, response: &Response<'_>) {
        self.push(name, OfResponse { response });
    }

    fn at(&mut self, name: &'static str, place: Place<'_>, body: Body<'_>) {
        self.push(name, At { place, body });
    }

    fn push(&mut self, name: &'static str, body: impl Serialize) {
        self.writer.named(name, &Event { r#type: name, sequence_number: self.number, body });
        self.number += 1;
    }
}
