//! One case with the built-in server: start, connect, initialize, list, one call, stop.

#![expect(clippy::unwrap_used, reason = "a measurement that cannot go on has failed")]

use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use windtunnel_api::pack::{ToolSpec, WorkspaceTools};
use windtunnel_mcp::BenchTools;
use windtunnel_spi::{CaseWorld, ToolFactory};

const MESSAGES: [&str; 3] = [
    r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18"}}"#,
    r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#,
    r#"{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"read_file","arguments":{"path":"a.md"}}}"#,
];

fn main() {
    divan::main();
}

async fn case(folder: &str) {
    let world = CaseWorld::new("case-1", folder);
    let spec = ToolSpec::Workspace(WorkspaceTools::default());
    let mut server = BenchTools::new().server("files", &spec, &world).unwrap();
    let handle = server.start().await.unwrap();
    let (reader, mut writer) = tokio::io::split(handle.connect().await.unwrap());
    let mut lines = BufReader::new(reader).lines();
    for message in MESSAGES {
        writer.write_all(format!("{message}\n").as_bytes()).await.unwrap();
        lines.next_line().await.unwrap().unwrap();
    }
    assert_eq!(handle.call_log().unwrap().len(), 1);
    server.stop().await;
}

#[divan::bench]
fn workspace_case_in_process(bencher: divan::Bencher<'_, '_>) {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("a.md"), "text").unwrap();
    let folder = folder.path().to_str().unwrap().to_owned();
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    bencher.bench(|| runtime.block_on(case(&folder)));
}
