//! Understanding requests.

use axum::http::StatusCode;
use serde::Deserialize;
use serde_json::{Map, Value};

use super::refusal::Refusal;
use crate::endpoint::EndpointRequest;
use crate::exchange::{Message, Tool, ToolCall};
use crate::openai::{Call, text};

/// A request, and how it wants to be answered.
#[derive(Debug, PartialEq)]
pub(super) struct Asked {
    pub(super) request: EndpointRequest,
    pub(super) streams: bool,
}

/// Reads a body.
pub(super) fn read(body: &[u8]) -> Result<Asked, Refusal> {
    let bad = |message: String| Refusal::new(StatusCode::BAD_REQUEST, message);
    let body: Body = serde_json::from_slice(body)
        .map_err(|error| bad(format!("the body is no request for a chat completion: {error}")))?;
    let Body { model, messages, tools, stream, params } = body;
    let tools = tools.into_iter().flatten().enumerate();
    let tools = tools.map(|(place, tool)| tool.read().map_err(|why| bad(format!("tools[{place}]: {why}"))));
    let request = EndpointRequest {
        model,
        messages: messages.into_iter().map(Message::from).collect(),
        tools: tools.collect::<Result<_, _>>()?,
        params: (!params.is_empty()).then_some(Value::Object(params)),
    };
    Ok(Asked { request, streams: stream.unwrap_or(false) })
}

#[derive(Deserialize)]
#[serde(expecting = "a JSON object")]
struct Body {
    model: String,
    messages: Vec<Told>,
    #[serde(default)]
    tools: Option<Vec<Offered>>,
    #[serde(default)]
    stream: Option<bool>,
    /// What only an agent can make sense of.
    #[serde(flatten)]
    params: Map<String, Value>,
}

#[derive(Deserialize)]
struct Told {
    role: String,
    #[serde(default, deserialize_with = "text")]
    content: Option<String>,
    #[serde(default)]
    reasoning_content: Option<String>,
    #[serde(default)]
    reasoning: Option<String>,
    #[serde(default)]
    tool_calls: Option<Vec<Call>>,
    #[serde(default)]
    tool_call_id: Option<String>,
}

impl From<Told> for Message {
    fn from(told: Told) -> Self {
        let Told { role, content, reasoning_content, reasoning, tool_calls, tool_call_id } = told;
        let tool_calls = tool_calls.into_iter().flatten().map(ToolCall::from).collect();
        Self { role, content, reasoning: reasoning_content.or(reasoning), tool_calls, tool_call_id }
    }
}

/// A tool, with its description below `function` or beside its type.
#[derive(Deserialize)]
struct Offered {
    #[serde(rename = "type", default)]
    kind: Option<String>,
    #[serde(default)]
    function: Option<Described>,
    #[serde(flatten)]
    flat: Described,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Described {
    name: Option<String>,
    description: Option<String>,
    parameters: Option<Value>,
    input_schema: Option<Value>,
}

impl Offered {
    fn read(self) -> Result<Tool, String> {
        let Self { kind, function, flat } = self;
        if let Some(kind) = kind.filter(|kind| kind != "function") {
            return Err(format!("agents are told of functions only, found a tool of type \"{kind}\""));
        }
        let Described { name, description, parameters, input_schema } = function.unwrap_or(flat);
        let name =
            name.ok_or("a tool has no name; expected {\"type\": \"function\", \"function\": {\"name\": …}}")?;
        let input_schema = parameters.or(input_schema).unwrap_or_else(|| Value::Object(Map::new()));
        Ok(Tool { name, description, input_schema, ..Tool::default() })
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn ask(body: &Value) -> Result<Asked, String> {
        read(&serde_json::to_vec(body).unwrap()).map_err(|refusal| refusal.message)
    }

    #[test]
    fn a_conversation_with_calls_is_carried_over() {
        let body = json!({
            "model": "helper",
            "messages": [
                {"role": "system", "content": "Be brief."},
                {"role": "user", "content": [{"type": "text", "text": "How "}, {"type": "text", "text": "many?"}], "name": "ann"},
                {"role": "assistant", "content": null, "reasoning_content": "hm", "tool_calls": [
                    {"id": "c1", "type": "function", "function": {"name": "look", "arguments": "{\"a\":1}"}},
                ]},
                {"role": "tool", "tool_call_id": "c1", "content": "7"},
            ],
            "stream": true,
            "temperature": 0.5,
            "stream_options": {"include_usage": true},
        });
        let Asked { request, streams } = ask(&body).unwrap();
        assert!(streams);
        let message = |role: &str, content: Option<&str>| Message {
            role: role.to_owned(),
            content: content.map(str::to_owned),
            ..Message::default()
        };
        let call =
            ToolCall { id: "c1".to_owned(), name: "look".to_owned(), arguments: "{\"a\":1}".to_owned() };
        let expected = EndpointRequest {
            model: "helper".to_owned(),
            messages: vec![
                message("system", Some("Be brief.")),
                message("user", Some("How many?")),
                Message {
                    reasoning: Some("hm".to_owned()),
                    tool_calls: vec![call],
                    ..message("assistant", None)
                },
                Message { tool_call_id: Some("c1".to_owned()), ..message("tool", Some("7")) },
            ],
            tools: Vec::new(),
            params: Some(json!({"temperature": 0.5, "stream_options": {"include_usage": true}})),
        };
        assert_eq!(request, expected);
    }

    #[test]
    fn tools_are_taken_nested_and_flat() {
        let schema = json!({"type": "object"});
        for tool in [
            json!({"type": "function", "function": {"name": "look", "description": "Looks.", "parameters": schema, "strict": true}}),
            json!({"type": "function", "name": "look", "description": "Looks.", "parameters": schema}),
            json!({"name": "look", "description": "Looks.", "input_schema": schema}),
        ] {
            let asked = ask(&json!({"model": "m", "messages": [], "tools": [tool]})).unwrap();
            let expected = Tool {
                name: "look".to_owned(),
                description: Some("Looks.".to_owned()),
                input_schema: schema.clone(),
                ..Tool::default()
            };
            assert_eq!(asked.request.tools, [expected], "{tool}");
            assert_eq!(asked.request.params, None);
            assert!(!asked.streams);
        }
    }

    #[test]
    fn what_is_wrong_with_a_body_is_said() {
        let message = |body: &str| read(body.as_bytes()).unwrap_err().message;
        insta::assert_snapshot!(
            [
                "",
                "[]",
                "{}",
                r#"{"model": "m"}"#,
                r#"{"model": "m", "messages": [{"content": "hi"}]}"#,
                r#"{"model": "m", "messages": [{"role": "user", "content": 7}]}"#,
                r#"{"model": "m", "messages": [], "stream": "yes"}"#,
                r#"{"model": "m", "messages": [], "tools": [{"type": "function"}]}"#,
                r#"{"model": "m", "messages": [], "tools": [{"type": "web_search"}]}"#,
            ]
            .map(message)
            .join("\n"),
            @r#"
            the body is no request for a chat completion: EOF while parsing a value at line 1 column 0
            the body is no request for a chat completion: invalid type: sequence, expected a JSON object at line 1 column 0
            the body is no request for a chat completion: missing field `model` at line 1 column 2
            the body is no request for a chat completion: missing field `messages` at line 1 column 14
            the body is no request for a chat completion: missing field `role` at line 1 column 45
            the body is no request for a chat completion: expected a text, a list of parts, or null at line 1 column 58
            the body is no request for a chat completion: invalid type: string "yes", expected a boolean at line 1 column 46
            tools[0]: a tool has no name; expected {"type": "function", "function": {"name": …}}
            tools[0]: agents are told of functions only, found a tool of type "web_search"
            "#
        );
    }
}
