//! What an answer has to be. Every rule has a name, and every breach says where, what was expected and what was found.

use std::fmt;

use reqwest::StatusCode;
use serde_json::{Map, Value};
use windtunnel_api::secret::Redactor;
use windtunnel_spi::ClaimedCall;

use super::exchange::Answer;
use super::protocol::VERSION;

/// Characters of a wrong value that are shown.
const SHOWN: usize = 120;

/// A rule of the contract.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Rule {
    NoRedirect,
    Status,
    ContentType,
    Json,
    Version,
    Reply,
    ToolCalls,
    CallNames,
    CallArguments,
    Error,
    DecisionsLeft,
}

impl Rule {
    /// All of them, in the order in which they are looked at.
    pub(super) const ALL: [Self; 11] = [
        Self::NoRedirect,
        Self::Status,
        Self::ContentType,
        Self::Json,
        Self::Version,
        Self::Reply,
        Self::ToolCalls,
        Self::CallNames,
        Self::CallArguments,
        Self::Error,
        Self::DecisionsLeft,
    ];

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::NoRedirect => "no-redirect",
            Self::Status => "status",
            Self::ContentType => "content-type",
            Self::Json => "json",
            Self::Version => "version",
            Self::Reply => "reply",
            Self::ToolCalls => "tool-calls",
            Self::CallNames => "call-names",
            Self::CallArguments => "call-arguments",
            Self::Error => "error",
            Self::DecisionsLeft => "decisions-left",
        }
    }

    pub(super) fn demand(self) -> &'static str {
        match self {
            Self::NoRedirect => "answers are not redirects",
            Self::Status => "a turn is answered with status 200, also one that fails in the agent",
            Self::ContentType => "answers say that they are application/json",
            Self::Json => "answers are JSON objects",
            Self::Version => "answers say wt_inject = 1",
            Self::Reply => "reply is a text",
            Self::ToolCalls => "tool_calls is a list, also when it is empty",
            Self::CallNames => "every tool call has a name",
            Self::CallArguments => "arguments are JSON objects, not texts that hold JSON",
            Self::Error => "error is a text or null",
            Self::DecisionsLeft => "decisions_left, where it is told, is a whole number",
        }
    }

    /// Whether an answer that breaks it cannot be read further.
    pub(super) fn ends_reading(self) -> bool {
        matches!(self, Self::NoRedirect | Self::Status | Self::ContentType | Self::Json)
    }
}

/// A broken rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Breach {
    pub(super) rule: Rule,
    /// The JSON path, where it is about a field.
    at: String,
    expected: &'static str,
    found: String,
}

impl fmt::Display for Breach {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { at, expected, found, .. } = self;
        if at.is_empty() {
            write!(f, "expected {expected}, found {found}")
        } else {
            write!(f, "{at}: expected {expected}, found {found}")
        }
    }
}

/// An answer to a turn that keeps the contract.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Reply {
    pub(super) text: String,
    pub(super) calls: Vec<ClaimedCall>,
    /// What the agent says went wrong.
    pub(super) error: Option<String>,
    /// Decisions of the script that were not asked for yet, where the endpoint tells.
    pub(super) decisions_left: Option<usize>,
}

/// An answer to a turn as it was read.
#[derive(Debug, Clone, Default)]
pub(super) struct Reading {
    /// As far as it could be read.
    pub(super) reply: Reply,
    /// Every rule that it breaks.
    pub(super) breaches: Vec<Breach>,
    /// How many tool calls were reported, well or not.
    pub(super) calls: usize,
}

/// Reads the answer to a turn, to the last breach in it.
pub(super) fn read(answer: &Answer, redactor: &Redactor) -> Reading {
    match object(answer, redactor) {
        Ok(body) => Reader { redactor, reading: Reading::default() }.read(&body),
        Err(breach) => Reading { breaches: vec![breach], ..Reading::default() },
    }
}

/// The JSON object of an answer with status 200.
pub(super) fn object(answer: &Answer, redactor: &Redactor) -> Result<Map<String, Value>, Breach> {
    let breach = |rule, expected, found| Err(Breach { rule, at: String::new(), expected, found });
    let body = || excerpt(&answer.body, redactor);
    if answer.status.is_redirection() {
        let to = answer.location.as_ref().map_or_else(String::new, |to| format!(" to {}", redactor.text(to)));
        let found = format!(
            "{}{to}; redirects are not followed, so write the final address into `url`",
            answer.status
        );
        return breach(Rule::NoRedirect, "status 200", found);
    }
    if answer.status != StatusCode::OK {
        let found = format!(
            "{}: {}; what goes wrong in the agent is told in `error`, with status 200",
            answer.status,
            body()
        );
        return breach(Rule::Status, "status 200", found);
    }
    let content_type = answer.content_type.as_deref();
    if content_type != Some("application/json") {
        let found = match content_type {
            Some(other) => format!("`{}`: {}", redactor.excerpt(other, SHOWN), body()),
            None => format!("none: {}", body()),
        };
        return breach(Rule::ContentType, "content-type application/json", found);
    }
    match serde_json::from_slice(&answer.body) {
        Ok(Value::Object(object)) => Ok(object),
        Ok(other) => breach(Rule::Json, "a JSON object", shown(&other, redactor)),
        Err(error) => breach(Rule::Json, "a JSON object", format!("{} ({error})", body())),
    }
}

/// Whether a status says that there is no such route, or that it is not offered.
pub(super) fn is_absent(status: StatusCode) -> bool {
    matches!(status, StatusCode::NOT_FOUND | StatusCode::NOT_IMPLEMENTED)
}

struct Reader<'a> {
    redactor: &'a Redactor,
    reading: Reading,
}

impl Reader<'_> {
    fn read(mut self, body: &Map<String, Value>) -> Reading {
        match body.get("wt_inject") {
            Some(version) if version.as_u64() == Some(VERSION) => {}
            version => self.breach(Rule::Version, "wt_inject", "1", version),
        }
        let error = match body.get("error") {
            None | Some(Value::Null) => None,
            Some(Value::String(error)) if !error.trim().is_empty() => Some(error.clone()),
            other => {
                self.breach(Rule::Error, "error", "a text that says what went wrong, or null", other);
                None
            }
        };
        match body.get("reply") {
            Some(Value::String(text)) => text.clone_into(&mut self.reading.reply.text),
            // An agent that failed has nothing to say.
            None | Some(Value::Null) if error.is_some() => {}
            other => self.breach(Rule::Reply, "reply", "a text", other),
        }
        self.reading.reply.error = error;
        match body.get("tool_calls") {
            Some(Value::Array(calls)) => {
                self.reading.calls = calls.len();
                for (index, call) in calls.iter().enumerate() {
                    self.call(index, call);
                }
            }
            other => self.breach(Rule::ToolCalls, "tool_calls", "a list, also when it is empty", other),
        }
        match body.get("decisions_left") {
            None | Some(Value::Null) => {}
            Some(left) => match left.as_u64().and_then(|left| usize::try_from(left).ok()) {
                Some(left) => self.reading.reply.decisions_left = Some(left),
                None => self.breach(Rule::DecisionsLeft, "decisions_left", "a whole number", Some(left)),
            },
        }
        self.reading
    }

    fn call(&mut self, index: usize, call: &Value) {
        let at = format!("tool_calls[{index}]");
        let Some(call) = call.as_object() else {
            return self.breach(Rule::ToolCalls, &at, "an object with name and arguments", Some(call));
        };
        let name = call.get("name").and_then(Value::as_str).filter(|name| !name.trim().is_empty());
        if name.is_none() {
            self.breach(Rule::CallNames, &format!("{at}.name"), "a tool's name", call.get("name"));
        }
        let arguments = call.get("arguments").filter(|arguments| arguments.is_object());
        if arguments.is_none() {
            let expected = match call.get("arguments") {
                Some(Value::String(_)) => "a JSON object, not a text that holds one",
                _ => "a JSON object",
            };
            self.breach(Rule::CallArguments, &format!("{at}.arguments"), expected, call.get("arguments"));
        }
        if let (Some(name), Some(arguments)) = (name, arguments) {
            self.reading.reply.calls.push(ClaimedCall {
                tool: name.to_owned(),
                args: arguments.clone(),
                result: None,
            });
        }
    }

    fn breach(&mut self, rule: Rule, at: &str, expected: &'static str, found: Option<&Value>) {
        let found = found.map_or_else(|| "nothing".to_owned(), |found| shown(found, self.redactor));
        self.reading.breaches.push(Breach { rule, at: format!("`{at}`"), expected, found });
    }
}

/// A wrong value as messages show it.
pub(super) fn shown(value: &Value, redactor: &Redactor) -> String {
    format!("`{}`", redactor.excerpt(&value.to_string(), SHOWN))
}

/// The beginning of a body that is no answer.
pub(super) fn excerpt(body: &[u8], redactor: &Redactor) -> String {
    let text = String::from_utf8_lossy(body);
    if text.trim().is_empty() {
        "nothing".to_owned()
    } else {
        format!("`{}`", redactor.excerpt(&text, SHOWN))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use windtunnel_api::Secret;

    use super::*;

    fn answer(status: u16, content_type: Option<&str>, body: &str) -> Answer {
        Answer {
            status: StatusCode::from_u16(status).unwrap(),
            content_type: content_type.map(str::to_owned),
            location: None,
            body: body.as_bytes().to_vec(),
        }
    }

    fn breaches(answer: &Answer) -> Vec<String> {
        let reading = read(answer, &Redactor::new([Secret::new("canary-canary")]));
        reading.breaches.iter().map(|breach| format!("{}: {breach}", breach.rule.name())).collect()
    }

    fn of_body(body: &Value) -> Vec<String> {
        breaches(&answer(200, Some("application/json"), &body.to_string()))
    }

    #[test]
    fn an_answer_may_report_calls_and_more_than_we_know() {
        let body = json!({
            "wt_inject": 1, "reply": "75", "error": null, "model": "m", "decisions_left": 2,
            "tool_calls": [{"name": "lookup", "arguments": {"id": 7}, "result": "x"}],
        });
        let reading = read(&answer(200, Some("application/json"), &body.to_string()), &Redactor::default());
        assert_eq!(reading.breaches, []);
        let call = ClaimedCall { tool: "lookup".to_owned(), args: json!({"id": 7}), result: None };
        let expected =
            Reply { text: "75".to_owned(), calls: vec![call], error: None, decisions_left: Some(2) };
        assert_eq!(reading.reply, expected);
    }

    #[test]
    fn an_agent_that_failed_says_so_and_need_not_reply() {
        let body = json!({"wt_inject": 1, "error": "the model is busy", "tool_calls": []}).to_string();
        let reading = read(&answer(200, Some("application/json"), &body), &Redactor::default());
        assert_eq!(reading.breaches, []);
        assert_eq!(reading.reply.error.as_deref(), Some("the model is busy"));
    }

    #[test]
    fn every_breach_of_an_answer_is_told_at_once() {
        let body = json!({
            "wt_inject": "1", "reply": 75, "error": "", "decisions_left": -1,
            "tool_calls": [{"name": "", "arguments": "{\"id\": 7}"}, {"name": 7}, "lookup"],
        });
        insta::assert_snapshot!(of_body(&body).join("\n"), @r#"
        version: `wt_inject`: expected 1, found `"1"`
        error: `error`: expected a text that says what went wrong, or null, found `""`
        reply: `reply`: expected a text, found `75`
        call-names: `tool_calls[0].name`: expected a tool's name, found `""`
        call-arguments: `tool_calls[0].arguments`: expected a JSON object, not a text that holds one, found `"{\"id\": 7}"`
        call-names: `tool_calls[1].name`: expected a tool's name, found `7`
        call-arguments: `tool_calls[1].arguments`: expected a JSON object, found nothing
        tool-calls: `tool_calls[2]`: expected an object with name and arguments, found `"lookup"`
        decisions-left: `decisions_left`: expected a whole number, found `-1`
        "#);
        insta::assert_snapshot!(of_body(&json!({})).join("\n"), @"
        version: `wt_inject`: expected 1, found nothing
        reply: `reply`: expected a text, found nothing
        tool-calls: `tool_calls`: expected a list, also when it is empty, found nothing
        ");
    }

    #[test]
    fn what_is_no_answer_is_told_by_its_first_breach() {
        let mut moved = answer(307, None, "");
        moved.location = Some("http://127.0.0.1:1/agent/wt/inject".to_owned());
        let json = Some("application/json");
        let table = [
            moved,
            answer(500, json, r#"{"detail": "canary-canary: no model"}"#),
            answer(204, None, ""),
            answer(200, Some("text/html"), "<h1>Hello</h1>"),
            answer(200, None, "{}"),
            answer(200, json, "{\"reply\": "),
            answer(200, json, "[1]"),
            answer(200, json, ""),
            answer(200, json, &"x".repeat(100_000)),
        ];
        let told: Vec<String> = table.iter().flat_map(breaches).collect();
        insta::assert_snapshot!(told.join("\n"), @r#"
        no-redirect: expected status 200, found 307 Temporary Redirect to http://127.0.0.1:1/agent/wt/inject; redirects are not followed, so write the final address into `url`
        status: expected status 200, found 500 Internal Server Error: `{"detail": "***: no model"}`; what goes wrong in the agent is told in `error`, with status 200
        status: expected status 200, found 204 No Content: nothing; what goes wrong in the agent is told in `error`, with status 200
        content-type: expected content-type application/json, found `text/html`: `<h1>Hello</h1>`
        content-type: expected content-type application/json, found none: `{}`
        json: expected a JSON object, found `{"reply":` (EOF while parsing a value at line 1 column 10)
        json: expected a JSON object, found `[1]`
        json: expected a JSON object, found nothing (EOF while parsing a value at line 1 column 0)
        json: expected a JSON object, found `xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…` (expected value at line 1 column 1)
        "#);
    }
}
