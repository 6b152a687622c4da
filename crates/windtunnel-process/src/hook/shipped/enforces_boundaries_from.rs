//! `enforces-boundaries-from`: what one artifact names, the node's own takes up.

use async_trait::async_trait;
use serde::Deserialize;

use crate::artifact::words::Words;
use crate::artifact::{Artifact, ArtifactName};
use crate::hook::phrase::Phrase;
use crate::hook::reading::Reading;
use crate::hook::{Hook, HookContext, HookError, Outcome};

/// Each marker that occurs in one of the artifacts has to occur in what the node leaves behind.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct EnforcesBoundariesFrom {
    /// Where the markers are looked for.
    artifacts: Vec<ArtifactName>,
    /// Words, whatever their case. HTML comments do not count.
    markers: Vec<Phrase>,
}

#[async_trait]
impl Hook for EnforcesBoundariesFrom {
    async fn run(&self, context: &mut HookContext<'_>) -> Result<Outcome, HookError> {
        let named = Reading::others(context, &self.artifacts);
        if named.is_empty() {
            return Ok(Outcome::Skip);
        }
        if !named.findings.is_empty() {
            return Ok(Outcome::Block { findings: named.findings });
        }
        let required = self.required(&named.artifacts);
        let own = Reading::own(context, &context.node.produces);
        Ok(own.decide(|artifact| {
            let words = Words::of(artifact);
            let lacking = required.iter().filter(|(marker, _)| words.line_of(marker.as_str()).is_none());
            let finding = |(marker, place): &(&Phrase, String)| {
                format!("{}: nothing is said of \"{marker}\", which {place} names", artifact.file())
            };
            lacking.map(finding).collect()
        }))
    }
}

impl EnforcesBoundariesFrom {
    /// The markers that occur, each with the place of its first occurrence.
    fn required(&self, artifacts: &[Artifact]) -> Vec<(&Phrase, String)> {
        let texts: Vec<(&str, Words)> =
            artifacts.iter().map(|artifact| (artifact.file(), Words::of(artifact))).collect();
        let place = |marker: &Phrase| {
            texts
                .iter()
                .find_map(|(file, words)| words.line_of(marker.as_str()).map(|line| format!("{file}:{line}")))
        };
        self.markers.iter().filter_map(|marker| place(marker).map(|place| (marker, place))).collect()
    }
}
