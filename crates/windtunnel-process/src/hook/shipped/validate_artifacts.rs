//! `validate-artifacts`: a node's artifacts are there, and say what they have to.

use async_trait::async_trait;
use indexmap::IndexMap;
use serde::Deserialize;
use serde_json::Value;
use windtunnel_doc::{Node, nearest};

use crate::artifact::{Artifact, ArtifactName, LOCK, Outline};
use crate::hook::reading::Reading;
use crate::hook::{Hook, HookContext, HookError, Outcome};

/// The node's artifacts are there, and say what they have to.
#[derive(Debug, Deserialize)]
#[serde(try_from = "Parameters")]
pub(super) struct ValidateArtifacts {
    read: Read,
    front_matter: IndexMap<String, Value>,
    sections: Vec<String>,
    checkmarks: bool,
    only_when_skipped: Option<String>,
}

/// Which artifacts are read.
#[derive(Debug)]
enum Read {
    /// What the node leaves behind.
    Own,
    /// These of the node's own.
    These(Vec<ArtifactName>),
    /// Another node's.
    Other(ArtifactName),
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase", default)]
struct Parameters {
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

impl TryFrom<Parameters> for ValidateArtifacts {
    type Error = &'static str;

    fn try_from(parameters: Parameters) -> Result<Self, Self::Error> {
        let read = match (parameters.artifacts, parameters.validates) {
            (Some(_), Some(_)) => return Err("expected either artifacts or validates, found both"),
            (Some(names), None) if names.is_empty() => {
                return Err("artifacts is empty; expected a name or more");
            }
            (Some(names), None) => Read::These(names),
            (None, Some(name)) => Read::Other(name),
            (None, None) => Read::Own,
        };
        let mut front_matter = IndexMap::new();
        if parameters.locked {
            let (key, value) = LOCK;
            front_matter.insert(key.to_owned(), Value::from(value));
        }
        for (key, value) in parameters.front_matter {
            if front_matter.get(&key).is_some_and(|locked| *locked != value) {
                return Err("locked asks for another status than frontMatter does");
            }
            front_matter.insert(key, value);
        }
        Ok(Self {
            read,
            front_matter,
            sections: parameters.sections,
            checkmarks: parameters.checkmarks,
            only_when_skipped: parameters.only_when_skipped,
        })
    }
}

#[async_trait]
impl Hook for ValidateArtifacts {
    fn nodes(&self) -> Vec<&str> {
        self.only_when_skipped.as_deref().into_iter().collect()
    }

    async fn run(&self, context: &mut HookContext<'_>) -> Result<Outcome, HookError> {
        let applies = |id: &String| context.graph.node(id).is_some_and(|node| context.is_skipped(node));
        if !self.only_when_skipped.as_ref().is_none_or(applies) {
            return Ok(Outcome::Skip);
        }
        let reading = match &self.read {
            Read::Own if context.node.produces.is_empty() => {
                let node = &context.node.id;
                let message = format!("{node} produces nothing; the hook needs artifacts or validates there");
                return Err(HookError(message));
            }
            Read::Own => Reading::own(context, &context.node.produces),
            Read::These(names) => Reading::own(context, names),
            Read::Other(name) => Reading::others(context, std::slice::from_ref(name)),
        };
        Ok(reading.decide(|artifact| self.check(artifact)))
    }
}

impl ValidateArtifacts {
    fn check(&self, artifact: &Artifact) -> Vec<String> {
        let mut findings = self.front_matter(artifact);
        let file = artifact.file();
        let outline = artifact.outline();
        if !outline.filled && (self.locked() || self.checkmarks) {
            findings.push(format!(
                "{file}: nothing is said in it; expected text below the front matter and headings"
            ));
        }
        findings.extend(self.sections.iter().filter_map(|title| section(file, &outline, title)));
        if self.checkmarks {
            findings.extend(unticked(file, &outline));
        }
        findings
    }

    fn locked(&self) -> bool {
        let (key, value) = LOCK;
        self.front_matter.get(key).is_some_and(|locked| locked == value)
    }

    fn front_matter(&self, artifact: &Artifact) -> Vec<String> {
        let file = artifact.file();
        let front = match artifact.front_matter() {
            Ok(front) => front,
            Err(error) => return vec![error.to_string()],
        };
        let finding = |(key, expected): (&String, &Value)| {
            let Some(front) = &front else {
                return Some(format!("{file}:1: no front matter; expected {key}: {expected}"));
            };
            match front.get(key).map(Node::to_json) {
                Some(found) if found == *expected => None,
                Some(found) => {
                    Some(format!("{file}:{}: {key} is {found}; expected {expected}", front.line(key)))
                }
                None => Some(format!("{file}:1: no {key} in the front matter; expected {expected}")),
            }
        };
        self.front_matter.iter().filter_map(finding).collect()
    }
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
