//! Whether artifacts were locked when the implementation was entered.

use camino::Utf8Path;
use serde_json::Value;

use crate::artifact::{Artifact, ArtifactName, LOCK};
use crate::scenario::manifest::IMPLEMENTATION;
use crate::scenario::trace::is;

/// How the artifacts stood when the implementation was entered.
pub(super) struct Entered {
    /// The artifacts that were not locked, and how they stood instead.
    unlocked: Vec<(ArtifactName, String)>,
}

impl Entered {
    /// Looks at these artifacts now.
    pub(super) fn look<'a>(folder: &Utf8Path, artifacts: impl Iterator<Item = &'a ArtifactName>) -> Self {
        let unlocked = artifacts.filter_map(|name| Some((name.clone(), how_unlocked(folder, name)?)));
        Self { unlocked: unlocked.collect() }
    }

    /// How this artifact stood, if it was not locked.
    pub(super) fn how_unlocked(&self, artifact: &ArtifactName) -> Option<&str> {
        self.unlocked.iter().find(|(name, _)| name == artifact).map(|(_, how)| how.as_str())
    }
}

/// Whether the implementation is entered by one of these events, and not passed over at once.
pub(super) fn enters_implementation(events: &[Value]) -> bool {
    let text = |event: &Value, field: &str| event.get(field).and_then(Value::as_str).map(str::to_owned);
    let at = |event: &Value, field: &str| text(event, field).as_deref() == Some(IMPLEMENTATION);
    events.iter().enumerate().any(|(index, event)| {
        let enters = (is(event, "graph.advanced") || is(event, "graph.forced")) && at(event, "to")
            || is(event, "graph.started") && at(event, "node");
        let passed_over =
            events.get(index + 1).is_some_and(|next| is(next, "graph.node_skipped") && at(next, "node"));
        enters && !passed_over
    })
}

fn how_unlocked(folder: &Utf8Path, name: &ArtifactName) -> Option<String> {
    let found = name.alternatives().iter().map(|file| Artifact::read(folder, file));
    let found: Vec<_> = found.filter_map(Result::transpose).collect();
    match found.as_slice() {
        [] => Some("no such file".to_owned()),
        [Err(error)] => Some(error.to_string()),
        [Ok(artifact)] => match artifact.front_matter() {
            Ok(Some(front)) => match front.text(LOCK.0) {
                Some(status) if status == LOCK.1 => None,
                Some(status) => Some(format!("status: {status}")),
                None => Some("no status".to_owned()),
            },
            Ok(None) => Some("no front matter".to_owned()),
            Err(error) => Some(error.to_string()),
        },
        _ => Some("several files under its names".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_implementation_is_entered_by_whatever_puts_the_pointer_there() {
        let advanced =
            || json!({"event": "graph.advanced", "node": "tasks-breakdown", "to": "implementation"});
        let left = || json!({"event": "graph.advanced", "node": "implementation", "to": "verification"});
        let skipped = || json!({"event": "graph.node_skipped", "node": "implementation"});
        let other = || json!({"event": "graph.node_skipped", "node": "verification"});
        let table = [
            (vec![], false),
            (vec![advanced()], true),
            (vec![json!({"event": "graph.forced", "node": "design", "to": "implementation"})], true),
            (vec![json!({"event": "graph.started", "node": "implementation"})], true),
            (vec![left()], false),
            (vec![advanced(), skipped(), left()], false),
            (vec![advanced(), left(), other()], true),
            (vec![advanced(), skipped(), left(), advanced()], true),
        ];
        for (events, expected) in table {
            assert_eq!(enters_implementation(&events), expected, "{events:?}");
        }
    }
}
