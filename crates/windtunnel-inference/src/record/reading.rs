//! One exchange, understood, without secrets.

use serde_json::{Value, json};
use windtunnel_api::Evidence;
use windtunnel_api::recording::Exchange;
use windtunnel_api::surface::Surface;
use windtunnel_spi::{Moment, Stamped};

use super::log::Seen;
use super::redaction::Redaction;
use crate::chat::{CallRequest, ChatReply};
use crate::seam::ToolResult;
use crate::wire::{Protocol, WireRequest};

/// Fields of a request that hold the conversation, which the events have.
const CONVERSATION: [&str; 2] = ["messages", "input"];

/// An exchange that asked for an answer.
pub(super) struct Request {
    pub(super) at: Moment,
    pub(super) wire: &'static str,
    pub(super) read: WireRequest,
    /// What it told the model besides the conversation, in the shape of the wire.
    pub(super) surface: Surface,
    /// The results that it brings back.
    pub(super) results: Vec<ToolResult>,
    pub(super) answer: Result<ChatReply, Fault>,
}

/// An answer that is no decision.
pub(super) struct Fault {
    pub(super) status: u16,
    pub(super) message: String,
}

impl Request {
    /// The exchange as evidence.
    pub(super) fn evidence(&self) -> Stamped<Evidence> {
        let decision = match &self.answer {
            Ok(reply) => reply.evidence(),
            Err(Fault { status, message }) => json!({"fault": {"status": status, "message": message}}),
        };
        self.at.with(Evidence::Inference {
            wire: self.wire.to_owned(),
            model: self.read.model.clone(),
            messages: self.read.messages.clone(),
            tools: self.read.offered.clone(),
            decision,
        })
    }
}

/// Understands an exchange: what is kept of it, and the request for an answer, if it was one and can be read.
pub(super) fn read(seen: Seen, redaction: &Redaction) -> (Exchange, Option<Request>) {
    let mut exchange = Exchange {
        method: seen.method.clone(),
        path: redaction.text(&seen.path),
        wire: seen.protocol.map(Protocol::wire),
        headers: redaction.kept(&seen.headers),
        request: Value::Null,
        status: seen.status,
        answer_headers: redaction.kept(&seen.answer_headers),
        streamed: seen.streamed,
        ms: (seen.ms * 1000.0).round() / 1000.0,
        problem: None,
    };
    let Some(protocol) = seen.protocol else {
        exchange.problem = seen.problem.map(|problem| redaction.text(&problem));
        return (exchange, None);
    };
    let body = serde_json::from_slice::<Value>(&seen.request).map(|mut body| {
        redaction.value(&mut body);
        body
    });
    let read = body.map_err(|error| format!("the request is not JSON: {error}"));
    let read = read.and_then(|body| Ok((protocol.surface(&body), rest(&body), protocol.read(body)?)));
    let (surface, rest, read) = match read {
        Ok(read) => read,
        Err(problem) => {
            exchange.problem = Some(redaction.text(&problem));
            return (exchange, None);
        }
    };
    exchange.request = rest;
    let answer = answer(&seen, protocol, redaction);
    exchange.problem = match &answer {
        Ok(_) => None,
        Err(fault) => Some(fault.message.clone()),
    };
    let results = protocol.tool_results()(&read.messages);
    let wire = protocol.wire().name();
    (exchange, Some(Request { at: seen.at, wire, read, surface, results, answer }))
}

/// The request without its conversation.
fn rest(body: &Value) -> Value {
    let Value::Object(fields) = body else { return Value::Null };
    fields
        .iter()
        .filter(|(name, _)| !CONVERSATION.contains(&name.as_str()))
        .map(|(name, value)| (name.clone(), value.clone()))
        .collect::<serde_json::Map<_, _>>()
        .into()
}

fn answer(seen: &Seen, protocol: &dyn Protocol, redaction: &Redaction) -> Result<ChatReply, Fault> {
    let fault = |message: String| Fault { status: seen.status, message: redaction.text(&message) };
    if !(200..300).contains(&seen.status) {
        let said = seen.problem.clone().unwrap_or_else(|| windtunnel_http::error_message(&seen.answer));
        return Err(fault(said));
    }
    match protocol.decode(&seen.answer, seen.streamed) {
        Ok(reply) => Ok(redacted(reply, redaction)),
        // What kept it from being whole says more than what is missing at its end.
        Err(problem) => Err(fault(seen.problem.clone().unwrap_or(problem))),
    }
}

fn redacted(reply: ChatReply, redaction: &Redaction) -> ChatReply {
    let text = |text: String| redaction.text(&text);
    let call = |call: CallRequest| {
        let arguments = match serde_json::from_str::<Value>(&call.arguments) {
            Ok(mut arguments) => {
                redaction.value(&mut arguments);
                arguments.to_string()
            }
            Err(_) => text(call.arguments),
        };
        CallRequest { id: call.id, name: text(call.name), arguments }
    };
    ChatReply {
        content: reply.content.map(text),
        tool_calls: reply.tool_calls.into_iter().map(call).collect(),
        reasoning: reply.reasoning.map(text),
        ..reply
    }
}
