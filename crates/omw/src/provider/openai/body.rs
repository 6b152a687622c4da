//! What is sent.

use serde::Serialize;
use serde_json::{Map, Value};

use super::failure::Failure;
use crate::exchange::{ChatRequest, Message, Tool};
use crate::openai::{Call, Kind};

/// A request's body: the provider's own parameters, replaced by those of the request, replaced by what an agent says itself.
#[derive(Serialize)]
pub(super) struct Body {
    model: String,
    messages: Vec<Told>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tools: Vec<Offered>,
    stream: bool,
    #[serde(flatten)]
    params: Map<String, Value>,
}

impl Body {
    pub(super) fn new(request: ChatRequest, defaults: &Map<String, Value>) -> Result<Self, Failure> {
        let ChatRequest { model, messages, tools, params } = request;
        let own = match params {
            None | Some(Value::Null) => Map::new(),
            Some(Value::Object(own)) => own,
            Some(other) => {
                let reason = format!("params have to be a map of further members of the body, found {other}");
                return Err(Failure::Unasked(reason));
            }
        };
        let mut params = defaults.clone();
        params.extend(own);
        // A provider's own tools may stand in the parameters; an agent's go before them.
        let taken = ["model", "messages", "stream"].into_iter().chain((!tools.is_empty()).then_some("tools"));
        for member in taken {
            params.shift_remove(member);
        }
        Ok(Self {
            model,
            messages: messages.into_iter().map(Told::from).collect(),
            tools: tools.into_iter().map(Offered::from).collect(),
            stream: true,
            params,
        })
    }
}

/// A message. What a model thought is not told to it again: most servers refuse members that they do not know.
#[derive(Serialize)]
struct Told {
    role: String,
    content: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tool_calls: Vec<Call>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tool_call_id: Option<String>,
}

impl From<Message> for Told {
    fn from(message: Message) -> Self {
        let Message { role, content, reasoning: _, tool_calls, tool_call_id } = message;
        // Only an assistant may say nothing.
        let content = if role == "assistant" { content } else { Some(content.unwrap_or_default()) };
        Self { role, content, tool_calls: tool_calls.into_iter().map(Call::from).collect(), tool_call_id }
    }
}

#[derive(Serialize)]
struct Offered {
    #[serde(rename = "type")]
    kind: Kind,
    function: Function,
}

#[derive(Serialize)]
struct Function {
    name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    description: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    parameters: Option<Value>,
}

impl From<Tool> for Offered {
    fn from(Tool { name, description, input_schema, .. }: Tool) -> Self {
        // Left out, they are an empty list of parameters; an empty schema is refused by some.
        let parameters = Some(input_schema).filter(|schema| *schema != Value::Object(Map::new()));
        Self { kind: Kind::Function, function: Function { name, description, parameters } }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::exchange::ToolCall;

    fn map(value: Value) -> Map<String, Value> {
        let Value::Object(map) = value else { panic!("an object") };
        map
    }

    #[test]
    fn what_an_agent_says_goes_before_its_params_and_these_before_the_provider_s() {
        let request = ChatRequest {
            model: "m".to_owned(),
            messages: vec![
                Message { role: "user".to_owned(), content: Some("hi".to_owned()), ..Message::default() },
                Message {
                    role: "assistant".to_owned(),
                    reasoning: Some("hm".to_owned()),
                    tool_calls: vec![ToolCall {
                        id: "c1".to_owned(),
                        name: "look".to_owned(),
                        arguments: String::new(),
                    }],
                    ..Message::default()
                },
                Message {
                    role: "tool".to_owned(),
                    tool_call_id: Some("c1".to_owned()),
                    ..Message::default()
                },
            ],
            tools: vec![
                Tool { name: "look".to_owned(), input_schema: json!({}), ..Tool::default() },
                Tool {
                    name: "find".to_owned(),
                    description: Some("Finds.".to_owned()),
                    input_schema: json!({"type": "object"}),
                    ..Tool::default()
                },
            ],
            params: Some(
                json!({"temperature": 1, "stream": false, "model": "other", "tools": [], "seed": 7}),
            ),
        };
        let defaults = map(json!({"temperature": 0, "top_p": 0.5, "messages": []}));
        assert_eq!(
            serde_json::to_value(Body::new(request, &defaults).unwrap()).unwrap(),
            json!({
                "model": "m",
                "messages": [
                    {"role": "user", "content": "hi"},
                    {"role": "assistant", "content": null, "tool_calls": [
                        {"id": "c1", "type": "function", "function": {"name": "look", "arguments": "{}"}},
                    ]},
                    {"role": "tool", "content": "", "tool_call_id": "c1"},
                ],
                "tools": [
                    {"type": "function", "function": {"name": "look"}},
                    {"type": "function", "function": {"name": "find", "description": "Finds.", "parameters": {"type": "object"}}},
                ],
                "stream": true,
                "temperature": 1,
                "top_p": 0.5,
                "seed": 7,
            })
        );
    }

    #[test]
    fn tools_of_the_params_stay_where_an_agent_offers_none() {
        let defaults = map(json!({"tools": [{"type": "web_search"}]}));
        let body = serde_json::to_value(Body::new(ChatRequest::default(), &defaults).unwrap()).unwrap();
        assert_eq!(body["tools"], json!([{"type": "web_search"}]));
    }

    #[test]
    fn params_that_are_no_map_are_refused() {
        let request = ChatRequest { params: Some(json!([1])), ..ChatRequest::default() };
        let error = Body::new(request, &Map::new()).err().unwrap();
        assert_eq!(
            error.to_string(),
            "no request can be made: params have to be a map of further members of the body, found [1]"
        );
    }
}
