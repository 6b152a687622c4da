//! A script file as an endpoint.

use std::sync::{Arc, Mutex};

use reqwest::StatusCode;
use serde_json::{Value, json};
use windtunnel_inference::serve::{DecisionScript, serve};

use crate::harness::{http, request};

fn script(value: Value) -> DecisionScript {
    serde_json::from_value(value).unwrap()
}

#[tokio::test]
async fn a_script_is_served_at_v1_and_every_request_is_observed() {
    let seen = Arc::new(Mutex::new(Vec::new()));
    let log = Arc::clone(&seen);
    let turns = json!({"turns": [[{"tool_calls": [{"name": "lookup", "arguments": {"id": 7}}]}, {"content": "75"}], [{"content": "bye"}]]});
    let serving = serve(script(turns), "127.0.0.1:0".parse().unwrap(), false, move |request| {
        let answer = request.answer.clone().unwrap_or_default();
        log.lock().unwrap().push(format!(
            "{} {} {} {answer}",
            request.method,
            request.path,
            request.status.unwrap_or_default()
        ));
    })
    .await
    .unwrap();
    let http = http();
    http.get(format!("{}/models", serving.base_url())).send().await.unwrap();
    let mut last = StatusCode::OK;
    for _ in 0..4 {
        let url = format!("{}/chat/completions", serving.base_url());
        last = http.post(url).json(&request()).send().await.unwrap().status();
    }
    assert_eq!(last, StatusCode::BAD_REQUEST, "the script is exhausted");
    assert_eq!(serving.progress().consumed, 3, "turns are served one after the other");
    insta::assert_snapshot!(seen.lock().unwrap().join("\n"), @r#"
    GET /v1/models 200 null
    POST /v1/chat/completions 200 {"tool_calls":[{"id":"call_wt_1_1","name":"lookup","arguments":{"id":7}}]}
    POST /v1/chat/completions 200 {"content":"75"}
    POST /v1/chat/completions 200 {"content":"bye"}
    POST /v1/chat/completions 400 {"refused":"asked for decision 4 of 3"}
    "#);
}

#[tokio::test]
async fn a_script_with_a_fault_says_what_to_write() {
    let mut messages = Vec::new();
    for bad in [
        json!({}),
        json!({"decisions": [{"content": "a"}], "turns": [[{"content": "b"}]]}),
        json!({"decisions": [{}, {"content": "a", "faults": [{"status": 200}]}]}),
        json!({"turns": [[], [{"content": "b"}]]}),
    ] {
        let error = serve(script(bad), "127.0.0.1:0".parse().unwrap(), false, |_| ()).await.err().unwrap();
        messages.push(error.to_string());
    }
    insta::assert_snapshot!(messages.join("\n"), @r#"
    the script: the script has no decisions; write decisions = [{ content = "…" }], or turns with a list per user turn
    the script: turns: expected either decisions or turns, found both; keep one of them
    the script: decisions[0]: the decision neither says nor calls anything; write content, or tool_calls
    the script: decisions[1].faults[0].status: expected an HTTP error status from 400 to 599, found 200; 429 and 503 are the usual ones
    the script: turns[0]: the turn has no decisions; script at least the final answer
    "#);
    let aside =
        json!({"decisions": [{"content": "a"}], "aside": [{"pattern": {"model": "("}, "content": "x"}]});
    let error =
        serve(script(aside), "127.0.0.1:0".parse().unwrap(), false, |_| ()).await.err().unwrap().to_string();
    assert!(error.starts_with("aside[0].pattern: model: invalid regular expression /(/"), "{error}");
}

#[tokio::test]
async fn a_taken_address_is_named() {
    let one = serve(
        script(json!({"decisions": [{"content": "a"}]})),
        "127.0.0.1:0".parse().unwrap(),
        false,
        |_| (),
    )
    .await
    .unwrap();
    let error = serve(script(json!({"decisions": [{"content": "a"}]})), one.address(), false, |_| ())
        .await
        .err()
        .unwrap();
    let message = error.to_string();
    assert!(message.starts_with(&format!("cannot listen on {}: ", one.address())), "{message}");
    assert!(message.ends_with("name a free port, or port 0 for any"), "{message}");
}

#[tokio::test]
async fn dropping_the_value_closes_the_port() {
    let serving = serve(
        script(json!({"decisions": [{"content": "a"}]})),
        "127.0.0.1:0".parse().unwrap(),
        false,
        |_| (),
    )
    .await
    .unwrap();
    let address = serving.address();
    drop(serving);
    for _ in 0..100 {
        if tokio::net::TcpStream::connect(address).await.is_err() {
            return;
        }
        tokio::time::sleep(std::time::Duration::from_millis(10)).await;
    }
    panic!("still listening on {address}");
}
