//! What a candidate costs.

#![expect(clippy::unwrap_used, reason = "the patterns have no faults")]

use std::hint::black_box;
use std::sync::Arc;

use divan::Bencher;
use divan::counter::ItemsCount;
use serde_json::{Value, json};
use windtunnel_pattern::{FieldRule, Options, Pattern, Sequence, Window};

fn main() {
    divan::main();
}

const CANDIDATES: usize = 1_000_000;

fn options() -> Options {
    Options::new().whole_fields(["kind", "event"]).field("op", FieldRule::WordOrRegex)
}

fn call(op: &str, content: &str) -> Value {
    json!({"kind": "call", "op": op, "detail": {
        "provider": "main",
        "model": "gpt-4",
        "messages": [
            {"role": "system", "content": "You answer questions about orders."},
            {"role": "user", "content": content},
        ],
        "tools": [{"name": "lookup", "description": "Looks up an order", "parameters": {"type": "object"}}],
    }})
}

fn inbound(event: &str, text: &str) -> Value {
    json!({"kind": "inbound", "event": event, "payload": {"kind": event, "data": {"text": text}}})
}

/// A busy agent that never says what the last expectation waits for.
fn events() -> Vec<Arc<Value>> {
    let mut events = vec![call("chat", "Where is my order?")];
    events.extend((0..4).map(|n| inbound("chat-delta", &format!("part {n}"))));
    events.push(inbound("chat-end", "all of it"));
    events.push(inbound("tool-result", "order 75 is on its way"));
    events.push(call("memory_get", "handle"));
    events.into_iter().map(Arc::new).collect()
}

fn expectations() -> Sequence {
    let list = [
        json!({"kind": "call", "op": "chat", "detail": {"model": "^gpt-"}}),
        json!({"$while": {"kind": "inbound", "event": "chat-delta"}}),
        json!({"kind": "call", "op": "chat", "detail": {"messages": [{"role": "user", "content": "final"}]}}),
    ];
    Sequence::compile(&list, &options()).unwrap()
}

/// Three expectations, the last of which is awaited all along.
#[divan::bench(sample_count = 10, sample_size = 1)]
fn three_expectations_over_a_million_candidates(bencher: Bencher) {
    let (sequence, events) = (expectations(), events());
    bencher.counter(ItemsCount::new(CANDIDATES)).bench(|| {
        let mut matcher = sequence.matcher();
        for event in events.iter().cycle().take(CANDIDATES) {
            matcher.push(black_box(event));
        }
        matcher.finish()
    });
}

/// The same with the latest events kept for the message.
#[divan::bench(sample_count = 10, sample_size = 1)]
fn three_expectations_and_a_window(bencher: Bencher) {
    let (sequence, events) = (expectations(), events());
    bencher.counter(ItemsCount::new(CANDIDATES)).bench(|| {
        let (mut matcher, mut window) = (sequence.matcher(), Window::new());
        for event in events.iter().cycle().take(CANDIDATES) {
            matcher.push(black_box(event));
            window.push(event.clone());
        }
        (matcher.finish(), window)
    });
}

/// An array of arrays in one candidate; a cost per item that grows with `len` would show here.
#[divan::bench(args = [1_000, 10_000, 100_000])]
fn nested_array(bencher: Bencher, len: usize) {
    let pattern = json!({"rows": [{"$never": ["z", "a"]}, ["x", {"$while": "z"}, "y"]]});
    let pattern = Pattern::compile(&pattern, &Options::new()).unwrap();
    let rows: Vec<_> = (0..len).map(|_| json!(["a", "a", "x", "z"])).collect();
    let candidate = json!({"rows": rows});
    bencher.counter(ItemsCount::new(len)).bench(|| pattern.matches(black_box(&candidate)));
}

/// All that a fault-free pattern costs before the first candidate.
#[divan::bench]
fn compile() -> Sequence {
    expectations()
}
