//! The bridge between standard streams and an address.

use rmcp::ServiceExt;
use serde_json::json;
use tokio::io::{AsyncReadExt, duplex};
use windtunnel_mcp::bridge_between;

use crate::support::{Case, TestAgent, call_text};

#[tokio::test]
async fn an_agent_behind_the_bridge_is_recorded_like_any_other() {
    let case = Case::new("bridge");
    let served = case.stdio().await;
    let url = served.handle.url().await.unwrap();
    let (agent_side, bridge_side) = duplex(1024);
    let (reader, writer) = tokio::io::split(bridge_side);
    let bridge = tokio::spawn(async move { bridge_between(&url, reader, writer).await });
    let agent = TestAgent::default().serve(agent_side).await.unwrap();
    assert_eq!(agent.list_all_tools().await.unwrap().len(), 8);
    assert_eq!(call_text(&agent, "add", json!({"a": 2, "b": 3})).await, "5");
    assert_eq!(call_text(&agent, "roots", json!({})).await, "file:///agent");
    agent.cancel().await.unwrap();
    bridge.await.unwrap().unwrap();
    assert_eq!(served.calls().len(), 2);
}

#[tokio::test]
async fn answers_still_come_after_the_input_has_ended() {
    let case = Case::new("piped");
    let served = case.workspace().await;
    let url = served.handle.url().await.unwrap();
    let input = concat!(
        r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18"}}"#,
        "\n",
        r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_files"}}"#,
    );
    let (mut output, written) = duplex(64 * 1024);
    bridge_between(&url, input.as_bytes(), written).await.unwrap();
    let mut text = String::new();
    output.read_to_string(&mut text).await.unwrap();
    assert_eq!(text.lines().count(), 2, "{text}");
    assert!(text.contains(r#""files":[]"#), "{text}");
}

#[tokio::test]
async fn a_wrong_address_is_named() {
    let error = bridge_between("127.0.0.1:80", &b""[..], Vec::new()).await.unwrap_err();
    insta::assert_snapshot!(error,
        @"no bridge to `127.0.0.1:80`: relative URL without a base; expected the address of a tool server, such as http://127.0.0.1:4000/mcp");
}
