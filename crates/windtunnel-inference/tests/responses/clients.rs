//! The second request of a conversation with two calls, as real clients send it.

use serde_json::{Map, Value, json};
use windtunnel_api::Evidence;

use crate::harness::{Case, Events, calls, says};

/// Bodies by client and version; long instructions are shortened.
fn bodies() -> Map<String, Value> {
    serde_json::from_str(include_str!("clients.json")).unwrap()
}

#[tokio::test]
async fn every_clients_tools_are_offered_and_called_in_its_delivery() {
    for (client, body) in bodies() {
        let case = Case::of(vec![calls()]).await;
        let response = case.post(&body).await;
        assert_eq!(response.status(), 200, "{client}");
        let raw = response.text().await.unwrap();
        let answer = match body["stream"].as_bool() {
            Some(true) => Events::of(&raw).last()["response"].clone(),
            _ => serde_json::from_str(&raw).unwrap(),
        };
        let call = &answer["output"][0];
        assert_eq!((&call["type"], &call["name"]), (&json!("function_call"), &json!("lookup")), "{client}");
        let seen = case.served.drain_evidence().unwrap();
        let Evidence::Inference { messages, tools, .. } = &seen[0].value else { panic!("{client}") };
        assert_eq!(Value::from(messages.clone()), body["input"], "{client}");
        assert_eq!(tools, &["lookup"], "{client}");
    }
}

#[tokio::test]
async fn one_pattern_over_chat_messages_fits_every_client() {
    let called = json!([{"id": "call_wt_1_1", "function": {"name": "lookup", "arguments": "7"}}, {"id": "call_wt_1_2"}]);
    let pattern = json!({"messages": [
        {"role": "user", "content": "^How many"},
        {"role": "assistant", "tool_calls": called},
        {"role": "tool", "tool_call_id": "call_wt_1_1", "content": "order 7 is open$"},
        {"role": "tool", "tool_call_id": "call_wt_1_2", "content": "^order 8 is open$"},
    ]});
    for (client, body) in bodies() {
        let aside = json!([{"pattern": pattern, "content": "Summary"}]);
        let case = Case::with_asides(vec![says("done")], aside).await;
        assert_eq!(case.post(&body).await.status(), 200, "{client}");
        assert_eq!(case.served.progress().asides, 1, "{client}");
    }
}

#[tokio::test]
async fn the_surface_has_the_instructions_and_tools_of_every_client() {
    for (client, body) in bodies() {
        let case = Case::of(vec![calls()]).await;
        case.post(&body).await.bytes().await.unwrap();
        let surface = case.served.surface().unwrap();
        let instructions: Vec<&str> =
            surface.system_instructions.iter().map(|instruction| instruction.content.as_str()).collect();
        let expected: &[&str] = match client.split_once(' ').unwrap().0 {
            "openai-python" => &[],
            "Codex" => &["You are an agent."],
            _ => &["Be kind."],
        };
        assert_eq!(instructions, expected, "{client}");
        let tools = body.get("tools").unwrap_or_else(|| &body["input"][0]["tools"]);
        assert_eq!(&Value::from(surface.tool_definitions), tools, "{client}");
    }
}
