//! Our own client against the scripted endpoint, and against endpoints that misbehave.

use std::time::Duration;

use axum::Router;
use axum::http::HeaderMap;
use serde_json::{Map, Value, json};
use windtunnel_api::scenario::LlmJudge;
use windtunnel_api::secret::Redactor;
use windtunnel_api::{Evidence, InferenceFault, ReferenceDecision, Secret};
use windtunnel_inference::model::{OpenAiSettings, RetryPolicy};
use windtunnel_inference::{
    ChatReply, ChatRequest, Model, ModelError, OpenAiChat, OpenAiJudge, Recording, Retrying, Tools,
};
use windtunnel_spi::Judge;

use crate::harness::{Case, calls, says};

const KEY: &str = "sk-canary-123456";

fn chat(base_url: &str) -> OpenAiChat {
    OpenAiChat::new(OpenAiSettings {
        base_url: base_url.to_owned(),
        model: "gpt-test".to_owned(),
        key: Some(Secret::new(KEY)),
        timeout: Duration::from_millis(500),
    })
    .unwrap()
}

async fn ask(model: &impl Model) -> Result<ChatReply, ModelError> {
    let mut tools = Tools::none();
    tools.offer("lookup", Some("Looks up orders."), json!({"type": "object"}));
    let messages = [json!({"role": "user", "content": "How many?"})];
    let sampler =
        Map::from_iter([("temperature".to_owned(), json!(0)), ("model".to_owned(), json!("other"))]);
    model.complete(ChatRequest { messages: &messages, tools: &tools, sampler: &sampler }).await
}

/// An endpoint that answers everything in one way.
async fn endpoint(answer: impl Fn(HeaderMap) -> (u16, String) + Clone + Send + Sync + 'static) -> String {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let app = Router::new().fallback(move |headers: HeaderMap| {
        let (status, body) = answer(headers);
        async move { (axum::http::StatusCode::from_u16(status).unwrap(), body) }
    });
    tokio::spawn(async move { axum::serve(listener, app).await });
    format!("http://{address}/v1")
}

#[tokio::test]
async fn answers_of_the_scripted_endpoint_are_read_back_as_they_were_scripted() {
    let case = Case::of(vec![calls(), says("75 orders")]).await;
    let model = chat(case.served.base_url());
    let reply = ask(&model).await.unwrap();
    assert_eq!(reply.tool_calls[1].arguments, "{}");
    assert!(reply.usage.unwrap().prompt > 0);
    assert_eq!(ask(&model).await.unwrap().content.as_deref(), Some("75 orders"));
    let Evidence::Inference { model, tools, .. } = &case.served.drain_evidence().unwrap()[0].value else {
        panic!()
    };
    assert_eq!(
        (model.as_str(), tools.as_slice()),
        ("gpt-test", &["lookup".to_owned()][..]),
        "a sampler renames no model"
    );
}

#[tokio::test]
async fn faults_are_retried_and_the_endpoints_wait_is_obeyed() {
    let fault = |status, retry_after| InferenceFault { retry_after, ..InferenceFault::status(status) };
    let decision =
        ReferenceDecision { faults: vec![fault(429, Some(0.15)), fault(500, None)], ..says("done") };
    let case = Case::of(vec![decision]).await;
    let policy = RetryPolicy { first_wait: Duration::from_millis(1), ..RetryPolicy::default() };
    let model = Retrying::new(chat(case.served.base_url())).with_policy(policy);
    let started = std::time::Instant::now();
    assert_eq!(ask(&model).await.unwrap().content.as_deref(), Some("done"));
    assert!(started.elapsed() >= Duration::from_millis(150), "{:?}", started.elapsed());
    assert!(case.served.progress().is_exact());
}

#[tokio::test]
async fn a_refusal_is_not_retried() {
    let case = Case::of(vec![]).await;
    let error = ask(&Retrying::new(chat(case.served.base_url()))).await.unwrap_err();
    insta::assert_snapshot!(error, @"the model endpoint answered 400: the script has no answer: asked for decision 1 of 0");
    assert_eq!(case.served.progress().violations.len(), 1, "one request");
}

#[tokio::test]
async fn an_endpoint_that_shows_the_key_in_its_error_does_not_get_it_into_ours() {
    let url = endpoint(|headers| {
        let key = headers["authorization"].to_str().unwrap();
        (401, json!({"error": {"message": format!("bad key {key}")}}).to_string())
    })
    .await;
    let error = ask(&chat(&url)).await.unwrap_err();
    insta::assert_snapshot!(error, @"the model endpoint answered 401: bad key Bearer ***");
    assert!(!format!("{error:?} {:?}", chat(&url)).contains(KEY));
}

#[tokio::test]
async fn answers_that_are_none_say_what_is_wrong() {
    let mut messages = Vec::new();
    for body in ["<html>", "{}", r#"{"choices": []}"#, r#"{"choices": [{}]}"#] {
        let url = endpoint(move |_| (200, body.to_owned())).await;
        messages.push(ask(&chat(&url)).await.unwrap_err().to_string());
    }
    insta::assert_snapshot!(messages.join("\n"), @r"
    the model endpoint's answer cannot be understood: expected value at line 1 column 1
    the model endpoint's answer cannot be understood: it has no choices
    the model endpoint's answer cannot be understood: it has no choices
    the model endpoint's answer cannot be understood: missing field `message` at line 1 column 15
    ");
}

#[tokio::test]
async fn an_endpoint_that_is_not_there_or_never_answers_is_named() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let silent = ask(&chat(&format!("http://{address}/v1"))).await.unwrap_err();
    assert_eq!(
        silent.to_string(),
        format!("the model endpoint http://{address}/v1/chat/completions did not answer within 0.5 s")
    );
    drop(listener);
    let gone = ask(&chat(&format!("http://{address}/v1"))).await.unwrap_err();
    assert!(matches!(gone, ModelError::Connection { .. }), "{gone}");
    assert!(gone.to_string().contains(&address.to_string()), "{gone}");
}

#[tokio::test]
async fn a_recording_keeps_what_was_asked_and_answered_without_secrets() {
    let case = Case::of(vec![says("the canary-9 sings")]).await;
    let redactor = Redactor::new([Secret::new("canary-9")]);
    let model = Recording::new(chat(case.served.base_url()), "openai-chat", "gpt-test", redactor);
    ask(&model).await.unwrap();
    ask(&model).await.unwrap_err();
    let seen = model.drain_evidence().unwrap();
    let decisions: Vec<&Value> = seen
        .iter()
        .map(|entry| match &entry.value {
            Evidence::Inference { decision, .. } => decision,
            other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(decisions[0], &json!({"content": "the *** sings"}));
    assert_eq!(decisions[1]["fault"]["status"], 400);
}

#[tokio::test]
async fn a_judge_sends_rubric_and_answer_and_returns_the_raw_word() {
    let case = Case::of(vec![says("PASS")]).await;
    let judge = OpenAiJudge::new(chat(case.served.base_url()));
    let rubric = LlmJudge { rubric: "names a number".to_owned(), provider: None };
    assert_eq!(judge.ask(&rubric, "How many?", "75").await.unwrap(), "PASS");
    let Evidence::Inference { messages, .. } = &case.served.drain_evidence().unwrap()[0].value else {
        panic!()
    };
    assert_eq!(messages[1]["content"], r#"{"task":"How many?","answer":"75","rubric":"names a number"}"#);
    let error = judge.ask(&rubric, "", "").await.unwrap_err();
    assert!(
        error.to_string().starts_with("the judge did not answer: the model endpoint answered 400"),
        "{error}"
    );
}
