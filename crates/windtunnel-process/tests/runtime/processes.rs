//! Processes that walk an item: killed at any moment, and two at once.

use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use camino::{Utf8Path, Utf8PathBuf};
use windtunnel_process::event::{JsonlLog, ProcessEvent};
use windtunnel_process::scenario::doubles::FakeControlPlane;
use windtunnel_process::state::{Status, load};
use windtunnel_store::{Reason, Warning};

use crate::world::{ERRAND, graph, runtime};

/// Where a child walks.
const ROOT: &str = "WT_TEST_CHILD_ROOT";

/// No machine takes as long to begin a process.
const GENEROUS: Duration = Duration::from_secs(120);

/// How often it goes round.
const ROUNDS: &str = "WT_TEST_CHILD_ROUNDS";

#[tokio::test]
#[ignore = "no test by itself: the others call it by name, in a process of its own"]
async fn child() {
    let root = Utf8PathBuf::from(std::env::var(ROOT).unwrap());
    let rounds = std::env::var(ROUNDS).unwrap();
    let log = Arc::new(JsonlLog::open(&root.join("events.jsonl")).unwrap());
    let runtime = runtime(&root, graph(ERRAND), Arc::new(FakeControlPlane::new("bot")), log);
    let item = runtime.item("issue-42").unwrap();
    runtime.start(&item).await.unwrap();
    for _ in 0..rounds.parse().unwrap() {
        runtime.complete(&item, "build", "tester").await.unwrap();
        runtime.force(&item, "build", "@owner", "once more").await.unwrap();
        runtime.ask(&item, "which one?").await.unwrap();
    }
}

fn spawn(root: &Utf8Path, rounds: u32) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .args(["--ignored", "--exact", "processes::child"])
        .env(ROOT, root)
        .env(ROUNDS, rounds.to_string())
        .stdout(Stdio::null())
        .spawn()
        .unwrap()
}

fn told(root: &Utf8Path) -> Vec<ProcessEvent> {
    let records = JsonlLog::read(&root.join("events.jsonl"));
    let events = records.filter_map(|record| match record {
        Ok(record) => Some(record.event),
        // The line that its process did not live to end, or is just writing.
        Err(Warning { reason: Reason::Torn(_), .. }) => None,
        Err(warning) => panic!("{warning}"),
    });
    events.collect()
}

/// Where an event leaves the pointer, if it moves it.
fn moved(event: &ProcessEvent) -> Option<&str> {
    match event {
        ProcessEvent::Started { node } => Some(node),
        ProcessEvent::Advanced { to, .. } | ProcessEvent::Forced { to, .. } => Some(to),
        _ => None,
    }
}

#[test]
fn a_process_that_is_killed_at_any_moment_leaves_a_whole_state_and_a_log_that_tells_it() {
    let folder = tempfile::tempdir().unwrap();
    let root = Utf8Path::from_path(folder.path()).unwrap();
    let mut before = 0;
    for round in 0..12 {
        let mut child = spawn(root, 5_000);
        let end = Instant::now() + GENEROUS;
        while told(root).len() <= before + round {
            assert!(Instant::now() < end, "the child does not walk");
            assert!(child.try_wait().unwrap().is_none(), "the child is gone");
            std::thread::sleep(Duration::from_micros(700));
        }
        child.kill().unwrap();
        child.wait().unwrap();
        let events = told(root);
        before = events.len();
        let Some(state) = load(&root.join("docs/specs/issue-42")).unwrap() else {
            let of_start =
                |event: &_| matches!(event, ProcessEvent::Started { .. } | ProcessEvent::Parked { .. });
            assert!(events.iter().all(of_start), "the state is gone: {events:#?}");
            continue;
        };
        assert!(state.question.is_none() || state.status == Status::Waiting);
        // The events of the verb that was cut off may be told, and no verb of the child's moves the pointer more often than twice.
        let mut pointers = events.iter().rev().filter_map(moved).take(3);
        assert!(pointers.any(|node| node == state.current_node), "{} of {events:#?}", state.current_node);
    }
}

#[test]
fn processes_that_walk_the_same_item_take_turns() {
    let folder = tempfile::tempdir().unwrap();
    let root = Utf8Path::from_path(folder.path()).unwrap();
    let mut children = [(); 3].map(|()| spawn(root, 15));
    for child in &mut children {
        assert!(child.wait().unwrap().success());
    }
    let events = told(root);
    let starts = events.iter().filter(|event| matches!(event, ProcessEvent::Started { .. }));
    assert_eq!(starts.count(), 1);
    let mut pointer = "choose";
    for event in &events {
        if let ProcessEvent::Advanced { node, .. } | ProcessEvent::Forced { node, .. } = event {
            assert_eq!(node, pointer, "two walks are told in one: {event:?}");
        }
        pointer = moved(event).unwrap_or(pointer);
    }
    let state = load(&root.join("docs/specs/issue-42")).unwrap().unwrap();
    assert_eq!(state.current_node, pointer);
    let forced = events.iter().filter(|event| matches!(event, ProcessEvent::Forced { .. }));
    assert_eq!(forced.count(), 3 * 15, "each of them went round as often as it was told to");
}
