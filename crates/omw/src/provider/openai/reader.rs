//! Understanding the events of an answer.

use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;
use windtunnel_http::error_message;

use crate::exchange::{ChatDelta, ToolCallDelta};
use crate::openai::{CallNumbers, CallPiece, DONE, TooManyCalls, text};

/// What an event says.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Said {
    /// A piece of the answer.
    Delta(ChatDelta),
    /// Nothing that an agent wants to know.
    Nothing,
    /// The answer is complete.
    Done,
}

/// An event that is no piece of an answer.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Unread {
    /// It is malformed.
    Malformed(String),
    /// It is an error; this is its message.
    Reported(String),
}

impl From<TooManyCalls> for Unread {
    fn from(error: TooManyCalls) -> Self {
        Self::Malformed(error.to_string())
    }
}

/// Reads the data of one event after the other.
#[derive(Debug, Default)]
pub(super) struct Reader {
    calls: CallNumbers,
    is_finished: bool,
}

impl Reader {
    /// Whether the model has said why it stopped: what is missing after that is no part of the answer.
    pub(super) fn is_finished(&self) -> bool {
        self.is_finished
    }

    pub(super) fn read(&mut self, data: &str) -> Result<Said, Unread> {
        let data = data.trim();
        if data.is_empty() {
            return Ok(Said::Nothing);
        }
        if data == DONE {
            return Ok(Said::Done);
        }
        let chunk: Chunk =
            serde_json::from_str(data).map_err(|error| Unread::Malformed(format!("{error} in {data}")))?;
        if chunk.error.is_some() {
            return Err(Unread::Reported(error_message(data.as_bytes())));
        }
        let delta = self.delta(chunk)?;
        Ok(if delta == ChatDelta::default() { Said::Nothing } else { Said::Delta(delta) })
    }

    fn delta(&mut self, chunk: Chunk) -> Result<ChatDelta, Unread> {
        let said = |text: Option<String>| text.filter(|text| !text.is_empty());
        let usage = chunk.usage.map(|usage| usage.get().to_owned());
        // Further choices are other answers to the same question.
        let choices = chunk.choices.into_iter().flatten();
        let Some(choice) = choices.into_iter().find(|choice| choice.index.unwrap_or(0) == 0) else {
            return Ok(ChatDelta { usage, ..ChatDelta::default() });
        };
        let delta = choice.delta.unwrap_or_default();
        let pieces = delta.tool_calls.into_iter().flatten();
        let tool_calls = pieces.map(|piece| Ok(self.calls.take(piece.into())?));
        let tool_calls = tool_calls.collect::<Result<Vec<ToolCallDelta>, Unread>>()?;
        let finish_reason = said(choice.finish_reason);
        self.is_finished |= finish_reason.is_some();
        Ok(ChatDelta {
            content: said(delta.content).or_else(|| said(delta.refusal)),
            reasoning: said(delta.reasoning_content).or_else(|| said(delta.reasoning)),
            tool_calls,
            finish_reason,
            usage,
        })
    }
}

#[derive(Deserialize)]
struct Chunk {
    #[serde(default)]
    choices: Option<Vec<Choice>>,
    #[serde(default)]
    usage: Option<Box<RawValue>>,
    #[serde(default)]
    error: Option<Value>,
}

#[derive(Deserialize)]
struct Choice {
    #[serde(default)]
    index: Option<u64>,
    #[serde(default)]
    delta: Option<Delta>,
    #[serde(default)]
    finish_reason: Option<String>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Delta {
    #[serde(deserialize_with = "text")]
    content: Option<String>,
    refusal: Option<String>,
    reasoning: Option<String>,
    reasoning_content: Option<String>,
    tool_calls: Option<Vec<Piece>>,
}

#[derive(Deserialize)]
struct Piece {
    #[serde(default)]
    index: Option<u32>,
    #[serde(default)]
    id: Option<String>,
    #[serde(default)]
    function: Option<Function>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Function {
    name: Option<String>,
    arguments: Option<String>,
}

impl From<Piece> for CallPiece {
    fn from(Piece { index, id, function }: Piece) -> Self {
        let Function { name, arguments } = function.unwrap_or_default();
        Self { index, id, name, arguments }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn read(chunk: &Value) -> ChatDelta {
        match Reader::default().read(&chunk.to_string()).unwrap() {
            Said::Delta(delta) => delta,
            other => panic!("{other:?}"),
        }
    }

    fn of_delta(delta: &Value) -> Value {
        json!({"choices": [{"index": 0, "delta": delta, "finish_reason": null}], "usage": null})
    }

    #[test]
    fn texts_and_thoughts_are_read_under_every_name_they_have() {
        let delta =
            read(&of_delta(&json!({"role": "assistant", "content": "hi", "reasoning_content": "hm"})));
        assert_eq!((delta.content.as_deref(), delta.reasoning.as_deref()), (Some("hi"), Some("hm")));
        let delta = read(&of_delta(&json!({"content": [{"type": "text", "text": "hi"}], "reasoning": "hm"})));
        assert_eq!((delta.content.as_deref(), delta.reasoning.as_deref()), (Some("hi"), Some("hm")));
        let delta = read(&of_delta(&json!({"content": null, "refusal": "I will not"})));
        assert_eq!(delta.content.as_deref(), Some("I will not"));
    }

    #[test]
    fn what_says_nothing_is_skipped() {
        let mut reader = Reader::default();
        for data in [
            String::new(),
            of_delta(&json!({"role": "assistant", "content": ""})).to_string(),
            json!({"choices": []}).to_string(),
            json!({"choices": null, "prompt_filter_results": []}).to_string(),
            json!({"choices": [{"index": 1, "delta": {"content": "another answer"}}]}).to_string(),
        ] {
            assert_eq!(reader.read(&data).unwrap(), Said::Nothing, "{data}");
        }
        assert!(!reader.is_finished());
        assert_eq!(reader.read(" [DONE]").unwrap(), Said::Done);
    }

    #[test]
    fn usage_and_the_finish_reason_are_kept_as_they_are_written() {
        let mut reader = Reader::default();
        let finish = r#"{"choices": [{"delta": {}, "finish_reason": "stop"}]}"#;
        let Said::Delta(delta) = reader.read(finish).unwrap() else { panic!("a delta") };
        assert_eq!(delta.finish_reason.as_deref(), Some("stop"));
        assert!(reader.is_finished());
        let Said::Delta(delta) = reader.read(r#"{"choices": [], "usage": {"total_tokens": 7}}"#).unwrap()
        else {
            panic!("a delta")
        };
        assert_eq!(
            delta,
            ChatDelta { usage: Some(r#"{"total_tokens": 7}"#.to_owned()), ..ChatDelta::default() }
        );
    }

    #[test]
    fn pieces_of_calls_are_numbered_anew() {
        let mut reader = Reader::default();
        let mut pieces = Vec::new();
        for piece in [
            json!({"index": 1, "id": "c1", "type": "function", "function": {"name": "look", "arguments": ""}}),
            json!({"index": 1, "id": null, "function": {"name": null, "arguments": "{}"}}),
        ] {
            let data = of_delta(&json!({"tool_calls": [piece]})).to_string();
            let Said::Delta(delta) = reader.read(&data).unwrap() else { panic!("a delta") };
            pieces.extend(delta.tool_calls);
        }
        let text = |text: &str| Some(text.to_owned());
        let first = ToolCallDelta { index: 0, id: text("c1"), name: text("look"), arguments: text("") };
        let second = ToolCallDelta { index: 0, id: None, name: None, arguments: text("{}") };
        assert_eq!(pieces, [first, second]);
    }

    #[test]
    fn errors_and_rubbish_in_the_stream_are_told_apart() {
        let mut reader = Reader::default();
        assert_eq!(
            reader.read(r#"{"error": {"message": "overloaded", "type": "server_error"}}"#),
            Err(Unread::Reported("overloaded".to_owned()))
        );
        assert_eq!(
            reader.read("<html>"),
            Err(Unread::Malformed("expected value at line 1 column 1 in <html>".to_owned()))
        );
    }
}
