//! Scripts that are edited while their brains run.

use std::fs;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use camino::{Utf8Path, Utf8PathBuf};
use omw::prelude::*;
use tempfile::TempDir;

use crate::stage::{Closure, Ran, Stage, finish, outcome, raise, receive_for_ever, until};

/// Scripts are any text but such that starts with `bad`; their brains know the text.
struct Texts<F> {
    run: Arc<F>,
    loads: Arc<AtomicU64>,
}

impl<F: Fn(&str, &dyn Host) -> Ran + Send + Sync + 'static> Runtime for Texts<F> {
    fn kind(&self) -> &'static str {
        "text"
    }

    fn load(&self, script: &Utf8Path) -> Result<Arc<dyn Brain>, BrainError> {
        let path = script.to_string();
        let text = fs::read_to_string(script).map_err(|error| {
            self.loads.fetch_add(1, Ordering::SeqCst);
            BrainError::Unreadable { path: path.clone(), error: error.to_string() }
        })?;
        self.loads.fetch_add(1, Ordering::SeqCst);
        if text.starts_with("bad") {
            return Err(BrainError::Malformed { path, line: 1, column: 1, message: "it is bad".into() });
        }
        let run = Arc::clone(&self.run);
        Ok(Arc::new(Closure(move |host: &dyn Host| run(&text, host))))
    }
}

/// A folder with one script.
struct Place {
    script: Utf8PathBuf,
    loads: Arc<AtomicU64>,
    _folder: TempDir,
}

impl Place {
    fn new(text: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let script = Utf8Path::from_path(folder.path()).unwrap().join("script");
        fs::write(&script, text).unwrap();
        Self { script, loads: Arc::default(), _folder: folder }
    }

    fn runtime(&self, run: impl Fn(&str, &dyn Host) -> Ran + Send + Sync + 'static) -> Arc<dyn Runtime> {
        Arc::new(Texts { run: Arc::new(run), loads: Arc::clone(&self.loads) })
    }

    /// In place, as some editors do.
    fn write(&self, text: &str) {
        fs::write(&self.script, text).unwrap();
    }

    /// By another file, as other editors do.
    fn replace(&self, text: &str) {
        let draft = self.script.with_extension("draft");
        fs::write(&draft, text).unwrap();
        fs::rename(draft, &self.script).unwrap();
    }

    fn loads(&self) -> u64 {
        self.loads.load(Ordering::SeqCst)
    }

    /// Waits until an edit was looked at.
    async fn looked(&self, before: u64) {
        until("the edit was looked at", || self.loads() > before).await;
    }
}

type Log = Arc<Mutex<Vec<String>>>;

fn note(log: &Log, text: impl Into<String>) {
    log.lock().unwrap().push(text.into());
}

async fn noted(log: &Log, text: &str) {
    until(text, || log.lock().unwrap().iter().any(|line| line == text)).await;
}

#[tokio::test]
async fn a_changed_script_takes_over_with_memory_and_a_bad_one_does_not() {
    let (place, log) = (Place::new("one"), Log::default());
    let lines = Arc::clone(&log);
    let runtime = place.runtime(move |text, host| {
        let before = host.memory_get("text").map_err(raise)?.unwrap_or_else(|| "nothing".into());
        host.memory_set("text", text).map_err(raise)?;
        host.subscribe_lifecycle().map_err(raise)?;
        note(&lines, format!("{text} after {before}"));
        loop {
            let event = host.recv().map_err(raise)?.event;
            note(&lines, format!("{text} got {}", event.kind()));
        }
    });
    let stage = Stage::new().scripted("alice", &place.script, runtime);
    let stage = stage.tuned(|tunables| tunables.watch_debounce_ms = 100);
    let handle = stage.builder().watch(true).start().await.unwrap();
    noted(&log, "one after nothing").await;
    place.write("bad");
    noted(&log, "one got error").await;
    place.replace("two");
    noted(&log, "two after one").await;
    let before = place.loads();
    fs::remove_file(&place.script).unwrap();
    tokio::time::sleep(Duration::from_millis(5)).await;
    place.write("two");
    tokio::time::sleep(Duration::from_millis(400)).await;
    assert_eq!(place.loads(), before, "the same text is no edit");
    fs::remove_file(&place.script).unwrap();
    noted(&log, "two got error").await;
    place.write("three");
    noted(&log, "three after two").await;
    handle.control().shutdown();
    let report = finish(handle).await;
    assert_eq!(outcome(&report, "alice"), &RunOutcome::Stopped);
    let expected = [
        "one after nothing",
        "one got error",
        "one got reload",
        "two after one",
        "two got error",
        "two got reload",
        "three after two",
        "three got shutdown",
    ];
    assert_eq!(*log.lock().unwrap(), expected);
}

#[tokio::test]
async fn a_watched_agent_that_ended_is_started_anew_by_an_edit() {
    let (place, log) = (Place::new("one"), Log::default());
    let lines = Arc::clone(&log);
    let runtime = place.runtime(move |text, _| {
        note(&lines, text);
        match text {
            "one" => Ok(None),
            _ => Err(BrainError::Failed(format!("{text} fails"))),
        }
    });
    let stage = Stage::new().scripted("alice", &place.script, runtime);
    let handle = stage.builder().watch(true).start().await.unwrap();
    for text in ["one", "two", "three"] {
        place.write(text);
        noted(&log, text).await;
    }
    tokio::time::sleep(Duration::from_millis(20)).await;
    handle.control().shutdown();
    let report = finish(handle).await;
    assert_eq!(outcome(&report, "alice"), &RunOutcome::Failed("three fails".into()));
}

#[tokio::test]
async fn a_brain_that_does_not_make_room_is_interrupted_after_the_grace() {
    let (place, log) = (Place::new("one"), Log::default());
    let lines = Arc::clone(&log);
    let runtime = place.runtime(move |text, host| {
        note(&lines, text);
        while text == "one" && !host.stop().is_interrupted() {
            std::thread::sleep(Duration::from_millis(1));
        }
        receive_for_ever(host)
    });
    let stage = Stage::new().scripted("alice", &place.script, runtime);
    let stage = stage.tuned(|tunables| tunables.reload_grace_secs = 0);
    let handle = stage.builder().watch(true).start().await.unwrap();
    noted(&log, "one").await;
    place.write("two");
    noted(&log, "two").await;
    handle.control().shutdown();
    let report = finish(handle).await;
    assert_eq!(outcome(&report, "alice"), &RunOutcome::Stopped);
}

/// Sends numbers until it is told to stop, and exits with how many there were.
fn count(host: &dyn Host, may_start: &AtomicBool, may_end: &AtomicBool) -> Ran {
    while !may_start.load(Ordering::SeqCst) {
        host.sleep_for(1).map_err(raise)?;
    }
    let mut number = 0_u64;
    while !may_end.load(Ordering::SeqCst) {
        match host.send_agent("alice", &number.to_string()) {
            Ok(()) => number += 1,
            Err(HostError::Failed(_)) => {}
            Err(stopped) => return Err(raise(stopped)),
        }
        host.sleep_for(1).map_err(raise)?;
    }
    Ok(Some(number.to_string()))
}

#[tokio::test]
async fn a_hundred_edits_lose_no_message_and_end_no_good_run() {
    let place = Place::new("good");
    let (received, edits_seen) = (Arc::new(Mutex::new(Vec::new())), Log::default());
    let (may_start, may_end) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicBool::new(false)));
    let (numbers, lines, listening) =
        (Arc::clone(&received), Arc::clone(&edits_seen), Arc::clone(&may_start));
    let alice = place.runtime(move |text, host| {
        note(&lines, text);
        if host.memory_get("subscribed").map_err(raise)?.is_none() {
            host.subscribe_agent("bob").map_err(raise)?;
            host.memory_set("subscribed", "yes").map_err(raise)?;
            listening.store(true, Ordering::SeqCst);
        }
        loop {
            if let Event::Message(number) = host.recv().map_err(raise)?.event {
                numbers.lock().unwrap().push(number.parse::<u64>().unwrap());
            }
        }
    });
    let (start, end) = (Arc::clone(&may_start), Arc::clone(&may_end));
    let bob_place = Place::new("bob");
    let bob = bob_place.runtime(move |_, host| count(host, &start, &end));
    let (trace, events) = TraceSender::channel();
    let handle = Stage::new()
        .scripted("alice", &place.script, alice)
        .scripted("bob", &bob_place.script, bob)
        .builder()
        .watch(true)
        .trace(trace)
        .start()
        .await
        .unwrap();
    until("alice listens", || may_start.load(Ordering::SeqCst)).await;

    for edit in 0..100 {
        let before = place.loads();
        let text = if edit % 2 == 0 { format!("bad {edit}") } else { format!("good {edit}") };
        if edit % 3 == 0 {
            place.write(&text);
        } else {
            place.replace(&text);
        }
        place.looked(before).await;
    }
    noted(&edits_seen, "good 99").await;
    may_end.store(true, Ordering::SeqCst);
    until("bob has ended", || handle.control().whereabouts("bob").is_none()).await;
    until("alice has taken all", || {
        handle.control().whereabouts("alice").is_some_and(|place| place.inbox == 0)
    })
    .await;
    handle.control().shutdown();
    let report = finish(handle).await;

    let RunOutcome::Exited(sent) = outcome(&report, "bob") else { panic!("{report:?}") };
    let sent: u64 = sent.parse().unwrap();
    assert!(sent > 100, "there was traffic all the time: {sent}");
    assert!(
        received.lock().unwrap().iter().copied().eq(0..sent),
        "{sent} sent, {:?}",
        received.lock().unwrap()
    );
    let inbound = events.try_iter().filter(|event| matches!(event, TraceEvent::Inbound { .. })).count();
    assert_eq!(inbound as u64, sent);
    let runs = edits_seen.lock().unwrap();
    assert!(runs.iter().all(|text| text.starts_with("good")), "{runs:?}");
    assert!(runs.len() > 10, "edits took over: {runs:?}");
    assert_eq!(outcome(&report, "alice"), &RunOutcome::Stopped);
}
