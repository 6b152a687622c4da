//! Clients of the endpoint.

use std::sync::{Arc, OnceLock};

use futures::{FutureExt as _, StreamExt as _};
use omw::prelude::*;
use tokio::sync::oneshot;

use crate::doubles::{Door, Routes};
use crate::stage::{Stage, finish, until_in, value};

fn stage() -> (Stage, oneshot::Receiver<Routes>) {
    let (door, routes) = Door::new();
    (Stage::new().endpoint(door), routes)
}

async fn open(routes: oneshot::Receiver<Routes>, model: &str) -> (Routes, Session) {
    let routes = routes.await.unwrap();
    routes.served(model).await;
    let session = routes.open(request(model)).await.unwrap();
    (routes, session)
}

fn request(model: &str) -> EndpointRequest {
    EndpointRequest { model: model.to_owned(), ..EndpointRequest::default() }
}

fn say(text: &str) -> ChatDelta {
    ChatDelta { content: Some(text.to_owned()), ..ChatDelta::default() }
}

fn last() -> ChatDelta {
    ChatDelta { finish_reason: Some("stop".to_owned()), ..ChatDelta::default() }
}

/// The session of the next request.
fn asked(host: &dyn Host) -> HostResult<String> {
    match host.recv()?.event {
        Event::EndpointMessage(message) => Ok(message.session),
        other => panic!("{other:?}"),
    }
}

/// How the next event says that a session is over.
fn over(host: &dyn Host) -> HostResult<String> {
    match host.recv()?.event {
        Event::EndpointSessionEnd(end) => Ok(end.error.unwrap_or_else(|| "as it should".to_owned())),
        other => panic!("{other:?}"),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_gets_what_the_agent_streams_up_to_the_finish_reason() {
    let (stage, routes) = stage();
    let handle = stage
        .agent("alice", |host| {
            let id = host.subscribe_endpoint("m")?;
            let envelope = host.recv()?;
            assert_eq!(envelope.id, id);
            let Event::EndpointMessage(message) = envelope.event else { panic!("another event") };
            host.stream_endpoint(&message.session, say("hello"))?;
            host.stream_endpoint(&message.session, last())?;
            let error = host.stream_endpoint(&message.session, say("more")).unwrap_err();
            Ok(format!("{error}; {}", over(host)?))
        })
        .start()
        .await;
    let (routes, mut session) = open(routes, "m").await;
    assert_eq!(routes.models(), ["m"]);
    let deltas: Vec<_> = session.deltas.by_ref().map(Result::unwrap).collect().await;
    assert_eq!(deltas, [say("hello"), last()]);
    session.closer.close();
    assert_eq!(value(&finish(handle).await, "alice"), "unknown endpoint session; as it should");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_client_decides_what_the_agent_hears_of_the_end() {
    let (stage, routes) = stage();
    let handle = stage
        .agent("alice", |host| {
            host.subscribe_endpoint("m")?;
            let mut texts = Vec::new();
            // Left at once; closed at once; read to the end and dropped.
            for _ in 0..2 {
                asked(host)?;
                texts.push(over(host)?);
            }
            let session = asked(host)?;
            host.stream_endpoint(&session, last())?;
            asked(host)?;
            texts.push(over(host)?);
            Ok(texts.join("; "))
        })
        .start()
        .await;
    let (routes, session) = open(routes, "m").await;
    drop(session);
    let Session { closer, deltas, .. } = routes.open(request("m")).await.unwrap();
    closer.close();
    drop(deltas);
    let session = routes.open(request("m")).await.unwrap();
    assert_eq!(session.deltas.count().await, 1);
    drop(routes.open(request("m")).await.unwrap());
    let expected = "endpoint session aborted; as it should; endpoint session aborted";
    assert_eq!(value(&finish(handle).await, "alice"), expected);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_that_the_client_has_not_read_to_its_end_was_aborted() {
    let (stage, routes) = stage();
    let handle = stage
        .agent("alice", |host| {
            host.subscribe_endpoint("m")?;
            let session = asked(host)?;
            host.stream_endpoint(&session, last())?;
            host.memory_set("sent", "all")?;
            over(host)
        })
        .start()
        .await;
    let (_routes, session) = open(routes, "m").await;
    until_in(handle.control(), "alice", "recv");
    crate::stage::until("the answer was sent", || {
        handle.control().whereabouts("alice").is_some_and(|at| at.calls >= 5)
    });
    drop(session);
    assert_eq!(value(&finish(handle).await, "alice"), "endpoint session aborted");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_agent_that_stops_serving_ends_its_sessions() {
    let (stage, routes) = stage();
    let handle = stage
        .agent("alice", |host| {
            let id = host.subscribe_endpoint("m")?;
            let session = asked(host)?;
            host.stream_endpoint(&session, say("hello"))?;
            host.unsubscribe_endpoint(&id)?;
            let error = host.stream_endpoint(&session, say("more")).unwrap_err();
            Ok(format!("{error}; {}", over(host)?.replace(&id, "<id>")))
        })
        .start()
        .await;
    let (routes, mut session) = open(routes, "m").await;
    assert_eq!(session.deltas.next().await.unwrap().unwrap(), say("hello"));
    let error = session.deltas.next().await.unwrap().unwrap_err().to_string();
    assert!(error.starts_with("endpoint subscription \"") && error.ends_with("\" unsubscribed"), "{error}");
    assert!(session.deltas.next().await.is_none());
    assert!(routes.open(request("m")).await.is_err(), "nobody serves it");
    assert_eq!(
        value(&finish(handle).await, "alice"),
        "unknown endpoint session; endpoint subscription \"<id>\" unsubscribed"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn an_agent_that_ends_leaves_no_client_waiting() {
    let (stage, routes) = stage();
    let handle = stage
        .agent("alice", |host| {
            host.subscribe_endpoint("m")?;
            asked(host)?;
            Ok(String::new())
        })
        .start()
        .await;
    let (_routes, mut session) = open(routes, "m").await;
    assert!(session.deltas.next().await.unwrap().is_err());
    finish(handle).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_model_is_served_by_one_agent() {
    let (stage, routes) = stage();
    let served = Arc::new(OnceLock::<Routes>::new());
    let seen = Arc::clone(&served);
    let handle = stage
        .agent("alice", |host| {
            // First, so that it hears of bob, who waits until it serves.
            host.subscribe_agent("bob")?;
            host.subscribe_endpoint("m")?;
            let again = host.subscribe_endpoint("m").unwrap_err().to_string();
            host.recv()?;
            Ok(again)
        })
        .agent("bob", move |host| {
            crate::stage::until("alice serves it", || {
                seen.get().is_some_and(|routes| routes.models() == ["m"])
            });
            let error = host.subscribe_endpoint("m").unwrap_err().to_string();
            host.send_agent("alice", "done")?;
            Ok(error)
        })
        .start()
        .await;
    assert!(served.set(routes.await.unwrap()).is_ok());
    let report = finish(handle).await;
    for agent in ["alice", "bob"] {
        assert_eq!(value(&report, agent), r#"model "m" is already subscribed"#);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn only_the_agent_that_was_asked_answers() {
    let (stage, routes) = stage();
    let handle = stage
        .agent("alice", |host| {
            host.subscribe_endpoint("m")?;
            let session = asked(host)?;
            host.subscribe_agent("bob")?;
            loop {
                host.send_agent("bob", &session)?;
                host.sleep_for(1)?;
                if host.try_recv()?.is_some() {
                    return Ok(String::new());
                }
            }
        })
        .agent("bob", |host| {
            host.subscribe_agent("alice")?;
            let Event::Message(session) = host.recv()?.event else { panic!("another event") };
            let error = host.stream_endpoint(&session, say("hello")).unwrap_err().to_string();
            host.send_agent("alice", "done")?;
            Ok(error)
        })
        .start()
        .await;
    let (_routes, _session) = open(routes, "m").await;
    assert_eq!(value(&finish(handle).await, "bob"), "endpoint session belongs to another agent");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_that_reads_slowly_holds_the_agent_back_until_it_is_stopped_or_the_client_goes() {
    for leaves in [false, true] {
        let (stage, routes) = stage();
        let handle = stage
            .tuned(|tunables| tunables.session_buffer = 1)
            .agent("alice", |host| {
                host.subscribe_endpoint("m")?;
                let session = asked(host)?;
                host.stream_endpoint(&session, say("first"))?;
                Ok(host.stream_endpoint(&session, say("second")).unwrap_err().to_string())
            })
            .start()
            .await;
        let (_routes, session) = open(routes, "m").await;
        crate::stage::until("the second piece waits", || {
            handle.control().whereabouts("alice").is_some_and(|at| at.in_call && at.calls == 4)
        });
        std::thread::sleep(std::time::Duration::from_millis(10));
        if leaves {
            drop(session);
        } else {
            handle.control().shutdown();
        }
        let expected = if leaves { "endpoint session receiver closed" } else { "agent shutting down" };
        assert_eq!(value(&finish(handle).await, "alice"), expected);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_request_waits_for_room_and_gives_up_when_nobody_serves_any_more() {
    let (stage, routes) = stage();
    let handle = stage
        .tuned(|tunables| tunables.inbox_bound = 1)
        .agent("alice", |host| {
            host.subscribe_agent("alice")?;
            host.send_agent("alice", "fills it")?;
            host.subscribe_endpoint("m")?;
            host.sleep_for(50)?;
            Ok(String::new())
        })
        .start()
        .await;
    let routes = routes.await.unwrap();
    routes.served("m").await;
    assert!(routes.open(request("m")).await.is_err());
    finish(handle).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_end_of_a_session_waits_for_room_too() {
    let (stage, routes) = stage();
    let handle = stage
        .tuned(|tunables| tunables.inbox_bound = 1)
        .agent("alice", |host| {
            host.subscribe_endpoint("m")?;
            host.sleep_for(50)?;
            asked(host)?;
            over(host)
        })
        .start()
        .await;
    let (_routes, session) = open(routes, "m").await;
    drop(session);
    assert_eq!(value(&finish(handle).await, "alice"), "endpoint session aborted");
}

#[tokio::test(flavor = "multi_thread")]
async fn open_sessions_of_a_model_are_limited() {
    let (stage, routes) = stage();
    let handle = stage
        .tuned(|tunables| tunables.inbox_bound = 10_000)
        .agent("alice", |host| {
            host.subscribe_endpoint("other")?;
            host.subscribe_endpoint("m")?;
            host.sleep_for(3_600_000)?;
            Ok(String::new())
        })
        .start()
        .await;
    let (routes, first) = open(routes, "m").await;
    let mut sessions = vec![first];
    let refused = loop {
        match routes.open(request("m")).await {
            Ok(session) => sessions.push(session),
            Err(error) => break error,
        }
    };
    assert_eq!((sessions.len(), refused), (4_096, RouteError::TooManySessions("m".to_owned())));
    assert!(routes.open(request("other")).await.is_ok(), "each model has its own");
    sessions.pop();
    assert!(routes.open(request("m")).await.is_ok(), "one has left");
    handle.control().halt();
    finish(handle).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn requests_that_wait_for_room_count_as_sessions() {
    let (stage, routes) = stage();
    let handle = stage
        .tuned(|tunables| tunables.inbox_bound = 1)
        .agent("alice", |host| {
            host.subscribe_agent("alice")?;
            host.send_agent("alice", "fills it")?;
            host.subscribe_endpoint("m")?;
            host.sleep_for(3_600_000)?;
            Ok(String::new())
        })
        .start()
        .await;
    let routes = routes.await.unwrap();
    routes.served("m").await;
    let mut waiting: Vec<_> = (0..4_096).map(|_| routes.open(request("m"))).collect();
    assert!(waiting.iter_mut().all(|open| open.now_or_never().is_none()), "there is no room");
    let refused = routes.open(request("m")).now_or_never().map(Result::err);
    assert_eq!(refused, Some(Some(RouteError::TooManySessions("m".to_owned()))));
    waiting.pop();
    assert!(routes.open(request("m")).now_or_never().is_none(), "one has given up");
    handle.control().halt();
    finish(handle).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn without_an_endpoint_nothing_is_recorded() {
    let stage = Stage::new();
    let record = stage.record();
    stage
        .agent("alice", |host| {
            let errors = [
                host.subscribe_endpoint("m").unwrap_err(),
                host.unsubscribe_endpoint("1").unwrap_err(),
                host.stream_endpoint("1", last()).unwrap_err(),
            ];
            assert!(errors.iter().all(|error| error.to_string() == "the endpoint is not configured"));
            Ok(String::new())
        })
        .run()
        .await;
    assert_eq!(record.of("alice").len(), 1, "the outcome");
}
