//! What a session is understood as.

use serde_json::{Value, json};
use windtunnel_api::artifact::evidence::{Evidence, Witness};
use windtunnel_api::{ReferenceDecision, ReferenceToolCall};

use crate::upstream::{Answer, Stage, calls, says};

fn body(messages: impl Into<Value>, tools: &[&str]) -> Value {
    let messages = messages.into();
    let tools: Vec<Value> = tools
        .iter()
        .map(|name| json!({"type": "function", "function": {"name": name, "parameters": {"type": "object"}}}))
        .collect();
    json!({"model": "m", "messages": messages, "tools": tools, "temperature": 0.5})
}

#[tokio::test]
async fn a_refusal_that_calls_tools_or_says_nothing_becomes_what_a_script_can_say() {
    let refusal = |refusal: Value, calls: Value| {
        let message = json!({"role": "assistant", "content": null, "refusal": refusal, "tool_calls": calls});
        json!({"choices": [{"index": 0, "message": message, "finish_reason": "stop"}]})
    };
    let call = json!([{"id": "c1", "type": "function", "function": {"name": "think", "arguments": "{}"}}]);
    let answers = [refusal(json!("No."), call), refusal(json!("No."), Value::Null)];
    let stage = Stage::with(answers.iter().map(|answer| Answer::json(200, answer)).collect()).await;
    let mut messages = vec![json!({"role": "user", "content": "Go"})];
    stage.chat(&body(json!(messages), &["think"])).await;
    messages.push(answers[0]["choices"][0]["message"].clone());
    messages.push(json!({"role": "tool", "tool_call_id": "c1", "content": "hm"}));
    stage.chat(&body(json!(messages), &["think"])).await;
    let session = stage.session().await;
    let refusals: Vec<bool> = session.turns[0].decisions.iter().map(|decision| decision.refusal).collect();
    assert_eq!(refusals, [false, true]);
    assert!(
        session.problems[0].starts_with("a refusal called tools, or said nothing"),
        "{:?}",
        session.problems
    );
    let turns: Vec<_> = session.turns.iter().map(|turn| turn.decisions.clone()).collect();
    assert_eq!(windtunnel_api::scenario::validate_script(&[], &turns), Vec::new());
}

#[tokio::test]
async fn decisions_tool_calls_and_turns_are_found() {
    let answers = [
        calls(&[("c1", "mcp__crm__lookup", json!({"id": 7})), ("c2", "think", json!({}))]),
        says("75 orders"),
        says("You are welcome."),
    ];
    let stage = Stage::with(answers.iter().map(|answer| Answer::json(200, answer)).collect()).await;
    let offered = ["mcp__crm__lookup", "think"];
    let mut messages = vec![
        json!({"role": "system", "content": "Be kind."}),
        json!({"role": "user", "content": "How many?"}),
    ];
    stage.chat(&body(json!(messages), &offered)).await;
    messages.push(answers[0]["choices"][0]["message"].clone());
    messages.push(json!({"role": "tool", "tool_call_id": "c1", "content": "{\"orders\": 75}"}));
    messages.push(json!({"role": "tool", "tool_call_id": "c2", "content": "hm"}));
    stage.chat(&body(json!(messages), &offered)).await;
    messages.push(json!({"role": "assistant", "content": "75 orders"}));
    messages.push(json!({"role": "user", "content": [{"type": "text", "text": "Thanks."}]}));
    stage.chat(&body(json!(messages), &offered)).await;

    let session = stage.session().await;
    assert_eq!(session.problems, Vec::<String>::new());
    let prompts: Vec<&str> = session.turns.iter().map(|turn| turn.prompt.as_str()).collect();
    assert_eq!(prompts, ["How many?", "Thanks."]);
    let expected = [
        ReferenceDecision::calls([
            ReferenceToolCall::new("lookup", [("id", 7.into())]),
            ReferenceToolCall::new::<String>("think", []),
        ]),
        ReferenceDecision::says("75 orders"),
    ];
    assert_eq!(session.turns[0].decisions, expected);
    assert!(session.turns.iter().all(|turn| turn.complete));
    let called: Vec<_> =
        session.calls().map(|call| (call.server.as_str(), call.tool.as_str(), call.witness)).collect();
    assert_eq!(called, [("crm", "lookup", Witness::Seam), ("", "think", Witness::Seam)]);
    let universes = session.universes();
    assert_eq!(universes[0].0.as_deref(), Some("crm"));
    assert_eq!(universes[0].1.recordings[0].result, json!("{\"orders\": 75}"));
    assert!(universes.iter().all(|(_, universe)| universe.validate().is_empty()));
    let kinds: Vec<&str> = session
        .events
        .iter()
        .map(|event| match event {
            Evidence::Inference { .. } => "inference",
            Evidence::ToolCall(_) => "call",
            other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(kinds, ["inference", "call", "call", "inference", "inference"]);
    assert_eq!(session.exchanges[0].request["temperature"], 0.5);
    assert_eq!(session.exchanges[0].request.get("messages"), None, "the events have them");
}

#[tokio::test]
async fn a_call_that_failed_fails_in_the_universe_too() {
    let asks = json!([{"type": "tool_use", "id": "t1", "name": "lookup", "input": {"id": 7}}]);
    let answer = |content: &Value, stop: &str| {
        Answer::json(
            200,
            &json!({
                "id": "msg_1", "type": "message", "role": "assistant", "model": "m", "content": content,
                "stop_reason": stop, "stop_sequence": null, "usage": {"input_tokens": 1, "output_tokens": 1},
            }),
        )
    };
    let says = json!([{"type": "text", "text": "There is no such order."}]);
    let stage = Stage::with(vec![answer(&asks, "tool_use"), answer(&says, "end_turn")]).await;
    let result =
        json!([{"type": "tool_result", "tool_use_id": "t1", "is_error": true, "content": "no order 7"}]);
    let mut messages = vec![json!({"role": "user", "content": "How many?"})];
    for _ in 0..2 {
        let tools = [json!({"name": "lookup", "input_schema": {"type": "object"}})];
        let request = json!({"model": "m", "max_tokens": 9, "messages": messages, "tools": tools});
        stage.post("/messages", &request).await.bytes().await.unwrap();
        messages.push(json!({"role": "assistant", "content": asks}));
        messages.push(json!({"role": "user", "content": result}));
    }
    let session = stage.session().await;
    let called: Vec<_> = session.calls().map(|call| (&call.result, call.error.as_deref())).collect();
    assert_eq!(called, [(&Value::Null, Some("no order 7"))]);
    let universes = session.universes();
    let [(None, universe)] = &universes[..] else { panic!("{universes:?}") };
    let recorded = &universe.recordings[0];
    assert_eq!((&recorded.result, recorded.is_error), (&json!("no order 7"), true));
}

#[tokio::test]
async fn streamed_decisions_are_put_together() {
    let delta = |delta: Value| json!({"id": "x", "object": "chat.completion.chunk", "choices": [{"index": 0, "delta": delta, "finish_reason": null}]});
    let call = |part: Value| delta(json!({"tool_calls": [part]}));
    let events = [
        delta(json!({"role": "assistant", "content": null})),
        call(
            json!({"index": 0, "id": "c1", "type": "function", "function": {"name": "lookup", "arguments": ""}}),
        ),
        call(json!({"index": 0, "function": {"arguments": "{\"id\""}})),
        call(json!({"index": 0, "function": {"arguments": ": 7}"}})),
        json!({"id": "x", "choices": [{"index": 0, "delta": {}, "finish_reason": "tool_calls"}]}),
    ];
    let stage = Stage::with(vec![Answer::events(&events), Answer::json(200, &says("75"))]).await;
    let mut request = body(json!([{"role": "user", "content": "How many?"}]), &["lookup"]);
    request["stream"] = true.into();
    stage.chat(&request).await;
    stage.chat(&body(json!([{"role": "user", "content": "How many?"}]), &["lookup"])).await;
    let session = stage.session().await;
    assert!(session.exchanges[0].streamed && !session.exchanges[1].streamed);
    assert_eq!(
        session.turns[0].decisions[0],
        ReferenceDecision::calls([ReferenceToolCall::new("lookup", [("id", 7.into())])])
    );
}

#[tokio::test]
async fn titles_and_errors_are_no_decisions() {
    let stage = Stage::with(vec![
        Answer::json(200, &says("Orders")),
        Answer::json(503, &json!({"error": {"message": "overloaded"}})),
        Answer::json(200, &says("75 orders")),
    ])
    .await;
    stage
        .chat(&json!({"model": "m", "messages": [{"role": "user", "content": "Title of: How many?"}]}))
        .await;
    for _ in 0..2 {
        stage.chat(&body(json!([{"role": "user", "content": "How many?"}]), &["lookup"])).await;
    }
    let session = stage.session().await;
    assert_eq!(session.turns.len(), 1);
    assert_eq!(session.turns[0].decisions, [ReferenceDecision::says("75 orders")]);
    assert_eq!(session.side[0].asked, "Title of: How many?");
    assert_eq!(session.problems, ["1 request got no answer that can be scripted; the recording says why"]);
    assert_eq!(session.exchanges[1].problem.as_deref(), Some("overloaded"));
}

#[tokio::test]
async fn a_session_that_ends_with_a_call_says_so() {
    let stage = Stage::with(vec![Answer::json(200, &calls(&[("c1", "lookup", json!({}))]))]).await;
    stage.chat(&body(json!([{"role": "user", "content": "How many?"}]), &["lookup"])).await;
    let session = stage.session().await;
    assert!(!session.turns[0].complete);
    assert_eq!(
        session.problems,
        ["1 of 1 turns did not end with an answer; the golden case ends there with a text of ours"]
    );
}
