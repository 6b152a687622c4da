//! Lines that a program answers with.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use windtunnel_api::artifact::trace::Usage;
use windtunnel_api::secret::Redactor;
use windtunnel_spi::{AgentReply, ClaimedCall, Message};

/// Characters of a wrong line that are shown.
const SHOWN: usize = 200;

/// A turn, as the program reads it.
#[derive(Debug, Serialize)]
pub(super) struct PromptLine<'a> {
    pub(super) prompt: &'a str,
    pub(super) session: &'a str,
    pub(super) turn: usize,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) history: Vec<HistoryEntry<'a>>,
}

/// A message before the turn.
#[derive(Debug, Serialize)]
pub(super) struct HistoryEntry<'a> {
    role: windtunnel_api::artifact::evidence::Role,
    content: &'a str,
    #[serde(skip_serializing_if = "<[Value]>::is_empty")]
    tool_calls: &'a [Value],
    #[serde(skip_serializing_if = "Option::is_none")]
    tool_call_id: Option<&'a str>,
}

impl<'a> From<&'a Message> for HistoryEntry<'a> {
    fn from(message: &'a Message) -> Self {
        Self {
            role: message.role,
            content: &message.content,
            tool_calls: &message.tool_calls,
            tool_call_id: message.tool_call_id.as_deref(),
        }
    }
}

#[derive(Debug, Deserialize)]
struct ReplyLine {
    reply: Option<String>,
    #[serde(default)]
    tool_calls: Vec<Call>,
    usage: Option<Usage>,
    error: Option<String>,
    turn: Option<usize>,
}

#[derive(Debug, Deserialize)]
struct Call {
    name: String,
    #[serde(default)]
    arguments: Map<String, Value>,
    result: Option<Value>,
}

/// The answer that a line gives to this turn, or what is wrong with it.
pub(super) fn parse(text: &[u8], turn: usize, redactor: &Redactor) -> Result<AgentReply, String> {
    let shown = || excerpt(text, redactor);
    let line: ReplyLine = match serde_json::from_slice(text) {
        Ok(line) => line,
        Err(error) if text.trim_ascii_start().starts_with(b"{") => {
            return Err(format!("the agent's reply line is wrong: {error}: {}", shown()));
        }
        Err(_) => {
            return Err(format!(
                "the agent printed a line that is no reply: {}; with reply = \"jsonl\" standard output holds one JSON \
                 object per turn, such as {{\"reply\": \"…\"}}, and logs go to standard error",
                shown()
            ));
        }
    };
    if let Some(answered) = line.turn.filter(|answered| *answered != turn) {
        return Err(format!("the agent answered turn {answered} when it was asked turn {turn}: {}", shown()));
    }
    if let Some(error) = line.error {
        return Err(format!("the agent reports: {error}"));
    }
    let content =
        line.reply.ok_or_else(|| format!("the agent's line has neither `reply` nor `error`: {}", shown()))?;
    if content.trim().is_empty() && line.tool_calls.iter().any(|call| call.result.is_none()) {
        return Err(format!(
            "the agent hands over tool_calls and says nothing: {}; `tool_calls` only reports calls that the agent has made itself, and \
             nobody makes them for it: the line is the end of the turn, with the last words of the agent in `reply`",
            shown()
        ));
    }
    let claimed = |call: Call| ClaimedCall {
        tool: call.name,
        args: Value::Object(call.arguments),
        result: call.result,
    };
    let claimed_calls = line.tool_calls.into_iter().map(claimed).collect();
    Ok(AgentReply { content, claimed_calls, usage: line.usage, model_calls: None })
}

/// The beginning of a wrong line.
pub(super) fn excerpt(line: &[u8], redactor: &Redactor) -> String {
    format!("`{}`", redactor.excerpt(&String::from_utf8_lossy(line), SHOWN))
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use windtunnel_api::Secret;

    use super::*;

    fn parse(line: &[u8], turn: usize) -> Result<AgentReply, String> {
        super::parse(line, turn, &Redactor::default())
    }

    #[test]
    fn a_secret_across_the_end_of_what_is_shown_leaves_no_part() {
        let redactor = Redactor::new([Secret::new("canary-canary")]);
        let start = "x".repeat(SHOWN - 3);
        let error = super::parse(format!("{start}canary-canary…").as_bytes(), 1, &redactor).unwrap_err();
        assert!(error.contains(&format!("`{start}***…`")), "{error}");
    }

    #[test]
    fn a_reply_may_report_calls_and_usage() {
        let line = json!({
            "reply": "75", "turn": 2, "extra": [],
            "tool_calls": [{"name": "lookup", "arguments": {"id": 7}, "result": "x"}, {"name": "list"}],
            "usage": {"input_tokens": 3, "output_tokens": 1},
        });
        let reply = parse(line.to_string().as_bytes(), 2).unwrap();
        assert_eq!(reply.content, "75");
        let call = |tool: &str, args, result| ClaimedCall { tool: tool.to_owned(), args, result };
        let expected = [call("lookup", json!({"id": 7}), Some(json!("x"))), call("list", json!({}), None)];
        assert_eq!(reply.claimed_calls, expected);
        assert_eq!(reply.usage, Some(Usage { input_tokens: 3, output_tokens: 1 }));
    }

    #[test]
    fn what_is_wrong_with_a_line_is_told() {
        let table = [
            ("Loading model…", "the agent printed a line that is no reply: `Loading model…`; with reply"),
            (r#"["a"]"#, "the agent printed a line that is no reply"),
            (r#"{"reply": "#, "the agent's reply line is wrong: EOF while parsing"),
            (
                r#"{"reply": 7}"#,
                "the agent's reply line is wrong: invalid type: integer `7`, expected a string",
            ),
            (
                r#"{"reply": "", "tool_calls": [{"name": "x", "arguments": "{}"}]}"#,
                "the agent's reply line is wrong: invalid type: string \"{}\", expected a map",
            ),
            ("{}", "the agent's line has neither `reply` nor `error`: `{}`"),
            (
                r#"{"reply": "", "tool_calls": [{"name": "lookup", "arguments": {"id": 7}}]}"#,
                "the agent hands over tool_calls and says nothing: `{\"reply\": \"\", \"tool_calls\"",
            ),
            (r#"{"error": "out of tokens", "reply": "x"}"#, "the agent reports: out of tokens"),
            (r#"{"reply": "x", "turn": 1}"#, "the agent answered turn 1 when it was asked turn 2"),
        ];
        for (line, expected) in table {
            let error = parse(line.as_bytes(), 2).unwrap_err();
            assert!(error.starts_with(expected), "{error}");
        }
        assert!(parse("x".repeat(100_000).as_bytes(), 1).unwrap_err().len() < 1000);
    }

    #[test]
    fn an_empty_reply_is_one() {
        assert_eq!(parse(br#"{"reply": ""}"#, 1).unwrap(), AgentReply::says(""));
    }
}
