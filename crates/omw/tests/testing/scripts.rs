//! Tests of scripts: however a script goes on, its test ends.

use std::fs;
use std::time::{Duration, Instant};

use omw::prelude::*;
use omw::testing::{Harness, TestReport, parse};
use windtunnel_doc::Format;

/// Runs a test of one script.
async fn run(script: &str, assertions: &str) -> TestReport {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("alice.rhai");
    fs::write(&path, script).unwrap();
    let config = format!(
        r#"
[runtime.main]
kind = "rhai"
[agents.alice]
runtime = "main"
script = "{}"
[tunables]
inbox_bound = 100
[providers.llm]
kind = "mock"
turns = [{{ content = "hello" }}]
[assertions.alice]
{assertions}
"#,
        path.display()
    );
    let test = parse(&config, Format::Toml).unwrap_or_else(|problems| panic!("{problems}"));
    let harness = Harness::new(Registries::testing());
    tokio::time::timeout(Duration::from_secs(20), harness.run(&test)).await.expect("the test ends")
}

const ASSERTED: &str = "outcome = \"asserted\"\nevents = [{ kind = \"call\", op = \"whoami\" }]";

#[tokio::test(flavor = "multi_thread")]
async fn no_script_outlives_the_verdict_of_its_test() {
    for script in [
        "omw::host::whoami(); loop { }",
        "omw::host::whoami(); loop { omw::host::memory_set(\"k\", \"v\"); }",
        "omw::host::whoami(); loop { try { omw::host::recv() } catch { } }",
        "omw::host::whoami(); loop { try { omw::host::sleep_for(60000) } catch { } }",
        "omw::host::whoami(); omw::host::wait_for(60000); omw::host::recv()",
        "let llm = omw::provider::get(\"llm\"); omw::host::whoami(); loop { llm.chat(\"m\", [], []) }",
        "omw::host::whoami(); fn deep(n) { if n == 0 { 0 } else { deep(n - 1) } } loop { deep(20); }",
    ] {
        let began = Instant::now();
        let report = run(script, ASSERTED).await;
        assert!(report.passed(), "{script}: {report}");
        assert_eq!(report.warnings, [""; 0], "{script}");
        assert!(began.elapsed() < Duration::from_secs(3), "{script} took {:?}", began.elapsed());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_script_that_floods_itself_fails_and_does_not_hang() {
    let script = "omw::host::subscribe_agent(\"alice\"); loop { omw::host::send_agent(\"alice\", \"x\"); }";
    let report = run(script, "outcome = \"completed\"").await;
    let text = report.to_string();
    assert!(
        text.contains("the brain failed: ") && text.contains("inbox of agent \"alice\" is full"),
        "{text}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_script_that_fails_before_its_events_settled_fails_its_test() {
    let assertions = "outcome = \"asserted\"\nevents = [{ kind = \"call\", op = \"chat\" }]";
    let report = run("let x = 1;\nthrow \"boom\"", assertions).await;
    insta::assert_snapshot!(report, @r#"
    agent "alice" failed:
      the brain failed: Runtime error: boom (line 2, position 1)
      expectation [0] was not met: {kind: "call", op: "chat"}
        cursor: 0 (0 seen)
        closest: none, nothing came after the cursor
      its trace is empty: it saw and did nothing
    left in the mocks' queues:
      provider "llm": 1 of 1 turns
        turns[0]: "hello"
    "#);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_script_that_fails_after_its_events_settled_passes() {
    let report = run("omw::host::whoami(); throw \"boom\"", ASSERTED).await;
    assert!(report.passed(), "{report}");
}
