//! Whether artifacts were locked when the implementation was entered.

use camino::Utf8Path;

use crate::artifact::{Artifact, ArtifactName, LOCK};
use crate::event::ProcessEvent;
use crate::scenario::manifest::IMPLEMENTATION;

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
pub(super) fn enters_implementation(events: &[ProcessEvent]) -> bool {
    events.iter().enumerate().any(|(index, event)| {
        let entered = match event {
            ProcessEvent::Started { node } => node,
            ProcessEvent::Advanced { to, .. } | ProcessEvent::Forced { to, .. } => to,
            _ => return false,
        };
        let next = events.get(index + 1);
        let passed_over =
            matches!(next, Some(ProcessEvent::NodeSkipped { node, .. }) if node == IMPLEMENTATION);
        entered == IMPLEMENTATION && !passed_over
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
    use super::*;
    use crate::event::Via;

    #[test]
    fn the_implementation_is_entered_by_whatever_puts_the_pointer_there() {
        let advanced = |node: &str, to: &str| ProcessEvent::Advanced {
            node: node.to_owned(),
            to: to.to_owned(),
            outcome: "pass".to_owned(),
        };
        let entered = || advanced("tasks-breakdown", IMPLEMENTATION);
        let left = || advanced(IMPLEMENTATION, "verification");
        let skipped =
            |node: &str| ProcessEvent::NodeSkipped { node: node.to_owned(), via: Via::Cli, by: None };
        let forced = ProcessEvent::Forced {
            node: "design".to_owned(),
            to: IMPLEMENTATION.to_owned(),
            by: "owner".to_owned(),
            reason: "late".to_owned(),
        };
        let started = ProcessEvent::Started { node: IMPLEMENTATION.to_owned() };
        let table = [
            (vec![], false),
            (vec![entered()], true),
            (vec![forced], true),
            (vec![started], true),
            (vec![left()], false),
            (vec![entered(), skipped(IMPLEMENTATION), left()], false),
            (vec![entered(), left(), skipped("verification")], true),
            (vec![entered(), skipped(IMPLEMENTATION), left(), entered()], true),
        ];
        for (events, expected) in table {
            assert_eq!(enters_implementation(&events), expected, "{events:?}");
        }
    }
}
