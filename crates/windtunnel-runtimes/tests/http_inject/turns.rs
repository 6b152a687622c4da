//! Turns, resets and the surface.

use std::sync::Arc;
use std::time::Duration;

use axum::http::StatusCode;
use axum::response::{IntoResponse, Redirect};
use indexmap::IndexMap;
use serde_json::json;
use windtunnel_api::config::HttpInjectRuntime;
use windtunnel_api::surface::SurfaceStatus;
use windtunnel_spi::doubles::RecordedTools;
use windtunnel_spi::{ClaimedCall, Message, RuntimeErrorKind, SessionId, ToolHandle};

use crate::support::{Endpoint, config, echo, ok, plugin, replies, say, status};

#[tokio::test]
async fn a_turn_is_text_in_and_a_reply_with_its_calls_out() {
    let endpoint = Endpoint::serve(|path, body| match path {
        "/wt/inject" => ok(&json!({
            "wt_inject": 1, "reply": "75", "tool_calls": [{"name": "lookup", "arguments": {"id": 7}}], "model": "m",
        })),
        _ => echo(path, body),
    })
    .await;
    let mut agent = endpoint.agent().await;
    agent.reset_state().await.unwrap();
    let reply = say(agent.as_mut(), "How many?").await.unwrap();
    let call = ClaimedCall { tool: "lookup".to_owned(), args: json!({"id": 7}), result: None };
    assert_eq!((reply.content.as_str(), reply.claimed_calls), ("75", vec![call]));
    agent.teardown().await;
    insta::assert_snapshot!(endpoint.transcript(), @r#"
    /wt/reference {"wt_inject":1}
    /wt/reset {"wt_inject":1}
    /wt/surface {"wt_inject":1}
    /wt/inject {"wt_inject":1,"session_id":"s-1","text":"How many?","timeout_s":120.0}
    "#);
}

#[tokio::test]
async fn an_agent_that_fails_says_why_and_nothing_is_tried_again() {
    let endpoint = Endpoint::serve(|path, body| match path {
        "/wt/inject" => ok(&json!({"wt_inject": 1, "reply": "", "tool_calls": [], "error": "no model"})),
        _ => echo(path, body),
    })
    .await;
    let error = say(endpoint.agent().await.as_mut(), "x").await.unwrap_err();
    assert_eq!(
        (error.kind(), error.to_string().as_str()),
        (RuntimeErrorKind::Turn, "the agent reports: no model")
    );
    assert_eq!(endpoint.asked().iter().filter(|asked| asked.path == "/wt/inject").count(), 1);
}

#[tokio::test]
async fn what_is_out_of_contract_fails_the_turn_once() {
    let endpoint = Endpoint::serve(|path, body| match (path, body["text"].as_str()) {
        ("/wt/inject", Some("500")) => (StatusCode::INTERNAL_SERVER_ERROR, "boom").into_response(),
        ("/wt/inject", Some("moved")) => Redirect::temporary("/wt/elsewhere").into_response(),
        ("/wt/inject", Some("large")) => " ".repeat(9 * 1024 * 1024).into_response(),
        ("/wt/inject", _) => ok(&json!({"reply": 7})),
        _ => echo(path, body),
    })
    .await;
    let mut agent = endpoint.agent().await;
    let mut told = Vec::new();
    for text in ["500", "moved", "large", "wrong"] {
        let error = say(agent.as_mut(), text).await.unwrap_err();
        assert_eq!(error.kind(), RuntimeErrorKind::Turn);
        told.push(error.to_string().replace(&endpoint.url, "http://desk"));
    }
    insta::assert_snapshot!(told.join("\n"), @"
    the answer to POST http://desk/wt/inject is out of contract: expected status 200, found 500 Internal Server Error: `boom`; what goes wrong in the agent is told in `error`, with status 200
    the answer to POST http://desk/wt/inject is out of contract: expected status 200, found 307 Temporary Redirect to http://desk/wt/elsewhere; redirects are not followed, so write the final address into `url`
    POST http://desk/wt/inject: the answer has more than 8388608 bytes
    the answer to POST http://desk/wt/inject is out of contract: `wt_inject`: expected 1, found nothing; `reply`: expected a text, found `7`; `tool_calls`: expected a list, also when it is empty, found nothing
    ");
    assert_eq!(endpoint.asked().iter().filter(|asked| asked.path == "/wt/inject").count(), 4);
}

#[tokio::test]
async fn the_endpoint_has_the_time_of_the_settings_and_the_bench_waits_a_little_longer() {
    let endpoint = Endpoint::serve(echo).await;
    let spec = HttpInjectRuntime { turn_timeout_s: Some(60.0), ..endpoint.spec() };
    let runtime = plugin(&spec).build().await.unwrap();
    let mut agent = runtime.provision(config(), Vec::new()).await.unwrap();
    say(agent.as_mut(), "x").await.unwrap();
    assert_eq!(endpoint.asked().last().unwrap().body["timeout_s"], json!(60.0));
    assert!(agent.turn_limit().unwrap() > Duration::from_secs(65));
}

#[tokio::test]
async fn an_endpoint_that_hangs_is_told_with_its_route_and_limit() {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    tokio::time::pause();
    let error = plugin(&HttpInjectRuntime::at(&url)).build().await.map(drop).unwrap_err();
    assert_eq!(error.kind(), RuntimeErrorKind::Timeout);
    assert_eq!(error.to_string(), format!("POST {url}/wt/reference: there was no answer within 10 s"));
}

#[tokio::test]
async fn an_endpoint_that_is_not_there_is_told_without_its_secrets() {
    let spec = HttpInjectRuntime::at("http://user:pass@127.0.0.1:1/agent?key=abc");
    let error = plugin(&spec).build().await.map(drop).unwrap_err();
    let text = error.to_string();
    let start =
        "POST http://127.0.0.1:1/agent/wt/reference: the request could not be sent: Connection refused";
    assert!(text.starts_with(start), "{text}");
}

#[tokio::test]
async fn headers_carry_secrets_that_no_message_shows() {
    let endpoint = Endpoint::serve(|path, _| match path {
        "/wt/inject" => (StatusCode::FORBIDDEN, "no: Bearer windtunnel-runtimes").into_response(),
        _ => status(404),
    })
    .await;
    let headers = IndexMap::from([("authorization".to_owned(), "Bearer ${CARGO_PKG_NAME}".to_owned())]);
    let spec = HttpInjectRuntime { headers, ..endpoint.spec() };
    let runtime = plugin(&spec).build().await.unwrap();
    let mut agent = runtime.provision(config(), Vec::new()).await.unwrap();
    let error = say(agent.as_mut(), "x").await.unwrap_err().to_string();
    assert!(error.contains("403 Forbidden: `no: Bearer ***`"), "{error}");
    let told: Vec<_> = endpoint.asked().into_iter().map(|asked| asked.authorization).collect();
    assert_eq!(told, vec![Some("Bearer windtunnel-runtimes".to_owned()); 2]);
}

#[tokio::test]
async fn earlier_messages_are_refused() {
    let endpoint = Endpoint::serve(echo).await;
    let mut agent = endpoint.agent().await;
    let shaped = [Message::user("before"), Message::user("now")];
    let error = agent.send(&shaped, &SessionId::new("s")).await.unwrap_err();
    assert_eq!(error.kind(), RuntimeErrorKind::History);
    assert_eq!(endpoint.asked().len(), 1, "only what it can was asked");
}

#[tokio::test]
async fn a_reset_is_done_with_200_or_204_and_nothing_else() {
    for (answer, kept) in [
        ((StatusCode::OK, ""), true),
        ((StatusCode::NO_CONTENT, ""), true),
        ((StatusCode::OK, r#"{"error": null}"#), true),
        ((StatusCode::OK, r#"{"error": "the books are locked"}"#), false),
        ((StatusCode::ACCEPTED, ""), false),
        ((StatusCode::NOT_FOUND, ""), false),
    ] {
        let endpoint = Endpoint::serve(move |path, body| match path {
            "/wt/reset" => answer.into_response(),
            _ => echo(path, body),
        })
        .await;
        let reset = endpoint.agent().await.reset_state().await;
        assert_eq!(reset.is_ok(), kept, "{answer:?}: {reset:?}");
        if let Err(error) = reset {
            assert_eq!(error.kind(), RuntimeErrorKind::Reset);
        }
    }
}

#[tokio::test]
async fn a_reset_hands_the_recorders_over() {
    let endpoint = Endpoint::serve(echo).await;
    let recorder = RecordedTools::new("crm", ["lookup"]).addressed();
    let url = recorder.url().await.unwrap();
    let runtime = endpoint.runtime().await;
    let mut agent = runtime.provision(config(), vec![Arc::new(recorder)]).await.unwrap();
    agent.reset_state().await.unwrap();
    let asked = endpoint.asked();
    let reset = asked.iter().find(|asked| asked.path == "/wt/reset").unwrap();
    assert_eq!(reset.body, json!({"wt_inject": 1, "tools": [{"name": "crm", "url": url}]}));
    let silent: Arc<dyn ToolHandle> = Arc::new(RecordedTools::new("crm", ["lookup"]));
    assert!(runtime.provision(config(), vec![silent]).await.is_err(), "a recorder without an address");
}

#[tokio::test]
async fn several_cases_at_once_say_whose_request_it_is() {
    let endpoint = Endpoint::serve(echo).await;
    let spec = HttpInjectRuntime { max_concurrency: 4, ..endpoint.spec() };
    let plugin = plugin(&spec);
    assert_eq!(plugin.max_concurrency(), 4);
    let runtime = plugin.build().await.unwrap();
    let mut agent = runtime.provision(config(), Vec::new()).await.unwrap();
    agent.reset_state().await.unwrap();
    say(agent.as_mut(), "x").await.unwrap();
    let told: Vec<_> = endpoint.asked().iter().skip(1).map(|asked| asked.body["case_id"].clone()).collect();
    assert_eq!(told, ["case-1", "case-1", "case-1"], "reset, surface, turn");
}

#[tokio::test]
async fn a_cancelled_case_is_no_failed_turn() {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let app = axum::Router::new()
        .route("/wt/inject", axum::routing::post(async || std::future::pending::<()>().await));
    tokio::spawn(async move { axum::serve(listener, app).await });
    let runtime = plugin(&HttpInjectRuntime::at(url)).build().await.unwrap();
    let config = config();
    let cancel = config.world.cancel.clone();
    let mut agent = runtime.provision(config, Vec::new()).await.unwrap();
    let (error, ()) = tokio::join!(say(agent.as_mut(), "x"), async {
        tokio::time::sleep(Duration::from_millis(50)).await;
        cancel.cancel();
    });
    assert_eq!(error.unwrap_err().kind(), RuntimeErrorKind::Cancelled);
}

#[tokio::test]
async fn the_surface_is_what_the_endpoint_tells() {
    let endpoint = Endpoint::serve(|path, body| match path {
        "/wt/surface" => ok(&json!({
            "wt_inject": 1, "system_instructions": [], "tool_definitions": [{"name": "lookup"}], "extra_segments": [],
        })),
        _ => echo(path, body),
    })
    .await;
    let runtime = endpoint.runtime().await;
    let surface = runtime.surface().unwrap().surface(&config()).await.unwrap();
    assert_eq!((surface.status, surface.tool_definitions.len()), (SurfaceStatus::Reported, 1));
    let mut agent = endpoint.agent().await;
    assert_eq!(agent.surface(), None, "it is asked for when the endpoint knows its tools");
    agent.reset_state().await.unwrap();
    assert_eq!(agent.surface(), Some(surface));

    let silent = Endpoint::serve(echo).await;
    let runtime = silent.runtime().await;
    for _ in 0..2 {
        let surface = runtime.surface().unwrap().surface(&config()).await.unwrap();
        assert_eq!(surface.status, SurfaceStatus::Unavailable);
    }
    assert_eq!(silent.asked().iter().filter(|asked| asked.path == "/wt/surface").count(), 1);

    let broken = Endpoint::serve(|path, body| match path {
        "/wt/surface" => replies("no surface"),
        _ => echo(path, body),
    })
    .await;
    let mut agent = broken.agent().await;
    agent.reset_state().await.unwrap();
    assert_eq!(agent.surface().unwrap().status, SurfaceStatus::Invalid);
    let error = broken.runtime().await.surface().unwrap().surface(&config()).await.unwrap_err();
    let text = error.to_string().replace(&broken.url, "http://desk");
    let start =
        "the answer to POST http://desk/wt/surface is no surface: `system_instructions`: expected a list";
    assert!(text.starts_with(start), "{text}");
}
