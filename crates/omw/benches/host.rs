//! What a call of the host costs.

#![expect(clippy::unwrap_used, reason = "the runs have no faults")]

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use async_trait::async_trait;
use divan::Bencher;
use divan::counter::ItemsCount;
use futures::StreamExt as _;
use omw::config::{AgentConfig, BackendConfig, Config, Params};
use omw::prelude::*;

fn main() {
    divan::main();
}

/// Answers at once, as scripted providers do.
struct Scripted;

#[async_trait]
impl Provider for Scripted {
    fn kind(&self) -> &'static str {
        "scripted"
    }

    fn pace(&self) -> Pace {
        Pace::Stepped
    }

    async fn list_models(&self) -> Result<Vec<String>, BackendError> {
        Ok(Vec::new())
    }

    async fn chat_stream(&self, request: ChatRequest) -> Result<DeltaStream, BackendError> {
        let delta = ChatDelta {
            content: Some(request.model),
            finish_reason: Some("stop".to_owned()),
            ..ChatDelta::default()
        };
        Ok(futures::stream::iter([Ok(delta)]).boxed())
    }
}

type Call = fn(&dyn Host) -> HostResult<()>;

/// Makes the same call many times.
struct Busy {
    call: Call,
    count: usize,
}

impl Brain for Busy {
    fn run(&self, host: &Arc<dyn Host>) -> Result<Option<String>, BrainError> {
        for _ in 0..self.count {
            (self.call)(&**host).map_err(|error| BrainError::Failed(error.to_string()))?;
        }
        Ok(None)
    }
}

fn request() -> ChatRequest {
    let message = |role: &str, content: &str| Message {
        role: role.to_owned(),
        content: Some(content.to_owned()),
        ..Message::default()
    };
    ChatRequest {
        model: "gpt-4".to_owned(),
        messages: vec![
            message("system", "You answer questions about orders."),
            message("user", "Where is my order?"),
        ],
        ..ChatRequest::default()
    }
}

const CALLS: usize = 100_000;

/// A run of one agent, with somebody who counts what is recorded.
fn run(call: Call) -> usize {
    let mut registries = Registries::default();
    registries.providers.add("scripted", |_, _| Ok(Arc::new(Scripted)));
    registries
        .runtimes
        .add("busy", move |_, _| Ok(Arc::new(Native::new("busy", Arc::new(Busy { call, count: CALLS })))));
    let of_kind =
        |kind: &str| BackendConfig { kind: kind.to_owned(), params: Params::of_value(serde_json::json!({})) };
    let mut config = Config::default();
    config.providers.insert("model".to_owned(), of_kind("scripted"));
    config.runtimes.insert("busy".to_owned(), of_kind("busy"));
    let agent = AgentConfig { runtime: "busy".to_owned(), script: "/none".into() };
    config.agents.insert("alice".to_owned(), agent);
    let count = Arc::new(AtomicUsize::new(0));
    let counter = Arc::clone(&count);
    let trace = TraceSender::new(move |event| {
        divan::black_box(event);
        counter.fetch_add(1, Ordering::Relaxed);
    });
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    let report = runtime.block_on(async {
        Run::builder(Arc::new(config), &registries).trace(trace).start().await.unwrap().finish().await
    });
    report.into_result().unwrap();
    count.load(Ordering::Relaxed)
}

fn measure(bencher: Bencher<'_, '_>, call: Call) {
    bencher.counter(ItemsCount::new(CALLS)).bench(|| run(call));
}

#[divan::bench(sample_count = 5)]
fn recorded_chat(bencher: Bencher<'_, '_>) {
    measure(bencher, |host| host.chat("model", request()).map(drop));
}

#[divan::bench(sample_count = 5)]
fn recorded_chat_stream(bencher: Bencher<'_, '_>) {
    measure(bencher, |host| {
        host.chat_stream("model", request())?;
        host.recv()?;
        host.recv().map(drop)
    });
}

#[divan::bench(sample_count = 5)]
fn recorded_memory_get(bencher: Bencher<'_, '_>) {
    measure(bencher, |host| host.memory_get("key").map(drop));
}
