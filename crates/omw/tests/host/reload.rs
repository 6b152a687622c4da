//! What a changed script finds of its predecessor.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use camino::Utf8PathBuf;
use futures::StreamExt as _;
use omw::prelude::*;
use tempfile::TempDir;

use crate::doubles::{Door, Voice, ask};
use crate::stage::{Record, Stage, finish, until, until_in};

/// A script that can be edited, and how often its brain was started.
struct Edited {
    folder: TempDir,
    notes: Arc<Mutex<Vec<String>>>,
    runs: Arc<AtomicUsize>,
}

impl Edited {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("script"), "0").unwrap();
        Self { folder, notes: Arc::default(), runs: Arc::default() }
    }

    fn script(&self) -> Utf8PathBuf {
        Utf8PathBuf::from_path_buf(self.folder.path().join("script")).unwrap()
    }

    /// Runs the first brain until it waits in `recv`, then the second to its end.
    async fn run(
        &self,
        stage: Stage,
        first: fn(&dyn Host) -> HostResult<String>,
        second: fn(&dyn Host) -> HostResult<String>,
    ) -> (Vec<String>, Record) {
        let (runs, notes) = (Arc::clone(&self.runs), Arc::clone(&self.notes));
        let record = stage.record();
        let handle = stage
            .scripted("alice", &self.script(), move |host| {
                let brain = if runs.fetch_add(1, Ordering::SeqCst) == 0 { first } else { second };
                let said = brain(host)?;
                notes.lock().unwrap().push(said);
                Ok(String::new())
            })
            .builder()
            .watch(true)
            .start()
            .await
            .unwrap();
        until_in(handle.control(), "alice", "recv");
        std::fs::write(self.script(), "1").unwrap();
        until("the second brain has ended", || self.notes.lock().unwrap().len() == 2);
        handle.control().shutdown();
        finish(handle).await;
        (self.notes.lock().unwrap().clone(), record)
    }
}

fn message(host: &dyn Host) -> HostResult<String> {
    match host.recv()?.event {
        Event::Message(text) => Ok(text),
        other => Ok(other.kind().to_owned()),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn inbox_subscriptions_and_memory_are_there_and_the_lifecycle_is_not() {
    let (notes, record) = Edited::new()
        .run(
            Stage::new(),
            |host| {
                host.subscribe_lifecycle()?;
                let id = host.subscribe_agent("alice")?;
                host.memory_set("id", &id)?;
                let reload = message(host)?;
                // The event comes a moment before the request that it announces.
                crate::stage::until("the reload is requested", || host.stop().requested().is_some());
                // Sent after the reload: no message is lost, though this brain takes none any more.
                host.send_agent("alice", "left")?;
                Ok(format!("{reload}; {}", host.recv().unwrap_err()))
            },
            |host| {
                host.subscribe_lifecycle()?;
                let id = host.subscribe_agent("alice")?;
                assert_eq!(Some(id), host.memory_get("id")?);
                let left = message(host)?;
                host.send_agent("alice", "new")?;
                let new = message(host)?;
                assert_eq!(host.try_recv()?, None, "each message once");
                Ok(format!("{left} {new}"))
            },
        )
        .await;
    assert_eq!(notes, ["reload; agent reloading", "left new"]);
    let opened = record.of("alice").into_iter().filter(|event| event["kind"] == "opened");
    let opened: Vec<_> = opened.map(|event| event["source"].as_str().unwrap().to_owned()).collect();
    assert_eq!(opened, ["lifecycle", "agent", "lifecycle"], "the subscription is adopted");
}

#[tokio::test(flavor = "multi_thread")]
async fn streams_and_timers_are_cancelled_unless_the_tunables_keep_them() {
    for is_kept in [false, true] {
        let stage = Stage::new()
            .tuned(|tunables| tunables.cancel_pumps_on_reload = !is_kept)
            .provider("voice", Voice(Pace::Free));
        let (notes, record) = Edited::new()
            .run(
                stage,
                |host| {
                    host.memory_set("timer", &host.wait_for(3_600_000)?)?;
                    host.memory_set("stream", &host.chat_stream("voice", ask("never"))?)?;
                    Ok(host.recv().unwrap_err().to_string())
                },
                |host| {
                    let mut open = Vec::new();
                    for key in ["timer", "stream"] {
                        open.push(host.is_open(&host.memory_get(key)?.unwrap_or_default()).to_string());
                    }
                    Ok(open.join(" "))
                },
            )
            .await;
        assert_eq!(notes[1], format!("{is_kept} {is_kept}"));
        let events = record.of("alice");
        let until_second = events.iter().take_while(|event| event["op"] != "memory_get");
        let cancelled = until_second.filter(|event| event["reason"] == "cancelled").count();
        assert_eq!(cancelled, if is_kept { 0 } else { 2 });
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_session_goes_on_and_the_model_stays_served() {
    let (door, routes) = Door::new();
    let client = tokio::spawn(async move {
        let routes = routes.await.unwrap();
        routes.served("m").await;
        let request = EndpointRequest { model: "m".to_owned(), ..EndpointRequest::default() };
        let session = routes.open(request).await.unwrap();
        session.deltas.map(|delta| delta.unwrap().content.unwrap_or_default()).collect::<Vec<_>>().await
    });
    let (notes, _record) = Edited::new()
        .run(
            Stage::new().endpoint(door),
            |host| {
                host.memory_set("id", &host.subscribe_endpoint("m")?)?;
                let Event::EndpointMessage(asked) = host.recv()?.event else { panic!("another event") };
                host.memory_set("session", &asked.session)?;
                let half = ChatDelta { content: Some("half".to_owned()), ..ChatDelta::default() };
                host.stream_endpoint(&asked.session, half)?;
                Ok(host.recv().unwrap_err().to_string())
            },
            |host| {
                let id = host.subscribe_endpoint("m")?;
                assert_eq!(Some(id), host.memory_get("id")?);
                let session = host.memory_get("session")?.unwrap_or_default();
                let rest = ChatDelta {
                    content: Some("rest".to_owned()),
                    finish_reason: Some("stop".to_owned()),
                    ..ChatDelta::default()
                };
                host.stream_endpoint(&session, rest)?;
                Ok(host.subscribe_endpoint("m").unwrap_err().to_string())
            },
        )
        .await;
    assert_eq!(notes[1], r#"model "m" is already subscribed"#);
    assert_eq!(client.await.unwrap(), ["half", "rest"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_chat_in_flight_may_come_to_its_end() {
    let edited = Edited::new();
    let (runs, notes) = (Arc::clone(&edited.runs), Arc::clone(&edited.notes));
    let handle = Stage::new()
        .tooling("tools", |_| crate::doubles::Tools::new(Pace::Free))
        .scripted("alice", &edited.script(), move |host| {
            if runs.fetch_add(1, Ordering::SeqCst) > 0 {
                return Ok(String::new());
            }
            while host.stop().requested().is_none() {
                host.call_tool_blocking("tools", "slow", serde_json::json!({}))?;
            }
            let after = host.call_tool_blocking("tools", "slow", serde_json::json!({}))?;
            notes.lock().unwrap().push(format!("{} {}", after.name, host.recv().unwrap_err()));
            Ok(String::new())
        })
        .builder()
        .watch(true)
        .start()
        .await
        .unwrap();
    until_in(handle.control(), "alice", "call_tool_blocking");
    std::fs::write(edited.script(), "1").unwrap();
    until("the first brain has ended", || !edited.notes.lock().unwrap().is_empty());
    handle.control().shutdown();
    finish(handle).await;
    assert_eq!(*edited.notes.lock().unwrap(), ["slow agent reloading"]);
}
