//! A change, walked by a program.

use std::error::Error;
use std::sync::Arc;

use windtunnel_core::camino::Utf8Path;
use windtunnel_core::process::event::MemoryLog;
use windtunnel_core::process::scenario::doubles::FakeControlPlane;
use windtunnel_core::process::{ProcessConfig, ProcessRuntime, Verdict};

#[tokio::test]
async fn a_change_that_nobody_wrote_down_is_refused() -> Result<(), Box<dyn Error>> {
    let checkout = tempfile::tempdir()?;
    let root = Utf8Path::from_path(checkout.path()).ok_or("not UTF-8")?;

    // ANCHOR: walk
    // In production: ProcessConfig::load(root), a control plane of yours, a log in a file.
    let config =
        ProcessConfig { origin_repo: Some("shop/changes".parse().unwrap()), ..ProcessConfig::default() };
    let control = Arc::new(FakeControlPlane::new("owner"));
    let log = Arc::new(MemoryLog::default());
    let runtime = ProcessRuntime::new(root, config, control, log)?.with_graph(own_process::graph()?);

    let change = runtime.item("change-7")?;
    runtime.start(&change).await?;
    let answer = runtime.complete(&change, "request", "agent").await?;
    assert_eq!(answer.status, Verdict::Block);
    assert_eq!(answer.messages[0], "no change.md in docs/specs/change-7");
    // ANCHOR_END: walk
    Ok(())
}
