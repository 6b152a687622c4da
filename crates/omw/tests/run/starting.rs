//! What keeps a run from starting.

use std::fs;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use camino::Utf8Path;
use omw::prelude::*;

use crate::stage::{Stage, only};

/// Loads nothing.
struct Strict;

impl Runtime for Strict {
    fn kind(&self) -> &'static str {
        "strict"
    }

    fn load(&self, script: &Utf8Path) -> Result<Arc<dyn Brain>, BrainError> {
        let path = script.to_string();
        match fs::read_to_string(script) {
            Ok(_) => Err(BrainError::Malformed { path, line: 3, column: 7, message: "no such word".into() }),
            Err(_) => Err(BrainError::Unreadable { path, error: "it is not there".into() }),
        }
    }
}

#[tokio::test]
async fn every_script_that_cannot_be_loaded_is_named_and_no_agent_starts() {
    let folder = tempfile::tempdir().unwrap();
    let folder = Utf8Path::from_path(folder.path()).unwrap();
    fs::write(folder.join("malformed"), "…").unwrap();
    let has_run = Arc::new(AtomicBool::new(false));
    let ran = Arc::clone(&has_run);
    let stage = Stage::new()
        .agent("alice", move |_| {
            ran.store(true, Ordering::SeqCst);
            Ok(None)
        })
        .scripted("bob", &folder.join("missing"), Arc::new(Strict))
        .scripted("carol", &folder.join("malformed"), Arc::new(Strict));
    let error = stage.builder().start().await.unwrap_err();
    assert_eq!(
        error.to_string(),
        format!(
            "agent \"bob\": cannot read script {folder}/missing: it is not there\n\
             agent \"carol\": {folder}/malformed:3:7: no such word"
        )
    );
    assert!(matches!(error, RunError::Brains(faults) if faults.len() == 2));
    assert!(!has_run.load(Ordering::SeqCst));
}

#[tokio::test]
async fn an_unknown_runtime_and_an_unknown_kind_are_reported_together() {
    let mut stage = Stage::new().agent("alice", |_| Ok(None)).agent("bob", |_| Ok(None));
    stage.config.agents.get_mut("alice").unwrap().runtime = "allice".into();
    stage.config.runtimes.get_mut("bob").unwrap().kind = "perl".into();
    let error = stage.builder().start().await.unwrap_err().to_string();
    for part in [
        "agents.alice.runtime: agent \"alice\" references unknown runtime \"allice\"; expected one of alice, bob; did you mean \"alice\"?",
        "runtime.bob.kind: unknown kind \"perl\"; expected one of alice, bob",
    ] {
        assert!(error.contains(part), "{part}\nis not in\n{error}");
    }
}

#[tokio::test]
async fn scripts_in_a_folder_that_is_not_there_cannot_be_watched() {
    let stage = Stage::new().scripted("alice", Utf8Path::new("/no/such/folder/script"), Arc::new(Strict));
    let error = stage.builder().watch(true).start().await.unwrap_err();
    assert_eq!(
        error.to_string(),
        "cannot watch the scripts: cannot watch /no/such/folder/script: there is no folder /no/such/folder"
    );
}

#[tokio::test]
async fn a_run_without_agents_ends_at_once() {
    assert!(Stage::new().run().await.agents.is_empty());
}

#[tokio::test]
async fn a_brain_runs_on_a_thread_of_its_own_under_its_agents_name() {
    let stage = Stage::new().agent("a\0ice", |host| {
        let thread = std::thread::current();
        Ok(Some(format!("{} as {}", host.whoami(), thread.name().unwrap_or_default())))
    });
    let report = stage.run().await;
    assert_eq!(only(&report).outcome, RunOutcome::Exited("a\0ice as omw:a?ice".into()));
}
