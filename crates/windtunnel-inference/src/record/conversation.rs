//! What a model decided, turn by turn.

use serde_json::{Map, Value};
use windtunnel_api::{ReferenceDecision, ReferenceToolCall};
use windtunnel_spi::Stamp;

use super::reading::Request;
use crate::chat::{CallRequest, ChatReply, Stop};

/// A turn of the conversation.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct RecordedTurn {
    /// What the user said.
    pub prompt: String,
    /// What the model decided, in order.
    pub decisions: Vec<ReferenceDecision>,
    /// Whether it ended with an answer.
    pub complete: bool,
}

/// A request that is no part of the conversation, such as one for a title.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SideRequest {
    /// What the user said last in it.
    pub asked: String,
    /// What was answered.
    pub content: String,
}

/// The decisions of a session.
#[derive(Default)]
pub(super) struct Conversation {
    pub(super) turns: Vec<RecordedTurn>,
    pub(super) side: Vec<SideRequest>,
    pub(super) problems: Vec<String>,
}

/// Finds the decisions among the requests.
///
/// Where any request offers tools, those that offer none are side requests: titles, summaries, guards. A turn ends with an answer
/// without tool calls; where the beginnings of turns were witnessed, such an answer in the middle of one is a side request too.
pub(super) fn follow(
    requests: &[Request],
    witnessed: &[(Stamp, String)],
    bare: impl Fn(&str) -> String,
) -> Conversation {
    let mut conversation = Conversation::default();
    let aside = is_aside(requests);
    let mut decided = Vec::new();
    for request in requests.iter().filter(|request| !request.read.warm_up) {
        let Ok(reply) = &request.answer else { continue };
        if aside(request) {
            conversation.side.push(side_request(request, reply));
        } else {
            decided.push((request, reply));
        }
    }
    // The witnessed turn that a request belongs to.
    let turn_of = |request: &Request| witnessed.iter().rposition(|(begun, _)| *begun < request.at.stamp);
    let mut turn: Option<usize> = None;
    for (index, (request, reply)) in decided.iter().enumerate() {
        let of = turn_of(request);
        let goes_on = decided.get(index + 1).is_some_and(|(next, _)| of.is_some() && turn_of(next) == of);
        if reply.tool_calls.is_empty() && goes_on {
            conversation.side.push(side_request(request, reply));
            continue;
        }
        if turn != of || conversation.turns.last().is_none_or(|open| open.complete) {
            let known = of.and_then(|of| witnessed.get(of)).map(|(_, text)| text.clone());
            let prompt = known.or_else(|| last_user_text(&request.read.messages)).unwrap_or_default();
            conversation.turns.push(RecordedTurn { prompt, ..RecordedTurn::default() });
            turn = of;
        }
        let Some(open) = conversation.turns.last_mut() else { continue };
        let decision = decision(reply, &bare, &mut conversation.problems);
        open.complete = decision.tool_calls.is_empty() && decision.content.is_some();
        if open.complete || !decision.tool_calls.is_empty() {
            open.decisions.push(decision);
        }
    }
    let cut = conversation.turns.iter().filter(|turn| !turn.complete).count();
    if cut > 0 {
        conversation.problems.push(format!(
            "{cut} of {} turns did not end with an answer; the golden case ends there with a text of ours",
            conversation.turns.len()
        ));
    }
    conversation
}

/// Whether a request is no part of the conversation by what it offers.
pub(super) fn is_aside(requests: &[Request]) -> impl Fn(&Request) -> bool + use<> {
    let with_tools = requests.iter().any(|request| !request.read.offered.is_empty());
    move |request| with_tools && request.read.offered.is_empty()
}

fn side_request(request: &Request, reply: &ChatReply) -> SideRequest {
    SideRequest {
        asked: last_user_text(&request.read.messages).unwrap_or_default(),
        content: reply.content.clone().unwrap_or_default(),
    }
}

/// A decision as a script has it.
fn decision(
    reply: &ChatReply,
    bare: impl Fn(&str) -> String,
    problems: &mut Vec<String>,
) -> ReferenceDecision {
    if reply.stop == Stop::Length {
        problems.push(
            "an answer was cut because its length was used up; the script has it as it came".to_owned(),
        );
    }
    let mut calls = Vec::new();
    for call in &reply.tool_calls {
        let arguments = arguments(call).unwrap_or_else(|| {
            problems.push(format!(
                "the arguments of a call of {} are no JSON object; the script has the call without any",
                call.name
            ));
            Map::new()
        });
        calls.push(ReferenceToolCall { name: bare(&call.name), arguments });
    }
    let content = reply.content.clone().filter(|content| !content.trim().is_empty());
    let refused = reply.stop == Stop::Refusal;
    let refusal = refused && calls.is_empty() && content.is_some();
    if refused != refusal {
        problems.push(
            "a refusal called tools, or said nothing, which no script can; the script has what came of it as an answer".to_owned(),
        );
    }
    ReferenceDecision {
        content,
        reasoning: reply.reasoning.clone().filter(|reasoning| !reasoning.trim().is_empty()),
        refusal,
        tool_calls: calls,
        faults: Vec::new(),
    }
}

/// The arguments of a call; none if they are no JSON object.
fn arguments(call: &CallRequest) -> Option<Map<String, Value>> {
    if call.arguments.trim().is_empty() {
        return Some(Map::new());
    }
    match serde_json::from_str(&call.arguments) {
        Ok(Value::Object(arguments)) => Some(arguments),
        Ok(_) | Err(_) => None,
    }
}

/// What the user said last, in the messages of any wire.
fn last_user_text(messages: &[Value]) -> Option<String> {
    messages.iter().rev().filter(|message| message.get("role").is_some_and(|role| role == "user")).find_map(
        |message| {
            let text = match message.get("content")? {
                Value::String(text) => text.clone(),
                Value::Array(parts) => {
                    let is_text = |part: &&Value| {
                        part.get("type").is_none_or(|kind| kind == "text" || kind == "input_text")
                    };
                    let texts: Vec<&str> =
                        parts.iter().filter(is_text).filter_map(|part| part.get("text")?.as_str()).collect();
                    texts.join("\n")
                }
                _ => return None,
            };
            (!text.trim().is_empty()).then_some(text)
        },
    )
}
