//! The artifacts that a gate reads.

use super::{HookContext, Outcome};
use crate::artifact::{Artifact, ArtifactName};
use crate::graph::Node;

/// Findings of one gate that are listed.
const MAX_FINDINGS: usize = 50;

/// Characters of one of them.
const MAX_FINDING_CHARS: usize = 500;

/// The artifacts that a gate reads, and why it does not read the others.
#[derive(Debug, Default)]
pub(super) struct Reading {
    /// Those that are there.
    pub(super) artifacts: Vec<Artifact>,
    /// What is wrong with those that are not.
    pub(super) findings: Vec<String>,
}

impl Reading {
    /// Reads what a node leaves behind itself: all of it may be lacking if the node is optional.
    pub(super) fn own(context: &HookContext<'_>, names: &[ArtifactName]) -> Self {
        Self::of(context, names, context.node.optional)
    }

    /// Reads what others left behind.
    pub(super) fn others(context: &HookContext<'_>, names: &[ArtifactName]) -> Self {
        Self::of(context, names, false)
    }

    fn of(context: &HookContext<'_>, names: &[ArtifactName], optional: bool) -> Self {
        let mut reading = Self::default();
        let mut missing = Vec::new();
        for name in names {
            match name.find(context.folder) {
                Ok(Some(artifact)) => reading.artifacts.push(artifact),
                Ok(None) => missing.push(name),
                Err(error) => reading.findings.push(error.to_string()),
            }
        }
        if optional && reading.is_empty() {
            return reading;
        }
        missing.retain(|name| !planned_absence(context, name));
        let folder = context.folder.strip_prefix(context.root).unwrap_or(context.folder);
        reading.findings.extend(missing.iter().map(|name| format!("no {} in {folder}", name.in_words())));
        reading
    }

    /// Whether there is nothing to read, and nothing wrong with that.
    pub(super) fn is_empty(&self) -> bool {
        self.artifacts.is_empty() && self.findings.is_empty()
    }

    /// Looks at each artifact, and decides by all findings. A gate with nothing to read decides nothing.
    pub(super) fn decide(self, mut check: impl FnMut(&Artifact) -> Vec<String>) -> Outcome {
        if self.is_empty() {
            return Outcome::Skip;
        }
        let mut findings = self.findings;
        findings.extend(self.artifacts.iter().flat_map(&mut check));
        Outcome::of_findings(listed(findings))
    }
}

/// As many findings as somebody reads, each as long as somebody reads.
fn listed(mut findings: Vec<String>) -> Vec<String> {
    let more = findings.len().saturating_sub(MAX_FINDINGS);
    findings.truncate(MAX_FINDINGS);
    for finding in &mut findings {
        if let Some((end, _)) = finding.char_indices().nth(MAX_FINDING_CHARS) {
            finding.truncate(end);
            finding.push('…');
        }
    }
    if more > 0 {
        findings.push(format!("there are {more} findings more"));
    }
    findings
}

/// Whether nobody was to write this artifact.
fn planned_absence(context: &HookContext<'_>, name: &ArtifactName) -> bool {
    context.graph.author(name).is_some_and(|author: &Node| context.is_skipped(author))
}
