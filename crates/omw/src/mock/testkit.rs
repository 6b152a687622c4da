//! What the tests of the mocks share: they poll by hand, and tell of events themselves.

use std::sync::Arc;
use std::task::{Context, Poll};

use futures::task::noop_waker;
use futures::{Future, FutureExt as _, Stream, StreamExt as _};
use serde_json::{Value, json};
use windtunnel_doc::{Document, Format, Limits};

use crate::config::{Params, Tunables};
use crate::gate::Gates;
use crate::host::trace::TraceEvent;
use crate::registry::BuildContext;

/// The context of a run that keeps what any run keeps.
pub(crate) fn context() -> BuildContext {
    BuildContext { tunables: Arc::new(Tunables::default()), gates: Gates::default(), keep_everything: false }
}

/// The same for a run that is written out.
pub(crate) fn dumping() -> BuildContext {
    BuildContext { keep_everything: true, ..context() }
}

/// Parameters from a TOML text.
pub(crate) fn params(toml: &str) -> Params {
    let document = Document::parse("test", toml, Format::Toml, &Limits::default()).unwrap();
    Params::of_value(document.root().to_json())
}

/// The call of the agent `alice` that events in these tests stand for.
pub(crate) fn call(op: &'static str) -> TraceEvent {
    TraceEvent::Call { agent: "alice".into(), op: op.into(), uuid: None, detail: json!({}) }
}

/// What a future gives that has nothing to wait for.
#[track_caller]
pub(crate) fn now<T>(future: impl Future<Output = T>) -> T {
    future.now_or_never().expect("it waits for something")
}

/// One poll of a future, by hand.
pub(crate) fn poll<F: Future + Unpin>(future: &mut F) -> Option<F::Output> {
    match future.poll_unpin(&mut Context::from_waker(&noop_waker())) {
        Poll::Ready(output) => Some(output),
        Poll::Pending => None,
    }
}

/// What a stream gives until it waits for something, and whether it has ended.
pub(crate) fn drain<S: Stream + Unpin>(stream: &mut S) -> (Vec<S::Item>, bool) {
    let mut items = Vec::new();
    loop {
        match stream.poll_next_unpin(&mut Context::from_waker(&noop_waker())) {
            Poll::Ready(Some(item)) => items.push(item),
            Poll::Ready(None) => return (items, true),
            Poll::Pending => return (items, false),
        }
    }
}

/// The short forms of what a snapshot says is left.
pub(crate) fn remaining(snapshot: &Value) -> Vec<&str> {
    snapshot["remaining"].as_array().unwrap().iter().map(|line| line.as_str().unwrap()).collect()
}
