//! Decisions in the place of the endpoint's model.

use std::collections::VecDeque;
use std::sync::Mutex;

use axum::http::StatusCode;
use axum::response::IntoResponse;
use serde_json::{Value, json};
use windtunnel_api::{ReferenceCase, ReferenceDecision, ReferenceKind};
use windtunnel_spi::{AgentHandle, AgentRuntime};

use crate::support::{Endpoint, config, ok, plugin, replies, say, status};

/// An endpoint that answers with the texts of the decisions it was given, and without any with its own model's.
async fn scriptable(tells_what_is_left: bool) -> Endpoint {
    let script: Mutex<Option<VecDeque<Value>>> = Mutex::new(None);
    Endpoint::serve(move |path, body| {
        let mut script = script.lock().unwrap();
        match path {
            "/wt/reference" => {
                if let Some(decisions) = body["decisions"].as_array() {
                    *script = (!decisions.is_empty()).then(|| decisions.iter().cloned().collect());
                }
                status(204)
            }
            "/wt/inject" => match script.as_mut().map(VecDeque::pop_front) {
                None => replies("my own words"),
                Some(None) => ok(
                    &json!({"wt_inject": 1, "reply": null, "tool_calls": [], "error": "asked beyond the script"}),
                ),
                Some(Some(decision)) => {
                    let left = script.as_ref().map(VecDeque::len).filter(|_| tells_what_is_left);
                    ok(&json!({
                        "wt_inject": 1, "reply": decision["content"], "tool_calls": [], "decisions_left": left,
                    }))
                }
            },
            _ => status(204),
        }
    })
    .await
}

async fn provision(runtime: &dyn AgentRuntime, case: &ReferenceCase) -> Box<dyn AgentHandle> {
    runtime.reference().unwrap().provision_reference(config(), case, Vec::new()).await.unwrap()
}

fn by_turn(turns: &[&str]) -> ReferenceCase {
    let mut case = ReferenceCase::new("known-good", ReferenceKind::Golden, []);
    case.turns = turns.iter().map(|text| vec![ReferenceDecision::says(*text)]).collect();
    case
}

#[tokio::test]
async fn the_capability_is_what_the_endpoint_says_before_anything_is_touched() {
    for (code, capable) in [(200, true), (204, true), (400, true), (422, true), (404, false), (501, false)] {
        let endpoint = Endpoint::serve(move |_, _| status(code)).await;
        assert_eq!(endpoint.runtime().await.reference().is_some(), capable, "{code}");
        assert_eq!(endpoint.transcript(), "/wt/reference {\"wt_inject\":1}", "the question changes nothing");
    }
    let endpoint =
        Endpoint::serve(|_, _| (StatusCode::SERVICE_UNAVAILABLE, "starting").into_response()).await;
    let error = plugin(&endpoint.spec()).build().await.map(drop).unwrap_err().to_string();
    assert!(
        error.contains("404 or 501") && error.ends_with("503 Service Unavailable: `starting`"),
        "{error}"
    );
}

#[tokio::test]
async fn each_turn_hands_its_decisions_over_and_the_end_takes_them_back() {
    let endpoint = scriptable(true).await;
    let runtime = endpoint.runtime().await;
    let mut agent = provision(runtime.as_ref(), &by_turn(&["75 orders", "bye"])).await;
    agent.reset_state().await.unwrap();
    assert_eq!(say(agent.as_mut(), "How many?").await.unwrap().content, "75 orders");
    assert_eq!(say(agent.as_mut(), "Thanks").await.unwrap().content, "bye");
    assert!(agent.script_progress().unwrap().is_exact());
    agent.teardown().await;
    agent.teardown().await;
    assert!(agent.script_progress().unwrap().is_exact(), "it can still be asked");
    assert_eq!(say(endpoint.agent().await.as_mut(), "x").await.unwrap().content, "my own words");
    insta::assert_snapshot!(endpoint.transcript(), @r#"
    /wt/reference {"wt_inject":1}
    /wt/reset {"wt_inject":1}
    /wt/surface {"wt_inject":1}
    /wt/reference {"wt_inject":1,"decisions":[{"content":"75 orders"}]}
    /wt/inject {"wt_inject":1,"session_id":"s-1","text":"How many?","timeout_s":120.0}
    /wt/reference {"wt_inject":1,"decisions":[{"content":"bye"}]}
    /wt/inject {"wt_inject":1,"session_id":"s-1","text":"Thanks","timeout_s":120.0}
    /wt/reference {"wt_inject":1,"decisions":[]}
    /wt/reference {"wt_inject":1}
    /wt/reference {"wt_inject":1,"decisions":[]}
    /wt/inject {"wt_inject":1,"session_id":"s-1","text":"x","timeout_s":120.0}
    "#);
}

#[tokio::test]
async fn a_reset_begins_the_script_again() {
    let endpoint = scriptable(true).await;
    let runtime = endpoint.runtime().await;
    let mut agent = provision(runtime.as_ref(), &by_turn(&["75 orders"])).await;
    for _ in 0..2 {
        agent.reset_state().await.unwrap();
        assert_eq!(say(agent.as_mut(), "How many?").await.unwrap().content, "75 orders");
        assert!(agent.script_progress().unwrap().is_exact());
    }
}

#[tokio::test]
async fn an_endpoint_that_does_not_tell_what_is_left_is_not_counted() {
    let endpoint = scriptable(false).await;
    let runtime = endpoint.runtime().await;
    let mut agent = provision(runtime.as_ref(), &by_turn(&["75 orders"])).await;
    say(agent.as_mut(), "How many?").await.unwrap();
    assert_eq!(agent.script_progress(), None);
}

#[tokio::test]
async fn a_turn_without_decisions_is_never_the_models_own() {
    let endpoint = scriptable(true).await;
    let runtime = endpoint.runtime().await;
    let mut agent = provision(runtime.as_ref(), &by_turn(&["75 orders"])).await;
    say(agent.as_mut(), "How many?").await.unwrap();
    let error = say(agent.as_mut(), "And now?").await.unwrap_err();
    assert_eq!(error.to_string(), "the reference case has no decisions for user turn 2");
    let one_list = ReferenceCase::golden("g", [ReferenceDecision::says("75 orders")]);
    let mut agent = provision(runtime.as_ref(), &one_list).await;
    say(agent.as_mut(), "How many?").await.unwrap();
    let error = say(agent.as_mut(), "And now?").await.unwrap_err();
    assert_eq!(error.to_string(), "the agent reports: asked beyond the script");
}

#[tokio::test]
async fn decisions_that_the_endpoint_refuses_fail_the_turn_before_it_is_sent() {
    let endpoint = Endpoint::serve(|path, body| match path {
        "/wt/reference" if body["decisions"].as_array().is_some_and(|list| !list.is_empty()) => {
            (StatusCode::UNPROCESSABLE_ENTITY, "faults are not played here").into_response()
        }
        _ => status(204),
    })
    .await;
    let runtime = endpoint.runtime().await;
    let mut agent = provision(runtime.as_ref(), &by_turn(&["75 orders"])).await;
    let error = say(agent.as_mut(), "How many?").await.unwrap_err().to_string();
    assert!(error.ends_with("found 422 Unprocessable Entity: `faults are not played here`"), "{error}");
    assert!(endpoint.asked().iter().all(|asked| asked.path == "/wt/reference"));
}

#[tokio::test]
async fn decisions_that_a_case_left_behind_are_taken_back_when_the_suite_ends() {
    let endpoint = scriptable(true).await;
    let plugin = plugin(&endpoint.spec());
    let runtime = plugin.build().await.unwrap();
    let mut agent = provision(runtime.as_ref(), &by_turn(&["75 orders"])).await;
    say(agent.as_mut(), "How many?").await.unwrap();
    drop(agent);
    plugin.post_run(runtime.as_ref(), &[]).await;
    let last = endpoint.asked().pop().unwrap();
    assert_eq!((last.path.as_str(), last.body), ("/wt/reference", json!({"wt_inject": 1, "decisions": []})));
    let asked = endpoint.asked().len();
    plugin.post_run(runtime.as_ref(), &[]).await;
    assert_eq!(endpoint.asked().len(), asked, "nothing is left");
}

#[tokio::test]
async fn a_live_agent_is_never_answered_by_a_script_that_was_left_behind() {
    let endpoint = scriptable(true).await;
    let killed = endpoint.runtime().await;
    let mut agent = provision(killed.as_ref(), &by_turn(&["75 orders", "bye"])).await;
    say(agent.as_mut(), "How many?").await.unwrap();
    assert_eq!(say(endpoint.agent().await.as_mut(), "x").await.unwrap().content, "my own words");
}

#[tokio::test]
async fn a_secret_of_the_headers_that_the_endpoint_repeats_is_not_told() {
    let secret = env!("CARGO_PKG_NAME");
    let endpoint = Endpoint::serve(move |path, body| match path {
        "/wt/reference" if body["decisions"].is_array() => ok(&json!({"error": format!("no: {secret}")})),
        "/wt/surface" => ok(&json!({"system_instructions": secret})),
        _ => status(204),
    })
    .await;
    let mut spec = endpoint.spec();
    spec.headers.insert("x-desk".to_owned(), "${CARGO_PKG_NAME}".to_owned());
    let runtime = plugin(&spec).build().await.unwrap();
    let error = runtime.provision(config(), Vec::new()).await.map(drop).unwrap_err().to_string();
    assert!(error.ends_with("reports: no: ***"), "{error}");
    let surface = runtime.surface().unwrap();
    let error = surface.surface(&config()).await.unwrap_err().to_string();
    assert!(error.contains("found `\"***\"`"), "{error}");
}
