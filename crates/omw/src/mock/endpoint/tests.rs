use std::collections::BTreeSet;
use std::sync::Mutex;

use futures::channel::mpsc::{UnboundedSender, unbounded};
use futures::future::BoxFuture;
use futures::task::AtomicWaker;
use serde_json::json;

use super::*;
use crate::endpoint::{Session, SessionCloser, SessionError};
use crate::exchange::ChatDelta;
use crate::gate::Gates;
use crate::mock::testkit::{call, context, params, poll, remaining};

/// Agents as a few lists: which models they serve, what they were asked, and what they heard of the end of sessions.
#[derive(Default)]
struct Agents {
    served: Mutex<BTreeSet<String>>,
    asked: Mutex<Vec<Asked>>,
    ends: Arc<Mutex<Vec<String>>>,
    refusal: Mutex<Option<RouteError>>,
    woken: Mutex<Vec<Arc<AtomicWaker>>>,
}

struct Asked {
    request: EndpointRequest,
    answers: Option<UnboundedSender<Result<ChatDelta, SessionError>>>,
}

/// Says `aborted` when it is dropped before the session was over.
struct Guard(Arc<Mutex<Vec<String>>>, String, Arc<Mutex<bool>>);

impl Drop for Guard {
    fn drop(&mut self) {
        if !*self.2.lock().unwrap() {
            self.0.lock().unwrap().push(format!("{} aborted", self.1));
        }
    }
}

impl Agents {
    fn serve(&self, model: &str) {
        self.served.lock().unwrap().insert(model.to_owned());
        for waker in self.woken.lock().unwrap().drain(..) {
            waker.wake();
        }
    }

    fn models_asked(&self) -> Vec<String> {
        self.asked.lock().unwrap().iter().map(|asked| asked.request.model.clone()).collect()
    }

    fn answer(&self, number: usize, item: Result<ChatDelta, SessionError>) {
        self.asked.lock().unwrap()[number].answers.as_ref().unwrap().unbounded_send(item).unwrap();
    }

    fn say(&self, number: usize, content: &str) {
        self.answer(number, Ok(ChatDelta { content: Some(content.to_owned()), ..ChatDelta::default() }));
    }

    fn finish(&self, number: usize) {
        self.answer(number, Ok(ChatDelta { finish_reason: Some("stop".to_owned()), ..ChatDelta::default() }));
        self.asked.lock().unwrap()[number].answers = None;
    }

    fn ends(&self) -> Vec<String> {
        self.ends.lock().unwrap().clone()
    }
}

#[async_trait]
impl EndpointRouter for Agents {
    fn models(&self) -> Vec<String> {
        self.served.lock().unwrap().iter().cloned().collect()
    }

    async fn served(&self, model: &str) {
        let waker = Arc::new(AtomicWaker::new());
        std::future::poll_fn(|context| {
            waker.register(context.waker());
            if self.served.lock().unwrap().contains(model) {
                return std::task::Poll::Ready(());
            }
            self.woken.lock().unwrap().push(Arc::clone(&waker));
            std::task::Poll::Pending
        })
        .await;
    }

    async fn open(&self, request: EndpointRequest) -> Result<Session, RouteError> {
        if let Some(refusal) = self.refusal.lock().unwrap().take() {
            if matches!(refusal, RouteError::UnknownModel(_)) {
                self.served.lock().unwrap().remove(&request.model);
            }
            return Err(refusal);
        }
        let (sender, receiver) = unbounded();
        let mut asked = self.asked.lock().unwrap();
        let id = format!("session-{}", asked.len());
        asked.push(Asked { request, answers: Some(sender) });
        let is_over = Arc::new(Mutex::new(false));
        let guard = Guard(Arc::clone(&self.ends), id.clone(), Arc::clone(&is_over));
        let (ends, name, over) = (Arc::clone(&self.ends), id.clone(), Arc::clone(&is_over));
        let closer = SessionCloser(Box::new(move || {
            *over.lock().unwrap() = true;
            ends.lock().unwrap().push(format!("{name} closed"));
        }));
        let ended = futures::stream::once(async move {
            *is_over.lock().unwrap() = true;
            drop(guard);
            None
        });
        let deltas = futures::StreamExt::chain(futures::StreamExt::map(receiver, Some), ended);
        let deltas = Box::pin(futures::StreamExt::filter_map(deltas, std::future::ready));
        Ok(Session { id, deltas, closer })
    }
}

/// A script, its agents, and what tells it of events.
struct Stage {
    endpoint: Arc<MockEndpoint>,
    agents: Arc<Agents>,
    gates: Gates,
    serving: BoxFuture<'static, ()>,
}

impl Stage {
    fn set(toml: &str) -> Self {
        let context = context();
        let endpoint = Arc::new(MockEndpoint::new(&params(toml), &context).unwrap());
        let agents = Arc::new(Agents::default());
        let (server, router) = (Arc::clone(&endpoint), Arc::clone(&agents));
        let serving = async move { server.serve(router).await.unwrap() }.boxed();
        Self { endpoint, agents, gates: context.gates, serving }
    }

    /// Lets the clients do what they can, and says whether they are done.
    fn step(&mut self) -> bool {
        poll(&mut self.serving).is_some()
    }

    fn snapshot(&self) -> Value {
        self.endpoint.snapshot().unwrap()
    }
}

#[test]
fn a_request_waits_until_its_model_is_served() {
    let mut stage = Stage::set(
        r#"requests = [
            { model = "m", messages = [{ content = "hi", reasoning = "hm" }], params = { temperature = 0 }, stream = true,
              tools = [{ name = "add", input_schema = {} }] },
        ]"#,
    );
    assert!(!stage.step());
    stage.agents.serve("other");
    assert!(!stage.step());
    assert_eq!(stage.agents.models_asked(), Vec::<String>::new());
    stage.agents.serve("m");
    stage.step();
    let asked = stage.agents.asked.lock().unwrap()[0].request.clone();
    let message = Message {
        role: "user".into(),
        content: Some("hi".into()),
        reasoning: Some("hm".into()),
        ..Message::default()
    };
    assert_eq!(asked.messages, [message]);
    assert_eq!(asked.params, Some(json!({"temperature": 0})));
    assert_eq!(asked.tools[0].name, "add");
}

#[test]
fn ready_requests_are_asked_in_the_order_of_the_list() {
    let mut stage = Stage::set(
        r#"requests = [
            { model = "c", after = { kind = "call", op = "chat" } },
            { model = "b" },
            { model = "a" },
            { model = "b" },
            { model = "unserved" },
        ]"#,
    );
    stage.step();
    stage.agents.serve("a");
    stage.agents.serve("b");
    stage.agents.serve("c");
    stage.step();
    assert_eq!(stage.agents.models_asked(), ["b", "a", "b"]);
    stage.gates.see(&call("chat"));
    stage.step();
    assert_eq!(stage.agents.models_asked(), ["b", "a", "b", "c"]);
    let snapshot = stage.snapshot();
    assert_eq!(
        [&snapshot["requests_total"], &snapshot["requests_fired"], &snapshot["requests_remaining"]],
        [5, 4, 1]
    );
    assert_eq!(remaining(&snapshot), [r#"requests[4]: asks "unserved" nothing"#]);
}

#[test]
fn what_is_not_asked_says_what_it_waits_for() {
    let mut stage = Stage::set(
        r#"requests = [{ model = "m", messages = [{ content = "hi" }], after = { kind = "inbound", event = "timer" } }]"#,
    );
    stage.agents.serve("m");
    stage.step();
    assert_eq!(
        remaining(&stage.snapshot()),
        [r#"requests[0]: asks "m" "hi" (waits for {kind: "inbound", event: "timer"})"#]
    );
}

#[test]
fn sessions_do_not_hold_each_other_up_and_end_when_they_are_finished() {
    let mut stage = Stage::set(r#"requests = [{ model = "m", session_id = "first" }, { model = "m" }]"#);
    stage.agents.serve("m");
    stage.step();
    stage.agents.say(1, "b");
    stage.agents.finish(1);
    assert!(!stage.step());
    assert_eq!(stage.snapshot()["replies"].as_array().unwrap().len(), 1, "one is not finished");
    stage.agents.say(0, "a");
    stage.agents.finish(0);
    assert!(stage.step(), "there is nothing more to do");
    assert_eq!(stage.agents.ends(), Vec::<String>::new(), "no agent hears of an end that it made itself");
    let delta = |content: Option<&str>, reason: Option<&str>| json!({"content": content, "reasoning": null, "tool_calls": [], "finish_reason": reason, "usage": null});
    let reply = |label: &str, session: &str, content: &str| {
        json!({
            "model": "m", "session_id": label, "session": session, "deltas_dropped": 0,
            "deltas": [delta(Some(content), None), delta(None, Some("stop"))],
            "closed": false, "aborted": false, "error": null,
        })
    };
    assert_eq!(
        stage.snapshot(),
        json!({
            "kind": "endpoint", "requests_total": 2, "requests_fired": 2, "requests_remaining": 0,
            "replies": [reply("first", "session-0", "a"), reply("request-2", "session-1", "b")],
            "remaining": [],
        })
    );
}

#[test]
fn a_client_that_leaves_tells_the_agent_how() {
    let mut stage = Stage::set(
        r#"requests = [
            { model = "m", session_end = { close = 0 } },
            { model = "m", session_end = { abort = 0 } },
            { model = "m", session_end = { close = 2 } },
            { model = "m", session_end = { close = 1, abort = 2 } },
            { model = "m", session_end = { abort = 9 } },
        ]"#,
    );
    stage.agents.serve("m");
    stage.step();
    assert_eq!(stage.agents.ends(), ["session-0 closed", "session-1 aborted"]);
    for _ in 0..2 {
        stage.agents.say(2, "x");
        stage.agents.say(3, "x");
        stage.agents.say(4, "x");
        stage.step();
    }
    assert_eq!(stage.agents.ends()[2..], ["session-2 closed", "session-3 aborted"]);
    stage.agents.finish(4);
    assert!(stage.step());
    assert_eq!(stage.agents.ends().len(), 4, "the last one was finished before");
    let replies = stage.snapshot()["replies"].clone();
    let flags = |reply: &Value| {
        (reply["closed"] == true, reply["aborted"] == true, reply["deltas"].as_array().unwrap().len())
    };
    assert_eq!(
        replies.as_array().unwrap().iter().map(flags).collect::<Vec<_>>(),
        [(true, false, 0), (false, true, 0), (true, false, 2), (false, true, 2), (false, false, 3)]
    );
}

#[test]
fn an_agent_that_gives_up_fails_the_session() {
    let mut stage = Stage::set(r#"requests = [{ model = "m" }]"#);
    stage.agents.serve("m");
    stage.step();
    stage.agents.answer(0, Err(SessionError("unsubscribed".into())));
    assert!(stage.step());
    assert_eq!(stage.snapshot()["replies"][0]["error"], "unsubscribed");
}

#[test]
fn a_request_that_just_misses_its_agent_waits_for_the_next() {
    let mut stage = Stage::set(r#"requests = [{ model = "m", session_end = { close = 0 } }]"#);
    *stage.agents.refusal.lock().unwrap() = Some(RouteError::UnknownModel("m".into()));
    stage.agents.serve("m");
    assert!(!stage.step());
    assert_eq!(stage.snapshot()["requests_fired"], 0);
    stage.agents.serve("m");
    assert!(stage.step());
    assert_eq!(stage.snapshot()["requests_fired"], 1);
}

#[test]
fn a_refused_request_is_a_failed_reply_and_a_shutdown_is_none() {
    let mut stage = Stage::set(r#"requests = [{ model = "m" }]"#);
    *stage.agents.refusal.lock().unwrap() = Some(RouteError::TooManySessions("m".into()));
    stage.agents.serve("m");
    assert!(stage.step());
    let snapshot = stage.snapshot();
    assert_eq!(snapshot["requests_fired"], 1);
    assert_eq!(snapshot["replies"][0]["session"], Value::Null);
    assert_eq!(snapshot["replies"][0]["error"], "model \"m\" has too many open sessions");

    let mut stage = Stage::set(r#"requests = [{ model = "m" }]"#);
    *stage.agents.refusal.lock().unwrap() = Some(RouteError::ShuttingDown);
    stage.agents.serve("m");
    assert!(stage.step());
    let snapshot = stage.snapshot();
    assert_eq!(snapshot["requests_fired"], 0);
    assert_eq!(snapshot["replies"], json!([]));
}
