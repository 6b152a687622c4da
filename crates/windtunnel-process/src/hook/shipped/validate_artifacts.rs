//! `validate-artifacts`: a node's artifacts are there, and say what they have to.

use async_trait::async_trait;
use indexmap::IndexMap;
use serde::Deserialize;
use serde_json::Value;
use windtunnel_doc::nearest;

use crate::artifact::{Artifact, ArtifactName, Outline};
use crate::hook::reading::Reading;
use crate::hook::{Hook, HookContext, HookError, Outcome};

/// The key and the value that lock an artifact.
const LOCK: (&str, &str) = ("status", "approved");

/// The node's artifacts are there, and say what they have to.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase", default)]
pub(super) struct ValidateArtifacts {
    /// What is read; without it, what the node leaves behind.
    artifacts: Option<Vec<ArtifactName>>,
    /// Front matter has to say `status: approved`.
    locked: bool,
    /// What else front matter has to say.
    front_matter: IndexMap<String, Value>,
    /// Sections that have to be there, with something in them.
    sections: Vec<String>,
    /// All boxes have to be ticked.
    checkmarks: bool,
    /// Another node's artifact that is read instead.
    validates: Option<ArtifactName>,
    /// Only where this node was skipped is anything read.
    only_when_skipped: Option<String>,
}

#[async_trait]
impl Hook for ValidateArtifacts {
    fn nodes(&self) -> Vec<&str> {
        self.only_when_skipped.as_deref().into_iter().collect()
    }

    async fn run(&self, context: &mut HookContext<'_>) -> Result<Outcome, HookError> {
        if let Some(id) = &self.only_when_skipped
            && !context.graph.node(id).is_some_and(|node| context.is_skipped(node))
        {
            return Ok(Outcome::Skip);
        }
        let reading = match (&self.validates, &self.artifacts) {
            (Some(name), _) => Reading::others(context, std::slice::from_ref(name)),
            (None, Some(names)) => Reading::own(context, names),
            (None, None) if context.node.produces.is_empty() => {
                let message = format!(
                    "{} leaves no artifact behind: give it `produces`, or the hook `artifacts` or `validates`",
                    context.node.id
                );
                return Err(HookError(message));
            }
            (None, None) => Reading::own(context, &context.node.produces),
        };
        Ok(reading.decide(|artifact| self.check(artifact)))
    }
}

impl ValidateArtifacts {
    fn check(&self, artifact: &Artifact) -> Vec<String> {
        let mut findings = self.front_matter(artifact);
        if !self.sections.is_empty() || self.checkmarks {
            let outline = artifact.outline();
            let file = artifact.file();
            findings.extend(self.sections.iter().filter_map(|title| section(file, &outline, title)));
            if self.checkmarks {
                findings.extend(unticked(file, &outline));
            }
        }
        findings
    }

    fn front_matter(&self, artifact: &Artifact) -> Vec<String> {
        let (key, value) = LOCK;
        let lock = (self.locked && !self.front_matter.contains_key(key))
            .then(|| (key, Value::String(value.to_owned())));
        let expected: Vec<(&str, Value)> = lock
            .into_iter()
            .chain(self.front_matter.iter().map(|(key, value)| (key.as_str(), value.clone())))
            .collect();
        if expected.is_empty() {
            return Vec::new();
        }
        let file = artifact.file();
        let front = match artifact.front_matter() {
            Ok(front) => front,
            Err(error) => return vec![error.to_string()],
        };
        let finding = |(key, value): &(&str, Value)| {
            let Some(front) = &front else {
                return Some(format!("{file}:1: no front matter; expected {key}: {}", shown(value)));
            };
            let line = front.line(key);
            match front.get(key).map(windtunnel_doc::Node::to_json) {
                Some(found) if found == *value => None,
                Some(found) => {
                    Some(format!("{file}:{line}: {key} is {}; expected {}", shown(&found), shown(value)))
                }
                None => {
                    Some(format!("{file}:{line}: no {key} in the front matter; expected {}", shown(value)))
                }
            }
        };
        expected.iter().filter_map(finding).collect()
    }
}

/// A value as it would stand in the file.
fn shown(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

fn section(file: &str, outline: &Outline, title: &str) -> Option<String> {
    let Some(section) = outline.section(title) else {
        let titles = || outline.sections.iter().map(|section| section.title.as_str());
        let near = nearest(title, titles())
            .and_then(|near| outline.section(near))
            .map(|near| format!("; line {} has \"{}\"", near.line, near.title));
        return Some(format!("{file}: no section \"{title}\"{}", near.unwrap_or_default()));
    };
    let empty = || {
        format!(
            "{file}:{}: section \"{}\" is empty; expected something below its heading",
            section.line, section.title
        )
    };
    (!section.filled).then(empty)
}

fn unticked<'a>(file: &'a str, outline: &'a Outline) -> impl Iterator<Item = String> + 'a {
    outline
        .boxes
        .iter()
        .filter(|task| !task.ticked)
        .map(move |task| format!("{file}:{}: not ticked: {}", task.line, task.text))
}
