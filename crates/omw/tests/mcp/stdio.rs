//! A server that is started as a program.

use std::time::{Duration, Instant};

use omw::tooling::{CallMode, Tooling as _};
use serde_json::json;

use crate::support::{assert_gone, call, call_text, pretty, program, shelf_program, tooling};

#[tokio::test]
async fn tools_of_all_pages_are_listed_with_what_the_server_says_of_them() {
    let shelf = program(&json!({}));
    let tools = shelf.list_tools().await.unwrap();
    let names: Vec<_> = tools.iter().map(|tool| tool.name.as_str()).collect();
    assert_eq!((tools.len(), names[0], names[1]), (11, "add", "fail"));
    insta::assert_snapshot!(pretty(&tools[0]), @r#"
    {
      "name": "add",
      "title": "Add",
      "description": "Adds.\nThe token is .",
      "input_schema": {
        "type": "object",
        "properties": {
          "a": {
            "type": "integer",
            "default": null
          },
          "b": {
            "type": "integer"
          }
        },
        "required": [
          "a",
          "b"
        ]
      },
      "output_schema": {
        "type": "object"
      },
      "annotations": {
        "read_only_hint": true,
        "destructive_hint": null,
        "idempotent_hint": null,
        "open_world_hint": null
      }
    }
    "#);
}

#[tokio::test]
async fn results_carry_content_structure_and_whether_the_tool_failed() {
    let shelf = program(&json!({}));
    let added = shelf.call_tool("add", json!({"a": 1, "b": 2}), CallMode::Blocking).await.unwrap();
    insta::assert_snapshot!(pretty(&added), @r#"
    {
      "name": "add",
      "arguments": "{\"a\":1,\"b\":2}",
      "content": "[{\"type\":\"text\",\"text\":\"{\\\"sum\\\":3}\"}]",
      "structured_content": "{\"sum\":3}",
      "is_error": false
    }
    "#);
    let failed = shelf.call_tool("fail", json!({}), CallMode::Queued).await.unwrap();
    assert!(failed.is_error && failed.content.contains("the shelf is empty"), "{failed:?}");
    assert_eq!(failed.structured_content, None);
}

#[tokio::test]
async fn what_the_server_refuses_is_an_error_in_its_words() {
    let shelf = program(&json!({}));
    let error = call(&shelf, "juggle", json!({})).await.unwrap_err();
    assert_eq!(error.to_string(), "tool server mcp_server says: no tool juggle (code -32602)");
    let error = call(&shelf, "add", json!([1, 2])).await.unwrap_err();
    assert_eq!(error.to_string(), "tool server mcp_server takes the arguments of a tool as an object only");
}

#[tokio::test]
async fn a_program_that_does_not_exist_fails_at_once() {
    let nothing = tooling(json!({"transport": "stdio", "command": "/no/such/program"}));
    let start = Instant::now();
    let error = nothing.list_tools().await.unwrap_err().to_string();
    assert!(
        error.starts_with("tool server program cannot be reached: program `/no/such/program` was not found"),
        "{error}"
    );
    assert!(start.elapsed() < Duration::from_secs(1));
}

#[tokio::test]
async fn a_program_that_ends_is_started_a_few_times_and_its_last_words_are_shown() {
    let script = "echo I hate canary-word >&2; exit 4";
    let params = json!({"transport": "stdio", "command": "sh", "args": ["-c", script, "canary-word"]});
    let error = tooling(params).list_tools().await.unwrap_err().to_string();
    let (before, after) = error.split_once(" in ").unwrap();
    assert_eq!(
        before,
        "tool server sh cannot be reached: it ended with exit code 4; its last words: I hate *** (tried 6 times"
    );
    assert!(after.ends_with(" s)"), "{after}");
}

#[tokio::test]
async fn a_server_that_starts_slowly_or_at_the_second_attempt_is_waited_for() {
    assert_eq!(call_text(&program(&json!({"SHELF_START_MS": "700"})), "cancelled", json!({})).await, "0");
    let folder = tempfile::tempdir().unwrap();
    let marker = folder.path().join("marker");
    let flaky = program(&json!({"SHELF_FAIL_ONCE": marker.to_str().unwrap()}));
    assert_eq!(call_text(&flaky, "cancelled", json!({})).await, "0");
}

#[tokio::test]
async fn the_call_that_was_under_way_when_the_server_died_fails_and_the_next_one_starts_it_again() {
    let shelf = program(&json!({}));
    let first = call_text(&shelf, "pid", json!({})).await;
    let error = call(&shelf, "die", json!({})).await.unwrap_err();
    assert_eq!(
        error.to_string(),
        "tool server mcp_server was lost during the call: it ended with exit code 3; its last words: the shelf fell over"
    );
    let second = call_text(&shelf, "pid", json!({})).await;
    assert_ne!(first, second);
    assert_gone(&first).await;
}

#[tokio::test]
async fn calls_at_the_same_time_share_one_server() {
    let shelf = program(&json!({"SHELF_START_MS": "200"}));
    let pids = futures::future::join_all((0..8).map(|_| call_text(&shelf, "pid", json!({})))).await;
    assert!(pids.iter().all(|pid| *pid == pids[0]), "{pids:?}");
}

#[tokio::test]
async fn a_call_that_is_dropped_is_cancelled_at_the_server() {
    let shelf = program(&json!({}));
    assert_eq!(call_text(&shelf, "cancelled", json!({})).await, "0");
    let slow = call(&shelf, "slow", json!({"wait_ms": 60_000}));
    assert!(tokio::time::timeout(Duration::from_millis(200), slow).await.is_err());
    assert_eq!(call_text(&shelf, "cancelled", json!({})).await, "1");
}

#[tokio::test]
async fn a_call_that_takes_too_long_is_given_up_and_cancelled() {
    let shelf = tooling(json!({"transport": "stdio", "command": shelf_program(), "timeout_secs": 1}));
    let error = call(&shelf, "slow", json!({"wait_ms": 60_000})).await.unwrap_err();
    assert_eq!(
        error.to_string(),
        "tool server mcp_server did not answer within 1 s; `timeout_secs` allows more"
    );
    assert_eq!(call_text(&shelf, "cancelled", json!({})).await, "1");
}

#[tokio::test]
async fn a_message_that_is_too_large_ends_the_connection_and_not_the_tooling() {
    let shelf = program(&json!({}));
    let large = call_text(&shelf, "flood", json!({"bytes": 1_000_000})).await;
    assert_eq!(large.len(), 1_000_000);
    let error = call(&shelf, "flood", json!({"bytes": 40_000_000})).await.unwrap_err();
    assert_eq!(
        error.to_string(),
        "tool server mcp_server was lost during the call: it sent a message of more than 33554432 bytes"
    );
    assert_eq!(call_text(&shelf, "cancelled", json!({})).await, "0");
}

#[tokio::test]
async fn the_server_gets_our_environment_and_its_own_variables_verbatim() {
    let shelf = program(&json!({"SHELF_NOTE": "${HOME} $ x"}));
    assert_eq!(call_text(&shelf, "env", json!({"name": "SHELF_NOTE"})).await, "${HOME} $ x");
    let ours = std::env::var("CARGO_MANIFEST_DIR").unwrap();
    assert_eq!(call_text(&shelf, "env", json!({"name": "CARGO_MANIFEST_DIR"})).await, ours);
}

#[tokio::test]
async fn secrets_in_the_server_s_words_are_not_repeated() {
    let shelf = program(&json!({"SHELF_TOKEN": "canary-env"}));
    let error = call(&shelf, "refuse", json!({})).await.unwrap_err();
    assert_eq!(error.to_string(), "tool server mcp_server says: *** is not my token (code -32602)");
    assert_eq!(call_text(&shelf, "env", json!({"name": "SHELF_TOKEN"})).await, "canary-env");
    assert!(!format!("{shelf:?}").contains("canary"), "{shelf:?}");
}

#[tokio::test]
async fn no_process_is_left_after_closing_or_dropping() {
    let shelf = program(&json!({}));
    let pid = call_text(&shelf, "pid", json!({})).await;
    shelf.close().await;
    assert_gone(&pid).await;
    let error = call(&shelf, "pid", json!({})).await.unwrap_err();
    assert_eq!(error.to_string(), "tool server mcp_server was closed with its run");

    let shelf = program(&json!({}));
    let pid = call_text(&shelf, "pid", json!({})).await;
    drop(shelf);
    assert_gone(&pid).await;
}
