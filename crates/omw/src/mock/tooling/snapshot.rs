//! What a tooling shows of itself.

use serde::Serialize;
use serde_json::Value;

use super::calls::{Answer, Called, Calls};
use super::resources::Resources;
use super::updates::{Change, Update};
use crate::mock::log::Log;
use crate::mock::text::{named, quoted};

/// How the tooling was called, and what it has left.
#[derive(Serialize)]
pub(super) struct Snapshot<'t> {
    kind: &'static str,
    tool_calls_total: usize,
    tool_calls_consumed: usize,
    tool_calls_remaining: usize,
    /// Earlier calls than those in `calls`, of which no more is known.
    calls_dropped: usize,
    calls: Vec<Call<'t>>,
    /// The answers that no call got and the updates that no subscription saw, in short form.
    remaining: Vec<String>,
}

#[derive(Serialize)]
struct Call<'t> {
    name: &'t str,
    arguments: &'t Value,
    /// None of a call that failed or was not answered.
    result: Option<CallResult>,
}

#[derive(Serialize)]
struct CallResult {
    content: Value,
    structured_content: Option<Value>,
    is_error: bool,
}

impl<'t> Snapshot<'t> {
    pub(super) fn of(script: &'t Calls, called: &'t Log<Called>, resources: &Resources) -> Self {
        let entries = &script.entries;
        let consumed = called.total().min(entries.len());
        let calls = entries.iter().enumerate().skip(consumed);
        let calls = calls.map(|(index, entry)| format!("tool_calls[{index}]: {}", entry.summary()));
        let lists = resources.list_updates.iter().enumerate();
        let lists = lists.filter(|(_, update)| !update.has_happened());
        let lists = lists.map(|(index, update)| {
            let line = format!("resource_list_updates[{index}]: {}", summary(update, "a new list"));
            update.cue.mark(line)
        });
        let contents = resources.content_updates.iter().enumerate();
        let contents = contents.filter(|(_, (_, update))| !update.has_happened());
        let contents = contents.map(|(index, (uri, update))| {
            let what = summary(update, "new contents");
            update.cue.mark(format!("resource_content_updates[{index}]: {uri}: {what}"))
        });
        Self {
            kind: "tooling",
            tool_calls_total: entries.len(),
            tool_calls_consumed: consumed,
            tool_calls_remaining: entries.len() - consumed,
            calls_dropped: called.dropped(),
            calls: called.iter().map(|call| Call::of(call, script)).collect(),
            remaining: named(calls.chain(lists).chain(contents)),
        }
    }
}

impl<'t> Call<'t> {
    fn of(call: &'t Called, script: &'t Calls) -> Self {
        let entry = call.result_of.and_then(|index| script.entries.get(index));
        Self {
            name: &call.name,
            arguments: &call.arguments,
            result: entry.and_then(|entry| CallResult::of(&entry.answer)),
        }
    }
}

impl CallResult {
    fn of(answer: &Answer) -> Option<Self> {
        let Answer::Result { content, structured_content, is_error, .. } = answer else { return None };
        Some(Self {
            content: parsed(content),
            structured_content: structured_content.as_deref().map(parsed),
            is_error: *is_error,
        })
    }
}

/// The value of a JSON text that was made of one.
fn parsed(json: &str) -> Value {
    serde_json::from_str(json).unwrap_or_default()
}

/// What an update does, in a few words.
fn summary<T>(update: &Update<T>, change: &str) -> String {
    match &update.change {
        Change::To(_) => change.to_owned(),
        Change::Error(error) => format!("fails with {}", quoted(&error.to_string())),
        Change::Pending => "nothing any more".to_owned(),
    }
}
