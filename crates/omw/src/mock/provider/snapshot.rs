//! What a provider shows of itself.

use serde::Serialize;
use serde_json::Value;

use super::{Call, MockProvider};
use crate::exchange::{ChatDelta, Message, Tool};
use crate::mock::log::Log;
use crate::mock::text::named;

/// What the provider was asked, and what it has left.
#[derive(Serialize)]
pub(super) struct Snapshot<'p> {
    kind: &'static str,
    turns_total: usize,
    turns_consumed: usize,
    turns_remaining: usize,
    chat_calls: usize,
    models: &'p [String],
    /// Earlier calls than those in `calls`, of which no more is known.
    calls_dropped: usize,
    calls: Vec<Chat<'p>>,
    /// The turns that were never given, in short form.
    remaining: Vec<String>,
}

#[derive(Serialize)]
struct Chat<'p> {
    model: &'p str,
    messages: &'p [Message],
    tools: &'p [Tool],
    params: Option<&'p Value>,
    deltas: &'p [ChatDelta],
}

impl<'p> Snapshot<'p> {
    pub(super) fn of(provider: &'p MockProvider, calls: &'p Log<Call>) -> Self {
        let turns = &provider.turns;
        let chat_calls = calls.total();
        let consumed = chat_calls.min(turns.len());
        let left = turns.iter().enumerate().skip(consumed);
        Self {
            kind: "provider",
            turns_total: turns.len(),
            turns_consumed: consumed,
            turns_remaining: turns.len() - consumed,
            chat_calls,
            models: &provider.models,
            calls_dropped: calls.dropped(),
            calls: calls.iter().map(|call| Chat::of(call, provider)).collect(),
            remaining: named(left.map(|(index, turn)| format!("turns[{index}]: {}", turn.summary()))),
        }
    }
}

impl<'p> Chat<'p> {
    fn of(call: &'p Call, provider: &'p MockProvider) -> Self {
        let turn = call.turn.and_then(|turn| provider.turns.get(turn));
        Self {
            model: &call.request.model,
            messages: &call.request.messages,
            tools: &call.request.tools,
            params: call.request.params.as_ref(),
            deltas: turn.map_or(&[], |turn| turn.deltas()),
        }
    }
}
