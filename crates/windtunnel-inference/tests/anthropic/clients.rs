//! Requests as real clients send them: a question, and the turn that comes back with a tool's result.

use serde_json::{Value, json};
use windtunnel_api::artifact::evidence::ToolCall;
use windtunnel_api::{Evidence, ReferenceDecision, ReferenceToolCall};

use crate::harness::{Case, says, thinks};

const THOUGHT: &str = "I should look up the weather in Paris first.";

/// What the clients say besides the messages: the SDK, pydantic-ai, langchain-anthropic, and the AI SDK.
fn bodies() -> [(&'static str, Value); 4] {
    let schema = json!({"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]});
    let thinking = json!({"type": "enabled", "budget_tokens": 1024});
    [
        (
            "anthropic",
            json!({
                "max_tokens": 2048, "model": "claude-test", "system": "Be kind.", "thinking": thinking, "stream": true,
                "tools": [{"name": "get_weather", "description": "w", "input_schema": schema}],
            }),
        ),
        (
            "pydantic-ai",
            json!({
                "max_tokens": 64000, "model": "claude-test", "stream": true, "thinking": thinking,
                "system": [{"type": "text", "text": "Be kind."}], "tool_choice": {"type": "auto"},
                "tools": [{"name": "get_weather", "description": "", "input_schema": schema}],
            }),
        ),
        (
            "langchain-anthropic",
            json!({
                "max_tokens": 2048, "model": "claude-test", "system": "Be kind.", "thinking": thinking,
                "tools": [{"name": "get_weather", "input_schema": schema, "description": "w"}],
            }),
        ),
        (
            "ai",
            json!({
                "model": "claude-test", "max_tokens": 64000, "thinking": thinking, "stream": true,
                "system": [{"type": "text", "text": "Be kind."}], "tool_choice": {"type": "auto"},
                "tools": [{
                    "name": "get_weather", "description": "w", "input_schema": schema, "eager_input_streaming": true,
                }],
            }),
        ),
    ]
}

/// How each of them sends the result of the call.
fn results(client: &str, id: &str) -> Value {
    match client {
        "anthropic" | "ai" => json!([{"type": "tool_result", "tool_use_id": id, "content": "21 C"}]),
        "pydantic-ai" => json!([{
            "tool_use_id": id, "type": "tool_result", "content": [{"text": "21 C", "type": "text"}], "is_error": false,
        }]),
        "langchain-anthropic" => {
            json!([{"type": "tool_result", "content": "21 C", "tool_use_id": id, "is_error": false}])
        }
        other => panic!("{other}"),
    }
}

#[tokio::test]
async fn a_tool_turn_of_every_client_is_read_with_its_thinking_and_its_result() {
    for (client, mut body) in bodies() {
        let call =
            ReferenceDecision::calls([ReferenceToolCall::new("get_weather", [("city", "Paris".into())])]);
        let case = Case::of(vec![thinks(THOUGHT, call), says("It is 21 degrees.")]).await;
        let question = json!({"role": "user", "content": [{"type": "text", "text": "Weather?"}]});
        body["messages"] = json!([question]);
        let (thinking, call) = blocks(&case, &body).await;
        let id = call["id"].as_str().unwrap();
        body["messages"] = json!([
            question,
            {"role": "assistant", "content": [thinking, call]},
            {"role": "user", "content": results(client, id)},
        ]);
        let response = case.post(&body).await;
        assert!(response.status().is_success(), "{client}: {}", response.text().await.unwrap());
        let seen = case.served.drain_evidence().unwrap();
        let calls: Vec<&ToolCall> = seen
            .iter()
            .filter_map(|entry| match &entry.value {
                Evidence::ToolCall(call) => Some(call),
                _ => None,
            })
            .collect();
        let [ToolCall { tool, result, error: None, .. }] = calls[..] else { panic!("{client}: {calls:?}") };
        assert_eq!((tool.as_str(), result), ("get_weather", &json!("21 C")), "{client}");
    }
}

/// The thinking and the call of an answer, put together as clients do.
async fn blocks(case: &Case, body: &Value) -> (Value, Value) {
    if body.get("stream").is_none() {
        let answer = case.ask(body).await;
        return (answer["content"][0].clone(), answer["content"][1].clone());
    }
    let mut blocks = Vec::new();
    let mut arguments = String::new();
    for event in case.stream(body).await {
        match event["type"].as_str().unwrap() {
            "content_block_start" => blocks.push(event["content_block"].clone()),
            "content_block_delta" => {
                let Value::Object(delta) = &event["delta"] else { panic!("{event}") };
                for (key, piece) in delta.iter().filter(|(key, _)| *key != "type") {
                    if key == "partial_json" {
                        arguments += piece.as_str().unwrap();
                        continue;
                    }
                    let block = blocks.last_mut().unwrap();
                    block[key] =
                        format!("{}{}", block[key].as_str().unwrap(), piece.as_str().unwrap()).into();
                }
            }
            _ => {}
        }
    }
    let [thinking, call] = &mut blocks[..] else { panic!("{blocks:?}") };
    call["input"] = serde_json::from_str(&arguments).unwrap();
    assert_eq!(thinking["thinking"], THOUGHT);
    (thinking.take(), call.take())
}
