//! What all wires share at their door: upgrades to `WebSocket`, models, token counts, surfaces, and answers to go on from.

use reqwest::StatusCode;
use serde_json::{Value, json};
use windtunnel_api::Evidence;

use crate::harness::{Case, request, says};
use crate::raw::{Ended, RawConnection};

const WEB_SOCKET: &str = "connection: Upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\n\
    sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n";

#[tokio::test]
async fn a_web_socket_is_refused_at_once_on_every_path_with_the_status_that_makes_clients_speak_http() {
    let case = Case::of(vec![says("done")]).await;
    for (method, path) in [
        ("GET", "/responses"),
        ("GET", "/chat/completions"),
        ("GET", "/realtime?model=m"),
        ("GET", "/models"),
        ("POST", "/responses"),
    ] {
        let answer = RawConnection::to(&case).await.raw(method, path, WEB_SOCKET, "").await;
        assert_eq!((answer.status, answer.ended), (Some(426), Ended::Well), "{method} {path}");
        assert_eq!(answer.header("x-should-retry"), Some("false"));
        assert_eq!(answer.header("upgrade"), Some("http/1.1"));
        assert!(answer.text().contains("WebSockets are not served here"), "{}", answer.text());
    }
    assert!(case.served.progress().violations.is_empty());
    assert_eq!(case.ask(&request()).await["choices"][0]["message"]["content"], "done", "HTTP goes on");
}

#[tokio::test]
async fn an_offer_of_http2_is_passed_over() {
    let case = Case::of(vec![says("done")]).await;
    let body = request().to_string();
    let headers = format!(
        "connection: Upgrade, HTTP2-Settings\r\nupgrade: h2c\r\nhttp2-settings: AAMAAABkAARAAAAAAAIAAAAA\r\n\
         content-type: application/json\r\ncontent-length: {}\r\n",
        body.len()
    );
    let answer = RawConnection::to(&case).await.raw("POST", "/chat/completions", &headers, &body).await;
    assert_eq!((answer.status, answer.ended), (Some(200), Ended::Well));
    assert!(answer.text().contains("done"));
}

#[tokio::test]
async fn one_connection_serves_many_answers_of_every_kind() {
    let case = Case::of((0..4).map(|n| says(&n.to_string())).collect()).await;
    let mut connection = RawConnection::to(&case).await;
    for n in 0..4 {
        let mut body = request();
        body["stream"] = (n % 2 == 0).into();
        let answer = connection.ask("/chat/completions", &body).await;
        assert_eq!((answer.status, answer.ended), (Some(200), Ended::Well));
        assert!(answer.text().contains(&format!("\"{n}\"")), "{}", answer.text());
    }
}

#[tokio::test]
async fn models_are_listed_in_the_shape_of_the_wire_that_the_client_speaks() {
    let case = Case::of(vec![says("done")]).await;
    let ask = |path: &'static str, version: Option<&'static str>| {
        let request = case.http.get(case.url(path));
        let request =
            version.iter().fold(request, |request, version| request.header("anthropic-version", *version));
        async move { request.send().await.unwrap().json::<Value>().await.unwrap() }
    };
    let openai = ask("/models", None).await;
    assert_eq!(
        (openai["object"].as_str(), openai["data"][0]["object"].as_str()),
        (Some("list"), Some("model"))
    );
    let anthropic = ask("/models", Some("2023-06-01")).await;
    assert_eq!(
        (anthropic["data"][0]["type"].as_str(), &anthropic["has_more"]),
        (Some("model"), &json!(false))
    );
    let error = ask("/nothing", Some("2023-06-01")).await;
    assert_eq!(error["type"], "error", "so are errors that belong to no wire");
}

#[tokio::test]
async fn tokens_are_counted_without_a_decision_and_always_alike() {
    let case = Case::of(vec![says("done")]).await;
    let body = json!({"model": "m", "messages": [{"role": "user", "content": "How many orders?"}]});
    let mut counts = Vec::new();
    for _ in 0..2 {
        let response = case.http.post(case.url("/messages/count_tokens")).json(&body).send().await.unwrap();
        assert_eq!(response.status(), StatusCode::OK);
        counts.push(response.json::<Value>().await.unwrap()["input_tokens"].as_u64().unwrap());
    }
    assert!(counts[0] > 5 && counts[0] == counts[1], "{counts:?}");
    assert_eq!(case.served.progress().consumed, 0);
    assert!(case.served.drain_evidence().unwrap().is_empty(), "counting is not asking");
}

#[tokio::test]
async fn the_surface_of_a_run_is_what_its_first_request_told_besides_the_conversation() {
    let case = Case::of(vec![says("one"), says("two")]).await;
    assert!(case.served.surface().is_none());
    let mut body = request();
    body["messages"] = json!([{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Hi"}]);
    case.ask(&body).await;
    body["messages"][0]["content"] = "Be long.".into();
    case.ask(&body).await;
    let surface = serde_json::to_value(case.served.surface().unwrap()).unwrap();
    let expected = json!({
        "status": "rendered",
        "system_instructions": [{"type": "text", "content": "Be brief."}],
        "tool_definitions": request()["tools"],
        "extra_segments": [],
    });
    assert_eq!(surface, expected);
}

#[tokio::test]
async fn a_request_that_goes_on_from_an_answer_has_everything_that_was_said_before() {
    let case = Case::of(vec![says("75 orders"), says("12 of them")]).await;
    let ask = |body: Value| {
        let request = case.http.post(case.url("/responses")).json(&body);
        async move { request.send().await.unwrap() }
    };
    let first: Value = ask(json!({"model": "m", "input": "How many orders?"})).await.json().await.unwrap();
    let next = json!({"model": "m", "previous_response_id": first["id"], "input": "How many are new?"});
    assert_eq!(ask(next).await.status(), StatusCode::OK);
    let seen = case.served.drain_evidence().unwrap();
    let Evidence::Inference { messages, .. } = &seen[1].value else { panic!("{seen:?}") };
    let text = Value::from(messages.clone()).to_string();
    let at = |said: &str| text.find(said).unwrap_or_else(|| panic!("{said} is not in {text}"));
    assert!(at("How many orders?") < at("75 orders") && at("75 orders") < at("How many are new?"), "{text}");

    let unknown = ask(json!({"model": "m", "previous_response_id": "resp_gone", "input": "And?"})).await;
    assert_eq!(unknown.status(), StatusCode::BAD_REQUEST);
    assert_eq!(unknown.headers()["x-should-retry"], "false");
    let error: Value = unknown.json().await.unwrap();
    assert_eq!(error["error"]["code"], "previous_response_not_found");
    assert!(case.served.progress().is_exact(), "such a client sends everything again");
}

#[tokio::test]
async fn asides_see_what_was_said_before_the_answer_that_a_request_goes_on_from() {
    let aside = json!([{"pattern": {"messages": [{"role": "user", "content": "^Generate a title"}]}, "content": "Title"}]);
    let case = Case::with_asides(vec![says("75 orders")], aside).await;
    let ask = |body: Value| {
        let request = case.http.post(case.url("/responses")).json(&body);
        async move { request.send().await.unwrap().json::<Value>().await.unwrap() }
    };
    let first = ask(json!({"model": "m", "input": "Generate a title"})).await;
    let next = json!({"model": "m", "previous_response_id": first["id"], "input": "In French."});
    assert!(ask(next).await.to_string().contains("Title"));
    assert_eq!(case.served.progress().asides, 2);
}
