//! A server behind an HTTP address.

use std::time::{Duration, Instant};

use omw::tooling::Tooling as _;
use serde_json::json;

use crate::support::{HttpShelf, call, call_text, tooling, tooling_at};

#[tokio::test]
async fn a_server_is_asked_with_the_token_with_sessions_and_without() {
    for sessions in [true, false] {
        let server = HttpShelf::start_at(0, sessions);
        let shelf = server.tooling();
        assert_eq!(shelf.list_tools().await.unwrap().len(), 11);
        assert_eq!(call_text(&shelf, "add", json!({"a": 2, "b": 3})).await, r#"{"sum":5}"#);
        shelf.close().await;
    }
}

#[tokio::test]
async fn a_restart_between_two_calls_is_not_noticed() {
    let server = HttpShelf::start();
    let shelf = server.tooling();
    assert_eq!(call_text(&shelf, "cancelled", json!({})).await, "0");
    let _server = HttpShelf::start_at(server.kill().await, true);
    assert_eq!(call_text(&shelf, "cancelled", json!({})).await, "0");
}

#[tokio::test]
async fn a_call_that_is_under_way_when_the_server_dies_fails_and_later_ones_do_not() {
    let server = HttpShelf::start();
    let shelf = server.tooling();
    assert_eq!(call_text(&shelf, "cancelled", json!({})).await, "0");
    let (slow, port) = tokio::join!(call(&shelf, "slow", json!({"wait_ms": 60_000})), async {
        tokio::time::sleep(Duration::from_millis(200)).await;
        server.kill().await
    });
    let error = slow.unwrap_err().to_string();
    assert!(
        error.contains(&format!("tool server http://127.0.0.1:{port} was lost during the call: ")),
        "{error}"
    );
    let _server = HttpShelf::start_at(port, true);
    assert_eq!(call_text(&shelf, "cancelled", json!({})).await, "0");
}

#[tokio::test]
async fn a_dead_server_fails_after_a_few_attempts_and_no_secret_is_shown() {
    let port = HttpShelf::start().kill().await;
    let start = Instant::now();
    let error = tooling_at(port).list_tools().await.unwrap_err().to_string();
    assert!(start.elapsed() < Duration::from_secs(5));
    let shown = format!("tool server http://127.0.0.1:{port} cannot be reached: cannot connect: ");
    assert!(error.starts_with(&shown) && error.contains("(tried 6 times in "), "{error}");
    assert!(!error.contains("canary"), "{error}");
}

#[tokio::test]
async fn a_wrong_token_fails_at_once_and_is_not_shown() {
    let server = HttpShelf::start();
    let url = format!("http://127.0.0.1:{}/mcp", server.port);
    let shelf = tooling(json!({"transport": "http", "url": url, "auth_token": "canary-wrong"}));
    let error = shelf.list_tools().await.unwrap_err().to_string();
    assert_eq!(
        error,
        format!(
            "tool server http://127.0.0.1:{} cannot be reached: it answered HTTP 401: it wants a valid `auth_token`",
            server.port
        )
    );
}

#[tokio::test]
async fn an_address_that_is_no_tool_server_is_said_to_be_none() {
    let server = HttpShelf::start();
    let url = format!("http://127.0.0.1:{}/elsewhere", server.port);
    let shelf = tooling(json!({"transport": "http", "url": url, "auth_token": crate::support::TOKEN}));
    let error = shelf.list_tools().await.unwrap_err().to_string();
    assert!(error.contains("cannot be reached: it answered HTTP 404"), "{error}");
}

#[tokio::test]
async fn a_call_that_is_dropped_is_cancelled_at_the_server() {
    let server = HttpShelf::start();
    let shelf = server.tooling();
    assert_eq!(call_text(&shelf, "cancelled", json!({})).await, "0");
    let slow = call(&shelf, "slow", json!({"wait_ms": 60_000}));
    assert!(tokio::time::timeout(Duration::from_millis(300), slow).await.is_err());
    for _ in 0..100 {
        if call_text(&shelf, "cancelled", json!({})).await == "1" {
            return;
        }
    }
    panic!("the server was not told");
}
