//! Tools of every kind: how they are offered, called and answered.

use serde_json::{Value, json};
use windtunnel_api::artifact::evidence::{ToolCall, Witness};
use windtunnel_api::{Evidence, ReferenceDecision, ReferenceToolCall};

use crate::harness::{Case, calls, request, request_with, says};

fn call(name: &str, arguments: Value) -> ReferenceToolCall {
    let Value::Object(arguments) = arguments else { panic!("an object") };
    ReferenceToolCall { name: name.to_owned(), arguments }
}

#[tokio::test]
async fn scripted_names_go_out_as_the_agent_offers_them() {
    let tools = json!([{"type": "function", "name": "mcp__crm__lookup"}, {"type": "web_search"}]);
    let answer = Case::of(vec![calls()]).await.ask(&request_with(json!({"tools": tools}))).await;
    assert_eq!(answer["output"][0]["name"], "mcp__crm__lookup");
}

#[tokio::test]
async fn a_custom_tool_is_called_with_the_text_of_the_argument_input() {
    let decision = ReferenceDecision::calls([call("exec", json!({"input": "const orders = await list();"}))]);
    let case = Case::of(vec![decision.clone(), decision]).await;
    let tools = json!([{"type": "custom", "name": "exec", "format": {"type": "text"}}]);
    let answer = case.ask(&request_with(json!({"tools": tools}))).await;
    let item = json!({
        "type": "custom_tool_call", "id": "ctc_wt_1_1", "status": "completed",
        "call_id": "call_wt_1_1", "name": "exec", "input": "const orders = await list();",
    });
    assert_eq!(answer["output"], json!([item]));

    let events = case.stream(&request_with(json!({"tools": tools, "stream": true}))).await;
    assert_eq!(events.named("output_item.added")[0]["item"]["input"], "");
    assert_eq!(events.joined("custom_tool_call_input.delta"), "const orders = await list();");
    assert_eq!(events.named("custom_tool_call_input.done")[0]["input"], "const orders = await list();");
    assert_eq!(events.named("output_item.done")[0]["item"]["input"], "const orders = await list();");
}

#[tokio::test]
async fn tools_of_a_namespace_are_called_by_their_own_name_within_it() {
    let case = Case::of(vec![calls()]).await;
    let tools = json!([{"type": "namespace", "name": "mcp__crm", "description": "", "tools": [{"type": "function", "name": "lookup"}]}]);
    let answer = case.ask(&request_with(json!({"tools": tools}))).await;
    assert_eq!(
        (&answer["output"][0]["name"], &answer["output"][0]["namespace"]),
        (&json!("lookup"), &json!("mcp__crm"))
    );
}

#[tokio::test]
async fn tools_that_come_as_an_input_item_are_offered() {
    let decision = ReferenceDecision::calls([call("exec", json!({"input": "1"})), call("lookup", json!({}))]);
    let case = Case::of(vec![decision]).await;
    let tools = json!([
        {"type": "namespace", "name": "functions", "tools": [{"type": "custom", "name": "exec"}]},
        {"type": "function", "name": "lookup"},
    ]);
    let answer = case
        .ask(&json!({"model": "m", "input": [
            {"type": "additional_tools", "role": "developer", "tools": tools},
            {"role": "user", "content": [{"type": "input_text", "text": "How many?"}]},
        ]}))
        .await;
    let kinds: Vec<&Value> = answer["output"].as_array().unwrap().iter().map(|item| &item["type"]).collect();
    assert_eq!(kinds, ["custom_tool_call", "function_call"]);
    let Evidence::Inference { tools, .. } = &case.served.drain_evidence().unwrap()[0].value else { panic!() };
    assert_eq!(tools, &["exec", "lookup"]);
}

#[tokio::test]
async fn a_tool_that_is_not_offered_is_a_400_that_lists_what_was() {
    let case = Case::of(vec![calls()]).await;
    // The form of Chat Completions, which providers refuse here too.
    let tools = json!([{"type": "function", "function": {"name": "lookup"}}]);
    let response = case.post(&request_with(json!({"tools": tools}))).await;
    assert_eq!(response.status(), 400);
    assert_eq!(response.headers()["x-should-retry"], "false");
    insta::assert_snapshot!(case.served.progress().violations[0], @"decision 1 calls `lookup`, but no offered tool has that name; the request offers nothing");
}

#[tokio::test]
async fn results_of_the_agents_own_tools_are_witnessed_whatever_their_form() {
    let decision = ReferenceDecision::calls([
        call("think", json!({"about": "orders"})),
        call("exec", json!({"input": "1 + 1"})),
    ]);
    let case = Case::of(vec![decision, says("done")]).await;
    let tools = json!([{"type": "function", "name": "think"}, {"type": "custom", "name": "exec"}]);
    case.ask(&request_with(json!({"tools": tools}))).await;
    case.ask(&request_with(json!({"tools": tools, "input": [
        {"type": "function_call_output", "call_id": "call_wt_1_1", "output": [{"type": "input_text", "text": "hm"}]},
        {"type": "custom_tool_call_output", "call_id": "call_wt_1_2", "output": "2"},
    ]})))
    .await;
    let seen = case.served.drain_evidence().unwrap();
    let calls: Vec<(&str, &Value, &Value)> = seen
        .iter()
        .filter_map(|entry| match &entry.value {
            Evidence::ToolCall(ToolCall { tool, args, result, witness: Witness::Seam, .. }) => {
                Some((tool.as_str(), args, result))
            }
            _ => None,
        })
        .collect();
    assert_eq!(
        calls,
        [
            ("think", &json!({"about": "orders"}), &json!("hm")),
            ("exec", &json!({"input": "1 + 1"}), &json!("2"))
        ]
    );
}

#[tokio::test]
async fn asking_beyond_the_script_is_a_400_that_is_not_to_be_retried() {
    let case = Case::of(vec![says("done")]).await;
    case.ask(&request()).await;
    let response = case.post(&request()).await;
    assert_eq!(response.status(), 400);
    assert_eq!(response.headers()["x-should-retry"], "false");
    insta::assert_snapshot!(response.text().await.unwrap(), @r#"{"error":{"message":"the script has no answer: asked for decision 2 of 1","type":"invalid_request_error","param":null,"code":null}}"#);
}
