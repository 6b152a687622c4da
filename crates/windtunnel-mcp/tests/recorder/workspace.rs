//! The built-in server, over memory.

use std::time::Duration;

use serde_json::json;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use windtunnel_api::EffectClass;
use windtunnel_api::pack::{ToolSpec, WorkspaceTools};
use windtunnel_mcp::{BenchTools, RecorderLimits};
use windtunnel_spi::ToolFactory;

use crate::support::{Case, call, call_text};

#[tokio::test]
async fn an_agent_works_on_files_and_the_recorder_saw_it() {
    let case = Case::new("files");
    let served = case.workspace().await;
    let agent = served.connect().await;
    assert_eq!(agent.list_all_tools().await.unwrap().len(), 4);
    let written = call_text(&agent, "write_file", json!({"path": "a/b.md", "content": "safe"})).await;
    assert_eq!(written, "wrote 4 bytes to a/b.md");
    assert_eq!(call_text(&agent, "read_file", json!({"path": "a/b.md"})).await, "safe");
    call(&agent, "list_files", json!({})).await;
    let escape = call(&agent, "read_file", json!({"path": "../../etc/passwd"})).await;
    assert_eq!(escape.is_error, Some(true));
    assert_eq!(std::fs::read_to_string(case.world.workspace.join("a/b.md")).unwrap(), "safe");

    let calls = served.calls();
    let seen: Vec<_> =
        calls.iter().map(|call| (call.tool.as_str(), &call.result, call.error.as_deref())).collect();
    assert_eq!(
        seen,
        [
            ("write_file", &json!("wrote 4 bytes to a/b.md"), None),
            ("read_file", &json!("safe"), None),
            ("list_files", &json!({"files": ["a/b.md"]}), None),
            (
                "read_file",
                &json!(null),
                Some("../../etc/passwd: `..` is not allowed, paths stay inside the workspace")
            ),
        ]
    );
    assert!(calls.iter().all(|call| call.server == "files" && call.ms > 0.0));
    assert_eq!(calls[0].args, json!({"path": "a/b.md", "content": "safe"}));
    served.handle.reset_call_log();
    assert!(served.calls().is_empty());
}

#[tokio::test]
async fn two_cases_never_see_each_other() {
    let (one, two) = (Case::new("one"), Case::new("two"));
    let (a, b) = (one.workspace().await, two.workspace().await);
    call(&a.connect().await, "write_file", json!({"path": "x", "content": "1"})).await;
    let listed = call_text(&b.connect_http().await, "list_files", json!({})).await;
    assert_eq!(listed, r#"{"files":[]}"#);
    assert_eq!(a.calls().len(), 1);
    assert_eq!(b.calls()[0].tool, "list_files");
    assert_ne!(a.handle.url().await.unwrap(), b.handle.url().await.unwrap());
}

#[tokio::test]
async fn effects_come_from_the_pack_then_from_annotations() {
    let case = Case::new("effects");
    let effects = [("write_file".to_owned(), EffectClass::Draft)].into_iter().collect();
    let served = case.start("files", &ToolSpec::Workspace(WorkspaceTools { effects })).await;
    let effects: Vec<_> =
        served.handle.served_tools().await.unwrap().into_iter().map(|tool| tool.effect).collect();
    let expected = [EffectClass::Read, EffectClass::Draft, EffectClass::Read, EffectClass::Destructive];
    assert_eq!(effects, expected.map(Some));

    let effects = [("write_fil".to_owned(), EffectClass::Draft)].into_iter().collect();
    let served = case.start("files", &ToolSpec::Workspace(WorkspaceTools { effects })).await;
    insta::assert_snapshot!(served.handle.served_tools().await.unwrap_err(),
        @"tool server files: `effects` names the tool `write_fil`, which it does not serve; did you mean `write_file`?");
}

#[tokio::test]
async fn a_refresh_closes_open_connections_and_stop_ends_everything() {
    let case = Case::new("refresh");
    let mut served = case.workspace().await;
    served.handle.refresh().await.unwrap();
    let mut old = served.handle.connect().await.unwrap();
    served.handle.refresh().await.unwrap();
    assert_eq!(old.read(&mut [0; 8]).await.unwrap(), 0, "it was closed");
    call(&served.connect().await, "list_files", json!({})).await;

    let mut open = served.handle.connect().await.unwrap();
    let began = std::time::Instant::now();
    served.server.stop().await;
    served.server.stop().await;
    assert_eq!(open.read(&mut [0; 8]).await.unwrap(), 0);
    assert!(began.elapsed() < Duration::from_secs(2));
    assert!(served.handle.connect().await.unwrap_err().to_string().contains("it was stopped"));
    assert!(served.handle.refresh().await.is_err() && served.handle.url().await.is_err());
    assert_eq!(served.calls().len(), 1, "the log can still be read");
}

#[tokio::test]
async fn a_dropped_server_ends_also_where_its_handle_is_still_held() {
    let case = Case::new("dropped");
    let served = case.workspace().await;
    let mut open = served.handle.connect().await.unwrap();
    drop(served.server);
    assert_eq!(open.read(&mut [0; 8]).await.unwrap(), 0);
    assert!(served.handle.connect().await.is_err());
}

#[tokio::test]
async fn cancelling_the_case_closes_its_connections() {
    let case = Case::new("cancel");
    let served = case.workspace().await;
    let mut open = served.handle.connect().await.unwrap();
    case.world.cancel.cancel();
    let read = tokio::time::timeout(Duration::from_secs(2), open.read(&mut [0; 8])).await;
    assert_eq!(read.unwrap().unwrap(), 0);
}

#[tokio::test]
async fn a_huge_message_is_refused_and_the_next_one_is_answered() {
    let case = Case::new("huge");
    let tools =
        BenchTools::new().with_limits(RecorderLimits { message_bytes: 1000, ..RecorderLimits::default() });
    let served = case.start_with(&tools, "files", &ToolSpec::Workspace(WorkspaceTools::default())).await;
    let (reader, mut writer) = tokio::io::split(served.handle.connect().await.unwrap());
    let mut lines = BufReader::new(reader).lines();
    writer.write_all(format!("{}\n", "x".repeat(500_000)).as_bytes()).await.unwrap();
    insta::assert_snapshot!(lines.next_line().await.unwrap().unwrap(),
        @r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"a message of more than 1000 bytes is refused"}}"#);
    writer.write_all(b"{\"id\":1,\"method\":\"ping\"}\n").await.unwrap();
    assert_eq!(lines.next_line().await.unwrap().unwrap(), r#"{"jsonrpc":"2.0","id":1,"result":{}}"#);
}

#[tokio::test]
async fn connections_are_bounded() {
    let case = Case::new("bounded");
    let tools = BenchTools::new().with_limits(RecorderLimits { connections: 2, ..RecorderLimits::default() });
    let served = case.start_with(&tools, "files", &ToolSpec::Workspace(WorkspaceTools::default())).await;
    let one = served.handle.connect().await.unwrap();
    let _two = served.handle.connect().await.unwrap();
    insta::assert_snapshot!(served.handle.connect().await.unwrap_err(),
        @"tool server files: 2 agent connections are open, which is the most it takes");
    drop(one);
    tokio::time::timeout(Duration::from_secs(2), async {
        while served.handle.connect().await.is_err() {
            tokio::task::yield_now().await;
        }
    })
    .await
    .expect("the place of the first is free again");
}

#[tokio::test]
async fn a_server_without_its_workspace_says_so() {
    let mut case = Case::new("missing");
    case.world.workspace = "/nowhere/at/all".into();
    let spec = ToolSpec::Workspace(WorkspaceTools::default());
    let mut server = BenchTools::new().server("files", &spec, &case.world).unwrap();
    let error = server.start().await.err().unwrap().to_string();
    assert!(error.starts_with("tool server files: the workspace /nowhere/at/all cannot be used"), "{error}");
}
