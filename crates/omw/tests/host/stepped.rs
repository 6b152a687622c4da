//! Back ends that answer from a script: what they have ready is there between two calls.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use async_trait::async_trait;
use futures::StreamExt as _;
use omw::config::{BackendConfig, Params};
use omw::prelude::*;
use serde_json::json;
use windtunnel_pattern::{Options, Pattern};

use crate::doubles::{Tools, Voice, ask};
use crate::stage::{Stage, told, until, value};

/// Tools of which `gated` answers once a call of this name was recorded.
fn gated(op: &'static str) -> impl Fn(&BuildContext) -> Tools {
    move |context| {
        let pattern = Pattern::compile(&json!({"kind": "call", "op": op}), &Options::new()).unwrap();
        Tools { gate: context.gates.on(pattern), ..Tools::new(Pace::Stepped) }
    }
}

#[tokio::test]
async fn what_is_ready_is_in_the_inbox_when_the_call_returns() {
    let stage =
        Stage::new().provider("voice", Voice(Pace::Stepped)).tooling("tools", |_| Tools::new(Pace::Stepped));
    let said = told(stage, |host| {
        let call = host.call_tool("tools", "add", json!({}))?;
        assert!(!host.is_open(&call), "it is answered");
        assert_eq!(host.try_recv()?.map(|envelope| envelope.id), Some(call));
        let stream = host.chat_stream("voice", ask("hello"))?;
        assert!(!host.is_open(&stream));
        host.subscribe_resource("tools", "a:b")?;
        let seen: Vec<_> =
            std::iter::from_fn(|| host.try_recv().unwrap()).map(|next| next.event.kind()).collect();
        Ok(seen.join(" "))
    });
    assert_eq!(said.await, "chat-delta chat-delta chat-end resource-updated");
}

#[tokio::test]
async fn an_answer_that_was_there_stays_when_the_call_is_cancelled() {
    let stage = Stage::new().tooling("tools", |_| Tools::new(Pace::Stepped));
    let said = told(stage, |host| {
        let call = host.call_tool("tools", "add", json!({}))?;
        host.cancel(&call);
        Ok(host.recv()?.event.kind().to_owned())
    });
    assert_eq!(said.await, "tool-result");
}

#[tokio::test]
async fn a_call_that_opens_a_gate_finds_what_waited_for_it() {
    let stage = Stage::new().tooling("tools", gated("memory_get"));
    let said = told(stage, |host| {
        let gated = host.call_tool("tools", "gated", json!({}))?;
        assert_eq!(host.try_recv()?, None);
        host.memory_set("a", "b")?;
        assert_eq!(host.try_recv()?, None);
        host.memory_get("a")?;
        assert!(!host.is_open(&gated));
        Ok(host.try_recv()?.map(|envelope| envelope.event.kind()).unwrap_or_default().to_owned())
    });
    assert_eq!(said.await, "tool-result");
}

#[tokio::test]
async fn a_gate_that_another_agent_opens_wakes_one_that_waits() {
    let stage = Stage::new()
        .tooling("tools", gated("memory_set"))
        .agent("alice", |host| {
            host.call_tool("tools", "gated", json!({}))?;
            host.send_agent("bob", "go")?;
            Ok(host.recv()?.event.kind().to_owned())
        })
        .agent("bob", |host| {
            host.subscribe_agent("alice")?;
            host.sleep_for(30)?;
            host.memory_set("a", "b")?;
            Ok(String::new())
        });
    assert_eq!(value(&stage.run().await, "alice"), "tool-result");
}

#[tokio::test]
async fn what_becomes_ready_by_itself_wakes_an_agent_that_waits() {
    let stage = Stage::new().tooling("tools", |_| Tools::new(Pace::Stepped));
    let said = told(stage, |host| {
        host.call_tool("tools", "slow", json!({}))?;
        Ok(host.recv()?.event.kind().to_owned())
    });
    assert_eq!(said.await, "tool-result");
}

#[tokio::test]
async fn what_becomes_ready_by_itself_reaches_an_agent_that_only_tries() {
    let stage = Stage::new().tooling("tools", |_| Tools::new(Pace::Stepped));
    let said = told(stage, |host| {
        host.call_tool("tools", "slow", json!({}))?;
        loop {
            if let Some(envelope) = host.try_recv()? {
                return Ok(envelope.event.kind().to_owned());
            }
            std::thread::sleep(Duration::from_millis(1));
        }
    });
    assert_eq!(said.await, "tool-result");
}

#[tokio::test]
async fn a_blocking_call_may_wait_for_a_gate_of_another_agent() {
    let stage = Stage::new()
        .tooling("tools", gated("memory_set"))
        .agent("alice", |host| Ok(host.call_tool_blocking("tools", "gated", json!({}))?.name))
        .agent("bob", |host| {
            host.sleep_for(30)?;
            host.memory_set("a", "b")?;
            Ok(String::new())
        });
    assert_eq!(value(&stage.run().await, "alice"), "gated");
}

#[tokio::test]
async fn a_full_inbox_holds_back_a_stream_and_nothing_else() {
    let stage =
        Stage::new().tuned(|tunables| tunables.inbox_bound = 1).provider("voice", Voice(Pace::Stepped));
    let said = told(stage, |host| {
        let stream = host.chat_stream("voice", ask("hello"))?;
        assert!(host.is_open(&stream), "only its first piece had room");
        host.memory_set("a", "b")?;
        let seen: Vec<_> =
            std::iter::from_fn(|| host.try_recv().unwrap()).map(|next| next.event.kind()).collect();
        Ok(seen.join(" "))
    });
    assert_eq!(said.await, "chat-delta chat-delta chat-end");
}

/// Streams without an end that take a while to let go of.
struct Clings(Arc<AtomicUsize>);

/// Counts, after that while.
struct Grip(Arc<AtomicUsize>);

impl Drop for Grip {
    fn drop(&mut self) {
        std::thread::sleep(Duration::from_millis(50));
        self.0.fetch_add(1, Ordering::SeqCst);
    }
}

#[async_trait]
impl Provider for Clings {
    fn kind(&self) -> &'static str {
        "clings"
    }

    fn pace(&self) -> Pace {
        Pace::Stepped
    }

    async fn list_models(&self) -> Result<Vec<String>, BackendError> {
        Ok(Vec::new())
    }

    async fn chat_stream(&self, _request: ChatRequest) -> Result<DeltaStream, BackendError> {
        let grip = Grip(Arc::clone(&self.0));
        Ok(futures::stream::poll_fn(move |_| {
            let _held = &grip;
            std::task::Poll::Pending
        })
        .boxed())
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_of_an_agent_that_is_ending_does_not_keep_those_that_step_from_it() {
    let released = Arc::new(AtomicUsize::new(0));
    let (made, seen) = (Arc::clone(&released), Arc::clone(&released));
    let mut stage = Stage::new();
    stage.registries = Registries::standard();
    stage.config.endpoint = Some(BackendConfig {
        kind: "mock".into(),
        params: Params::of_value(json!({"requests": [{"model": "m"}]})),
    });
    let stage = stage
        .tuned(|tunables| tunables.inbox_bound = 1)
        .provider("clings", Clings(made))
        .agent("alice", |host| {
            // While the first is let go of, bob steps; for the second, that has to come to an end.
            host.chat_stream("clings", ask("a"))?;
            host.chat_stream("clings", ask("b"))?;
            host.subscribe_agent("alice")?;
            host.send_agent("alice", "fills it")?;
            host.subscribe_endpoint("m")?;
            Ok(String::new())
        })
        .agent("bob", move |host| {
            until("alice has let go", || host.memory_get("a").is_err() || seen.load(Ordering::SeqCst) == 2);
            Ok(seen.load(Ordering::SeqCst).to_string())
        });
    assert_eq!(value(&stage.run().await, "bob"), "2");
}

#[tokio::test]
async fn a_scripted_run_is_recorded_the_same_every_time() {
    async fn recorded() -> Vec<serde_json::Value> {
        let stage =
            Stage::new().provider("voice", Voice(Pace::Stepped)).tooling("tools", gated("memory_get"));
        let record = stage.record();
        told(stage, |host| {
            for tool in ["gated", "add", "gated", "fails"] {
                host.call_tool("tools", tool, json!({"a": tool}))?;
            }
            host.chat_stream("voice", ask("breaks"))?;
            host.memory_get("a")?;
            while host.try_recv()?.is_some() {}
            Ok(String::new())
        })
        .await;
        record.of("alice")
    }
    let first = recorded().await;
    assert!(first.len() > 20);
    for _ in 0..20 {
        assert_eq!(recorded().await, first);
    }
}
