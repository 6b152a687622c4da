//! JSON-RPC messages as they came: only what routing needs is looked at, everything else stays raw.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::value::RawValue;

/// The newest protocol version that the bench speaks, as a server and as a client.
pub const PROTOCOL_VERSION: &str = "2025-11-25";

/// The message is not JSON-RPC.
pub(crate) const PARSE_ERROR: i32 = -32_700;
/// The request cannot be taken.
pub(crate) const INVALID_REQUEST: i32 = -32_600;
/// The method is not served.
pub(crate) const METHOD_NOT_FOUND: i32 = -32_601;
/// The parameters are wrong.
pub(crate) const INVALID_PARAMS: i32 = -32_602;
/// The server, or the way to it, is gone.
pub(crate) const SERVER_GONE: i32 = -32_000;
/// The request was not answered in time; the code that MCP implementations give it.
pub(crate) const REQUEST_TIMEOUT: i32 = -32_001;
/// The session is not known, or no longer.
pub(crate) const SESSION_GONE: i32 = -32_001;

/// One message, borrowed from its text.
#[derive(Debug)]
pub(crate) enum Message<'a> {
    Request { id: &'a RawValue, method: Cow<'a, str>, params: Option<&'a RawValue> },
    Notification { method: Cow<'a, str>, params: Option<&'a RawValue> },
    Response { id: Option<&'a RawValue>, reply: Reply<'a> },
}

/// What a response says.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Reply<'a> {
    Result(&'a str),
    Error(&'a RawValue),
}

#[derive(Deserialize)]
struct Envelope<'a> {
    #[serde(borrow, default)]
    id: Option<&'a RawValue>,
    #[serde(borrow, default)]
    method: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    params: Option<&'a RawValue>,
    #[serde(borrow, default)]
    result: Option<&'a RawValue>,
    #[serde(borrow, default)]
    error: Option<&'a RawValue>,
}

/// The members of `params` that the relay looks at, whatever the method.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Params<'a> {
    #[serde(borrow, default, rename = "_meta")]
    meta: Option<&'a RawValue>,
    #[serde(borrow, default)]
    pub(crate) progress_token: Option<&'a RawValue>,
    #[serde(borrow, default)]
    pub(crate) request_id: Option<&'a RawValue>,
    #[serde(borrow, default)]
    pub(crate) cursor: Option<&'a RawValue>,
    #[serde(borrow, default)]
    pub(crate) name: Option<&'a RawValue>,
    #[serde(borrow, default)]
    pub(crate) uri: Option<&'a RawValue>,
    #[serde(borrow, default)]
    pub(crate) arguments: Option<&'a RawValue>,
}

/// The members of `_meta` that the relay looks at.
#[derive(Debug, Default, Deserialize)]
pub(crate) struct Meta<'a> {
    #[serde(borrow, default, rename = "progressToken")]
    pub(crate) progress_token: Option<&'a RawValue>,
    #[serde(borrow, default, rename = "io.modelcontextprotocol/protocolVersion")]
    pub(crate) protocol_version: Option<&'a RawValue>,
}

impl<'a> Message<'a> {
    /// Reads one message; the error says why it is none.
    pub(crate) fn parse(text: &'a str) -> Result<Self, String> {
        if !text.trim_start().starts_with('{') {
            return Err("a JSON-RPC message is a JSON object".to_owned());
        }
        let envelope: Envelope<'a> = serde_json::from_str(text).map_err(|error| error.to_string())?;
        let Envelope { id, method, params, result, error } = envelope;
        Ok(match (method, id) {
            (Some(method), Some(id)) => Self::Request { id, method, params },
            (Some(method), None) => Self::Notification { method, params },
            (None, id) => match (error, result) {
                (Some(error), _) => Self::Response { id, reply: Reply::Error(error) },
                (None, Some(result)) => Self::Response { id, reply: Reply::Result(result.get()) },
                // `"result": null` reads like a missing one.
                (None, None) if id.is_some() => Self::Response { id, reply: Reply::Result("null") },
                (None, None) => return Err("it has neither a method, a result nor an error".to_owned()),
            },
        })
    }
}

impl<'a> Params<'a> {
    /// Reads the members; the error says why they cannot be read. Missing parameters are empty ones.
    pub(crate) fn read(params: Option<&'a RawValue>) -> Result<Self, String> {
        match params {
            None => Ok(Self::default()),
            Some(raw) if raw.get().starts_with('{') => {
                serde_json::from_str(raw.get()).map_err(|error| error.to_string())
            }
            Some(_) => Err("params is not an object".to_owned()),
        }
    }

    /// The members of `_meta`; empty where it is missing or no object.
    pub(crate) fn meta(&self) -> Meta<'a> {
        match self.meta {
            Some(raw) if raw.get().starts_with('{') => serde_json::from_str(raw.get()).unwrap_or_default(),
            _ => Meta::default(),
        }
    }
}

/// The text behind a raw JSON string.
pub(crate) fn string(raw: Option<&RawValue>) -> Option<String> {
    serde_json::from_str(raw?.get()).ok()
}

/// The messages of a batch, or the one message that the text is.
pub(crate) fn split(text: &str) -> Result<Vec<&str>, String> {
    if !text.trim_start().starts_with('[') {
        return Ok(vec![text]);
    }
    let batch: Vec<&RawValue> = serde_json::from_str(text).map_err(|error| error.to_string())?;
    if batch.is_empty() {
        return Err("the batch is empty".to_owned());
    }
    Ok(batch.into_iter().map(RawValue::get).collect())
}

/// A request id in the one spelling that two equal ids share.
pub(crate) fn id_key(id: &RawValue) -> String {
    let raw = id.get();
    if raw.contains('\\')
        && let Ok(text) = serde_json::from_str::<String>(raw)
    {
        return serde_json::Value::String(text).to_string();
    }
    raw.to_owned()
}

/// The text with some of its parts replaced. Every part has to be a slice of `text`.
pub(crate) fn splice(text: &str, mut edits: Vec<(&str, &str)>) -> String {
    let offset = |part: &str| part.as_ptr().addr().wrapping_sub(text.as_ptr().addr());
    edits.sort_by_key(|(part, _)| offset(part));
    let mut spliced = String::with_capacity(text.len() + 16);
    let mut at = 0;
    for (part, replacement) in edits {
        let start = offset(part);
        let (Some(kept), true) = (text.get(at..start), start + part.len() <= text.len()) else { continue };
        spliced.push_str(kept);
        spliced.push_str(replacement);
        at = start + part.len();
    }
    spliced.push_str(text.get(at..).unwrap_or_default());
    spliced
}

/// The message on one line: a line break in JSON can only stand between tokens.
pub(crate) fn one_line(text: &str) -> Cow<'_, str> {
    let text = text.trim();
    if text.contains(['\n', '\r']) {
        Cow::Owned(text.replace(['\n', '\r'], " "))
    } else {
        Cow::Borrowed(text)
    }
}

/// An error response; `id` is raw JSON.
pub(crate) fn error(id: &str, code: i32, message: &str) -> String {
    let message = serde_json::Value::from(message);
    format!(r#"{{"jsonrpc":"2.0","id":{id},"error":{{"code":{code},"message":{message}}}}}"#)
}

/// A response; `id` and `result` are raw JSON.
pub(crate) fn result(id: &str, result: &str) -> String {
    format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{result}}}"#)
}

/// The text of a JSON-RPC error object.
pub(crate) fn error_text(error: &RawValue) -> String {
    #[derive(Deserialize)]
    struct Object<'a> {
        #[serde(borrow)]
        message: Cow<'a, str>,
    }
    serde_json::from_str::<Object<'_>>(error.get())
        .map_or_else(|_| error.get().to_owned(), |object| object.message.into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_of_messages_are_told_apart() {
        let table = [
            (r#"{"id":1,"method":"a"}"#, "Request"),
            (r#"{"method":"a","id":null}"#, "Notification"),
            (r#"{"id":"x","result":{}}"#, "Response"),
            (r#"{"id":"x","result":null}"#, "Response"),
            (r#"{"id":null,"error":{"code":1,"message":"m"}}"#, "Response"),
        ];
        for (text, expected) in table {
            let message = format!("{:?}", Message::parse(text).unwrap());
            assert!(message.starts_with(expected), "{text}: {message}");
        }
        for text in ["{}", "7", "", "[1]", r#"{"id":1,"id":2,"method":"a"}"#, r#"{"method":"a"} x"#] {
            assert!(Message::parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn splicing_keeps_every_other_byte() {
        let text =
            r#"{ "x":1.0 , "id" :"a", "params":{"_meta":{"progressToken": 7 }, "é":"\u0041"},"method":"m" }"#;
        let Message::Request { id, params, .. } = Message::parse(text).unwrap() else { panic!("a request") };
        let token = Params::read(params).unwrap().meta().progress_token.unwrap();
        assert_eq!(
            splice(text, vec![(token.get(), "41"), (id.get(), "40")]),
            r#"{ "x":1.0 , "id" :40, "params":{"_meta":{"progressToken": 41 }, "é":"\u0041"},"method":"m" }"#
        );
    }

    #[test]
    fn a_part_of_another_text_is_left_alone() {
        assert_eq!(splice("abc", vec![("zzz", "y")]), "abc");
    }

    #[test]
    fn equal_ids_share_a_key() {
        let raw = |text: &str| RawValue::from_string(text.to_owned()).unwrap();
        assert_eq!(id_key(&raw(r#""\u0041""#)), id_key(&raw(r#""A""#)));
        assert_ne!(id_key(&raw("1")), id_key(&raw(r#""1""#)));
    }

    #[test]
    fn batches_are_split_and_lines_joined() {
        assert_eq!(split(r#" [{"a":1}, {"b":2}]"#).unwrap(), [r#"{"a":1}"#, r#"{"b":2}"#]);
        assert_eq!(split("{}").unwrap(), ["{}"]);
        assert!(split("[]").is_err());
        assert_eq!(one_line("{\r\n \"a\": 1\n}\n"), "{   \"a\": 1 }");
    }
}
