//! What one turn brought: a state machine over the updates of its session.

use agent_client_protocol::v1::schema::{
    Content, ContentBlock, ContentChunk, SessionUpdate, StopReason, ToolCall, ToolCallContent, ToolCallId,
    ToolCallUpdate, ToolKind,
};
use indexmap::IndexMap;
use serde_json::{Value, json};
use windtunnel_spi::{AgentReply, ClaimedCall};

use crate::program::MAX_REPLY;

/// Tool calls that one turn may report.
const MAX_CALLS: usize = 10_000;

/// Characters of a tool's name. Titles may be whole scripts, and names end up in file names and reports.
const MAX_NAME: usize = 256;

/// The updates of a turn, put together.
#[derive(Debug, Default)]
pub(super) struct TurnLog {
    text: String,
    /// The message that the last text belonged to, where the agent tells.
    message: Option<String>,
    /// Whether the next text begins a paragraph.
    interrupted: bool,
    calls: IndexMap<ToolCallId, Call>,
    cancelled: bool,
    /// What was more than a turn may bring.
    excess: Option<String>,
}

#[derive(Debug)]
struct Call {
    reported: ToolCall,
    /// Permission was asked for and not given.
    refused: bool,
}

/// A turn that ended as turns do.
#[derive(Debug)]
pub(super) struct Concluded {
    pub(super) reply: AgentReply,
    /// Why the reply may not be all that the agent had to say.
    pub(super) warning: Option<String>,
}

impl TurnLog {
    /// Takes an update. Thoughts, plans and what concerns the agent's user interface are no part of a turn's result.
    pub(super) fn update(&mut self, update: SessionUpdate) {
        match update {
            SessionUpdate::AgentMessageChunk(chunk) => self.say(chunk),
            SessionUpdate::ToolCall(call) => {
                if let Some(known) = self.call(&call.tool_call_id) {
                    known.reported = call;
                }
            }
            SessionUpdate::ToolCallUpdate(update) => {
                if let Some(known) = self.call(&update.tool_call_id) {
                    known.reported.update(update.fields);
                }
            }
            _ => {}
        }
    }

    /// The call that permission is asked for.
    ///
    /// Agents put words for a person into the request. Where the call was reported before, it is that one, and the request only
    /// adds what was not known of it.
    pub(super) fn ask(&mut self, request: ToolCallUpdate) -> Option<&ToolCall> {
        let known = &mut self.call(&request.tool_call_id)?.reported;
        let fields = request.fields;
        if known.title.is_empty() {
            known.title = fields.title.unwrap_or_default();
        }
        if known.raw_input.as_ref().is_none_or(|input| *input == json!({})) {
            known.raw_input = fields.raw_input;
        }
        if known.kind == ToolKind::Other {
            known.kind = fields.kind.unwrap_or_default();
        }
        known.name = known.name.take().or(fields.name);
        Some(known)
    }

    /// A call is not made, because permission was asked for and not given.
    pub(super) fn refuse(&mut self, id: &ToolCallId) {
        if let Some(call) = self.calls.get_mut(id) {
            call.refused = true;
        }
    }

    /// We cancel the turn.
    pub(super) fn cancel(&mut self) {
        self.cancelled = true;
    }

    /// Whether we cancelled the turn.
    pub(super) fn is_cancelled(&self) -> bool {
        self.cancelled
    }

    /// The turn's result, or why it is none.
    pub(super) fn conclude(self, stop: StopReason) -> Result<Concluded, String> {
        if let Some(excess) = self.excess {
            return Err(excess);
        }
        let warning = match stop {
            StopReason::EndTurn => None,
            StopReason::MaxTokens => Some("the agent stopped early: max_tokens"),
            StopReason::MaxTurnRequests => Some("the agent stopped early: max_turn_requests"),
            StopReason::Refusal => Some("the agent refused the turn: refusal"),
            StopReason::Cancelled if self.cancelled => {
                Some("the turn was cancelled by the answer to a request for permission")
            }
            StopReason::Cancelled => {
                return Err("the agent says that the turn was cancelled, which nobody asked for".to_owned());
            }
            _ => {
                return Err("the agent ended the turn for a reason that this protocol version does not have"
                    .to_owned());
            }
        };
        let claimed_calls = self
            .calls
            .into_values()
            .filter(|call| !call.refused)
            .map(|call| claimed(&call.reported))
            .collect();
        let reply = AgentReply { content: self.text, claimed_calls, ..AgentReply::default() };
        Ok(Concluded { reply, warning: warning.map(str::to_owned) })
    }

    fn say(&mut self, chunk: ContentChunk) {
        let ContentBlock::Text(text) = chunk.content else { return };
        let message = chunk.message_id.map(|id| id.to_string());
        let is_new = self.interrupted || message != self.message;
        if is_new && !self.text.is_empty() {
            self.text.push_str("\n\n");
        }
        self.interrupted = false;
        self.message = message;
        if self.text.len() + text.text.len() > MAX_REPLY {
            self.excess = Some(format!("the agent said more than {MAX_REPLY} bytes in one turn"));
            return;
        }
        self.text.push_str(&text.text);
    }

    fn call(&mut self, id: &ToolCallId) -> Option<&mut Call> {
        if !self.calls.contains_key(id) {
            if self.calls.len() == MAX_CALLS {
                self.excess =
                    Some(format!("the agent reported more than {MAX_CALLS} tool calls in one turn"));
                return None;
            }
            self.interrupted = true;
        }
        let unknown = || Call { reported: ToolCall::new(id.clone(), ""), refused: false };
        Some(self.calls.entry(id.clone()).or_insert_with(unknown))
    }
}

/// The tool and the arguments of a call.
///
/// | the agent reports | tool | arguments |
/// |---|---|---|
/// | raw input `{server, tool, arguments}` | that tool | those arguments |
/// | a name | the name | the raw input |
/// | a title alone | the title | the raw input |
///
/// A name ends after 256 characters.
pub(super) fn identity(call: &ToolCall) -> (&str, Value) {
    let input = call.raw_input.as_ref();
    let mcp = input.and_then(Value::as_object).filter(|input| input.len() == 3).and_then(|input| {
        input.get("server")?.as_str()?;
        Some((input.get("tool")?.as_str()?, input.get("arguments")?.clone()))
    });
    let named = || (call.name.as_deref().unwrap_or(&call.title), input.cloned().unwrap_or_else(|| json!({})));
    let (tool, arguments) = mcp.unwrap_or_else(named);
    let end = tool.char_indices().nth(MAX_NAME).map_or(tool.len(), |(end, _)| end);
    (tool.get(..end).unwrap_or(tool), arguments)
}

fn claimed(call: &ToolCall) -> ClaimedCall {
    let result = call.raw_output.clone().or_else(|| {
        let texts: Vec<&str> = call.content.iter().filter_map(text_of).collect();
        (!texts.is_empty()).then(|| texts.join("\n").into())
    });
    let (tool, args) = identity(call);
    ClaimedCall { tool: tool.to_owned(), args, result }
}

fn text_of(content: &ToolCallContent) -> Option<&str> {
    match content {
        ToolCallContent::Content(Content { content: ContentBlock::Text(text), .. }) => Some(&text.text),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A log after updates as they come over the wire.
    #[expect(clippy::needless_pass_by_value, reason = "`json!(…)` reads best in place")]
    fn log(updates: Value) -> TurnLog {
        let mut log = TurnLog::default();
        for update in updates.as_array().unwrap() {
            log.update(serde_json::from_value(update.clone()).unwrap());
        }
        log
    }

    fn says(kind: &str, text: &str) -> Value {
        json!({"sessionUpdate": kind, "content": {"type": "text", "text": text}})
    }

    #[test]
    fn the_reply_is_what_the_agent_says_and_not_what_it_thinks() {
        let log = log(json!([
            says("agent_thought_chunk", "Hm."),
            says("agent_message_chunk", "75 "),
            says("agent_thought_chunk", "Yes."),
            says("agent_message_chunk", "orders"),
            {"sessionUpdate": "plan", "entries": []},
            says("user_message_chunk", "How many?"),
        ]));
        let concluded = log.conclude(StopReason::EndTurn).unwrap();
        assert_eq!(concluded.reply, AgentReply::says("75 orders"));
        assert_eq!(concluded.warning, None);
    }

    #[test]
    fn a_tool_call_or_another_message_begins_a_paragraph() {
        let message = |id: &str, text: &str| {
            let mut chunk = says("agent_message_chunk", text);
            chunk["messageId"] = id.into();
            chunk
        };
        let log = log(json!([
            message("1", "Let me "), message("1", "look."),
            {"sessionUpdate": "tool_call", "toolCallId": "c", "title": "lookup"},
            {"sessionUpdate": "tool_call_update", "toolCallId": "c", "status": "completed"},
            message("1", "75"), message("1", " orders"),
            message("2", "Bye"),
        ]));
        assert_eq!(
            log.conclude(StopReason::EndTurn).unwrap().reply.content,
            "Let me look.\n\n75 orders\n\nBye"
        );
    }

    #[test]
    fn calls_are_claimed_with_what_their_updates_add() {
        let log = log(json!([
            {"sessionUpdate": "tool_call", "toolCallId": "1", "title": "lookup", "kind": "read"},
            {"sessionUpdate": "tool_call_update", "toolCallId": "1", "rawInput": {"id": 7}, "rawOutput": {"n": 75}},
            {"sessionUpdate": "tool_call_update", "toolCallId": "2", "title": "List", "name": "list", "content": [
                {"type": "content", "content": {"type": "text", "text": "a"}},
                {"type": "diff", "path": "/x", "newText": "y"},
                {"type": "content", "content": {"type": "text", "text": "b"}},
            ]},
        ]));
        let call =
            |tool: &str, args, result| ClaimedCall { tool: tool.to_owned(), args, result: Some(result) };
        let expected =
            [call("lookup", json!({"id": 7}), json!({"n": 75})), call("list", json!({}), json!("a\nb"))];
        assert_eq!(log.conclude(StopReason::EndTurn).unwrap().reply.claimed_calls, expected);
    }

    #[test]
    fn a_call_of_an_mcp_server_is_that_of_its_tool() {
        let input = json!({"server": "crm", "tool": "lookup", "arguments": {"id": 7}});
        for (input, expected) in [
            (input.clone(), ("lookup", json!({"id": 7}))),
            (
                json!({"server": "crm", "tool": "lookup"}),
                ("Look", json!({"server": "crm", "tool": "lookup"})),
            ),
            (json!("plain"), ("Look", json!("plain"))),
        ] {
            assert_eq!(identity(&ToolCall::new("1", "Look").raw_input(input)), expected);
        }
        assert_eq!(identity(&ToolCall::new("1", "Look").name("look".to_owned())), ("look", json!({})));
        let long = "ü".repeat(100_000);
        assert_eq!(identity(&ToolCall::new("1", long.as_str())), ("ü".repeat(256).as_str(), json!({})));
    }

    #[test]
    fn a_request_for_permission_adds_to_what_is_known_of_its_call() {
        let asks = |reported: Value, asked: Value| {
            let mut log = log(reported);
            let call = log.ask(serde_json::from_value(asked).unwrap()).unwrap();
            (call.title.clone(), call.name.clone(), call.raw_input.clone(), call.kind)
        };
        let asked = json!({"toolCallId": "1", "title": "Allow?", "name": "n", "rawInput": {"for": "you"}, "kind": "edit"});
        let known = json!([{"sessionUpdate": "tool_call", "toolCallId": "1", "title": "mail", "kind": "fetch", "rawInput": {"to": "all"}}]);
        let name = Some("n".to_owned());
        let expected = ("mail".to_owned(), name.clone(), Some(json!({"to": "all"})), ToolKind::Fetch);
        assert_eq!(asks(known, asked.clone()), expected);
        let pending =
            json!([{"sessionUpdate": "tool_call", "toolCallId": "1", "title": "mail", "rawInput": {}}]);
        let expected = ("mail".to_owned(), name.clone(), Some(json!({"for": "you"})), ToolKind::Edit);
        assert_eq!(asks(pending, asked.clone()), expected);
        let expected = ("Allow?".to_owned(), name, Some(json!({"for": "you"})), ToolKind::Edit);
        assert_eq!(asks(json!([]), asked), expected);
    }

    #[test]
    fn a_refused_call_is_not_claimed() {
        let mut log = log(json!([{"sessionUpdate": "tool_call", "toolCallId": "1", "title": "mail"}]));
        log.refuse(&ToolCallId::new("1"));
        assert_eq!(log.conclude(StopReason::EndTurn).unwrap().reply, AgentReply::says(""));
    }

    #[test]
    fn every_stop_reason_has_its_end() {
        use StopReason::{Cancelled, EndTurn, MaxTokens, MaxTurnRequests, Refusal};
        let end = |stop, cancelled| {
            let mut log = log(json!([says("agent_message_chunk", "so far")]));
            if cancelled {
                log.cancel();
            }
            log.conclude(stop).map(|concluded| {
                assert_eq!(concluded.reply.content, "so far");
                concluded.warning
            })
        };
        let warning = |text: &str| Ok(Some(text.to_owned()));
        assert_eq!(end(EndTurn, false), Ok(None));
        assert_eq!(end(MaxTokens, false), warning("the agent stopped early: max_tokens"));
        assert_eq!(end(MaxTurnRequests, false), warning("the agent stopped early: max_turn_requests"));
        assert_eq!(end(Refusal, false), warning("the agent refused the turn: refusal"));
        let by_us = "the turn was cancelled by the answer to a request for permission";
        assert_eq!(end(Cancelled, true), warning(by_us));
        let alone = "the agent says that the turn was cancelled, which nobody asked for";
        assert_eq!(end(Cancelled, false), Err(alone.to_owned()));
    }

    #[test]
    fn more_than_a_turn_may_bring_is_an_error() {
        let mut said = TurnLog::default();
        let half = "x".repeat(MAX_REPLY / 2 + 1);
        for _ in 0..2 {
            said.update(serde_json::from_value(says("agent_message_chunk", &half)).unwrap());
        }
        let error = said.conclude(StopReason::EndTurn).unwrap_err();
        assert_eq!(error, "the agent said more than 8388608 bytes in one turn");
        let mut called = TurnLog::default();
        for id in 0..=MAX_CALLS {
            called.update(SessionUpdate::ToolCall(ToolCall::new(id.to_string(), "x")));
        }
        let error = called.conclude(StopReason::EndTurn).unwrap_err();
        assert_eq!(error, "the agent reported more than 10000 tool calls in one turn");
    }
}
