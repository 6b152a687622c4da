//! What the mocks of a test have not been asked for.

use std::fmt;

use serde_json::Value;

use crate::run::Snapshots;

/// One line for each queue of a mock in which something is left, and below the mock's lines what that is; nothing if there is none.
pub(super) fn write(f: &mut fmt::Formatter<'_>, snapshots: &Snapshots) -> fmt::Result {
    let named = |kind: &'static str| move |(name, state)| (format!("{kind} {name:?}"), state);
    let providers = snapshots.providers.iter().map(named("provider"));
    let tooling = snapshots.tooling.iter().map(named("tooling"));
    let endpoint = snapshots.endpoint.iter().map(|state| ("endpoint".to_owned(), state));
    let mut is_first = true;
    for (owner, state) in providers.chain(tooling).chain(endpoint) {
        for Queue { items, left, total } in queues(state) {
            if std::mem::take(&mut is_first) {
                writeln!(f, "left in the mocks' queues:")?;
            }
            writeln!(f, "  {owner}: {left} of {total} {items}")?;
        }
        for item in remaining(state) {
            writeln!(f, "    {item}")?;
        }
    }
    Ok(())
}

/// What is left, in the mock's own words, as far as it tells.
fn remaining(state: &Value) -> impl Iterator<Item = &str> {
    state.get("remaining").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str)
}

/// A queue in which something is left.
struct Queue {
    items: String,
    left: u64,
    total: u64,
}

/// A mock tells of each of its queues as `<items>_remaining` and `<items>_total`.
fn queues(state: &Value) -> impl Iterator<Item = Queue> {
    let members = state.as_object().into_iter().flatten();
    members.filter_map(move |(key, left)| {
        let items = key.strip_suffix("_remaining")?;
        let left = left.as_u64().filter(|left| *left > 0)?;
        let total = state.get(format!("{items}_total")).and_then(Value::as_u64).unwrap_or(left);
        Some(Queue { items: items.replace('_', " "), left, total })
    })
}
