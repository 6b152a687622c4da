//! What a scenario does.

use std::sync::Arc;

use super::Expectations;
use crate::item::RepoName;
use crate::runtime::Verdict;
use crate::transport::{Operation, marked};

/// A step of a scenario.
#[derive(Debug, Clone)]
pub struct Step {
    pub(in crate::scenario) action: Action,
}

impl Step {
    /// Its kind, as manifests write it.
    pub fn kind(&self) -> &'static str {
        match self.action {
            Action::Comment { .. } => "comment",
            Action::Emit { .. } => "emit",
            Action::Complete { .. } => "complete",
            Action::Advance => "advance",
            Action::Ask { .. } => "ask",
            Action::Reply { .. } => "reply",
            Action::InnerLoop { .. } => "inner-loop",
            Action::FailGithub { .. } => "fail-github",
            Action::RestoreGithub => "restore-github",
            Action::Expect(_) => "expect",
        }
    }
}

/// What a step does. There is nothing else that one could do.
#[derive(Debug, Clone)]
pub(in crate::scenario) enum Action {
    /// Somebody comments; the current gate looks at it.
    Comment { author: String, words: Words },
    /// The agent leaves an artifact behind.
    Emit { artifact: String, content: Arc<[u8]> },
    /// The agent claims a node.
    Complete { node: String, status: Verdict },
    /// The current gate looks again.
    Advance,
    /// The agent asks.
    Ask { question: String },
    /// Somebody answers.
    Reply { text: String, actor: String, session_missing: bool },
    /// An inner loop stands at a node.
    InnerLoop { pr: u64, node: String, repo: Option<RepoName> },
    /// Operations of the control plane fail.
    FailGithub { operations: Vec<Operation> },
    /// No operation fails any more.
    RestoreGithub,
    /// Something is expected by now.
    Expect(Box<Expectations>),
}

/// What somebody says. Steps that name the same fixture share it.
#[derive(Debug, Clone)]
pub(in crate::scenario) struct Words {
    pub(super) body: Option<String>,
    /// Comes after the body.
    pub(super) fixture: Option<Arc<str>>,
    /// Whether it bears the mark of the process.
    pub(super) is_marked: bool,
}

impl Words {
    /// The text of the comment.
    pub(in crate::scenario) fn text(&self) -> String {
        let parts: Vec<&str> = self.parts().collect();
        let text = parts.join("\n\n");
        if self.is_marked { marked(&text) } else { text }
    }

    /// The bytes of the body and the fixture.
    pub(super) fn text_len(&self) -> usize {
        self.parts().map(str::len).sum()
    }

    fn parts(&self) -> impl Iterator<Item = &str> {
        self.body.as_deref().into_iter().chain(self.fixture.as_deref())
    }
}

#[cfg(test)]
mod tests {
    use camino::Utf8Path;

    use super::*;
    use crate::graph::work_item_loop;
    use crate::scenario::Scenario;

    #[test]
    fn a_fixture_is_kept_once_whichever_steps_name_it() {
        let folder = tempfile::tempdir().unwrap();
        let folder = Utf8Path::from_path(folder.path()).unwrap().join("often");
        std::fs::create_dir_all(folder.join("artifacts")).unwrap();
        std::fs::write(folder.join("artifacts/plan.md"), "# Plan\n").unwrap();
        let manifest = "
name: often
workItem: issue-42
steps:
  - comment: {author: owner, fixture: plan.md}
  - comment: {author: owner, body: See, fixture: plan.md, marked: true}
  - emit: {artifact: plan.md, fixture: plan.md}
expect: {status: waiting}
";
        std::fs::write(folder.join("scenario.yaml"), manifest).unwrap();
        let scenario = Scenario::load(&folder, &work_item_loop().unwrap()).unwrap();
        let (mut places, mut texts) = (Vec::new(), Vec::new());
        for step in scenario.steps() {
            match &step.action {
                Action::Comment { words, .. } => {
                    places.push(words.fixture.as_ref().unwrap().as_ptr());
                    texts.push(words.text());
                }
                Action::Emit { content, .. } => places.push(content.as_ptr()),
                _ => {}
            }
        }
        assert_eq!(texts, ["# Plan\n".to_owned(), marked("See\n\n# Plan\n")]);
        assert_eq!(places, [places[0]; 3]);
    }
}
