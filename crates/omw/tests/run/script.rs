//! Brains in a scripting language, which are ended, refused and replaced like any others.

use std::fs;
use std::sync::{Arc, Mutex};

use camino::{Utf8Path, Utf8PathBuf};
use omw::brain::rhai::Rhai;
use omw::prelude::*;
use tempfile::TempDir;

use crate::stage::{Stage, finish, only, until};

struct Script {
    path: Utf8PathBuf,
    _folder: TempDir,
}

impl Script {
    fn new(text: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = Utf8Path::from_path(folder.path()).unwrap().join("brain.rhai");
        fs::write(&path, text).unwrap();
        Self { path, _folder: folder }
    }

    fn stage(&self) -> Stage {
        Stage::new().scripted("alice", &self.path, Arc::new(Rhai::new()))
    }
}

#[tokio::test]
async fn a_script_that_never_ends_is_interrupted_wherever_it_is() {
    for text in [
        "loop {}",
        "loop { try { loop {} } catch {} }",
        "loop { try { omw::host::recv() } catch {} }",
        "loop { omw::host::sleep_for(3600000) }",
        "loop { omw::host::memory_set(\"key\", \"value\") }",
    ] {
        let script = Script::new(text);
        let handle = script.stage().start().await;
        until("the agent is at work", || handle.control().whereabouts("alice").is_some()).await;
        handle.control().stop_agent("alice");
        let report = finish(handle).await;
        assert_eq!(only(&report).outcome, RunOutcome::Stopped, "{text}");
        assert!(!only(&report).abandoned, "{text}");
    }
}

#[tokio::test]
async fn a_script_may_tidy_up_before_a_shutdown() {
    let script = Script::new(
        "omw::host::subscribe_lifecycle();
        let first = omw::host::recv().kind;
        try { omw::host::recv() } catch (error) { return `${first}, then ${error}`; }",
    );
    let handle = script.stage().start().await;
    until("it listens", || {
        handle.control().whereabouts("alice").is_some_and(|place| place.op == Some("recv"))
    })
    .await;
    handle.control().shutdown();
    let report = finish(handle).await;
    assert_eq!(only(&report).outcome, RunOutcome::Exited("shutdown, then agent shutting down".into()));
}

#[tokio::test]
async fn a_malformed_script_refuses_the_run_with_its_place() {
    let script = Script::new("let reply =\n  ;");
    let error = script.stage().builder().start().await.unwrap_err().to_string();
    let place = format!("agent \"alice\": {}:2:3: ", script.path);
    assert!(error.starts_with(&place), "{error}");
}

#[tokio::test]
async fn a_script_is_replaced_while_it_runs_and_hears_of_bad_edits() {
    let text = |version: &str| {
        format!(
            "omw::host::subscribe_lifecycle();
            omw::host::memory_set(\"at\", \"{version}\");
            loop {{
                let event = omw::host::recv();
                omw::host::memory_set(event.kind, if event.payload == () {{ \"\" }} else {{ event.payload }});
            }}"
        )
    };
    let script = Script::new(&text("one"));
    let seen = Arc::new(Mutex::new(Vec::new()));
    let log = Arc::clone(&seen);
    let trace = TraceSender::new(move |event| {
        if let TraceEvent::Call { op, detail, .. } = event
            && op == "memory_set"
        {
            let text = |key: &str| detail[key].as_str().unwrap_or_default().to_owned();
            log.lock().unwrap().push((text("key"), text("value")));
        }
    });
    let noted = |key: &'static str, value: &'static str| {
        let seen = Arc::clone(&seen);
        move || seen.lock().unwrap().iter().any(|(k, v)| k == key && v.contains(value))
    };
    let handle = script.stage().builder().watch(true).trace(trace).start().await.unwrap();
    until("the first runs", noted("at", "one")).await;
    fs::write(&script.path, "let x = ;").unwrap();
    until("it hears of a bad edit", noted("error", "brain.rhai:1:9: ")).await;
    fs::write(&script.path, text("two")).unwrap();
    until("the second runs", noted("at", "two")).await;
    handle.control().shutdown();
    finish(handle).await;
    let kinds: Vec<_> = seen.lock().unwrap().iter().map(|(key, _)| key.clone()).collect();
    assert_eq!(kinds, ["at", "error", "reload", "at", "shutdown"]);
}
