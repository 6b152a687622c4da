//! Reading steps.

use std::sync::Arc;

use windtunnel_doc::{Fault, Key, Node, NodeValue, Path, nearest};

use super::fixture::{self, Content, PathFault};
use super::reader::{Reader, said};
use super::step::{Action, Step, Words};
use super::{MAX_SENT, MAX_STEPS, shapes};
use crate::item::RepoName;
use crate::scenario::world::OWNER;
use crate::transport::Operation;

/// The kinds of steps.
const KINDS: [&str; 10] = [
    "comment",
    "emit",
    "complete",
    "advance",
    "ask",
    "reply",
    "inner-loop",
    "fail-github",
    "restore-github",
    "expect",
];

impl Reader<'_> {
    pub(super) fn steps(&mut self, nodes: &[Node]) -> Vec<Step> {
        let path = Path::root().then("steps");
        if nodes.len() > MAX_STEPS {
            self.fault(&path, format!("{} steps; at most {MAX_STEPS} are played", nodes.len()));
            return Vec::new();
        }
        let steps = nodes.iter().enumerate();
        steps.filter_map(|(index, node)| self.step(node, path.clone().then(index))).collect()
    }

    /// A step is its kind alone, or a mapping with its kind as the only key.
    fn step(&mut self, node: &Node, path: Path) -> Option<Step> {
        let nothing = Node { span: node.span.clone(), value: NodeValue::Map(Vec::new()) };
        let action = match &node.value {
            NodeValue::String(kind) => self.action(kind, &nothing, path),
            NodeValue::Map(entries) => {
                match entries.as_slice() {
                    [(Key { name: kind, .. }, body)] => {
                        let body = if body.value == NodeValue::Null { &nothing } else { body };
                        self.action(kind, body, path.then(kind.as_str()))
                    }
                    [] => self.no_step(path, "an empty mapping", None),
                    several => {
                        let keys: Vec<&str> = several.iter().map(|(key, _)| key.name.as_str()).collect();
                        let kind = keys.iter().find(|key| KINDS.contains(key));
                        let help = kind.map(|kind| {
                        format!("indent the fields of {kind} below it, or begin each step with a dash of its own")
                    });
                        self.no_step(path, &format!("the keys {}", keys.join(", ")), help)
                    }
                }
            }
            NodeValue::Seq(_) => self.no_step(path, "a list", None),
            _ => self.no_step(path, "a plain value", None),
        };
        action.map(|action| Step { action })
    }

    fn no_step<T>(&mut self, path: Path, found: &str, help: Option<String>) -> Option<T> {
        let message =
            format!("expected a step, which is a mapping with its kind as the only key, found {found}");
        self.faults.push(Fault { help, ..Fault::new(path, message) });
        None
    }

    fn action(&mut self, kind: &str, body: &Node, path: Path) -> Option<Action> {
        match kind {
            "comment" => self.comment(body, &path),
            "emit" => self.emit(body, &path),
            "complete" => {
                self.text(body, &path, "node", Self::node);
                let shapes::Complete { node, status } = self.decode(body, &path)?;
                self.words(body.get("status"), &path.then("status"));
                Some(Action::Complete { node, status })
            }
            "advance" => self.decode(body, &path).map(|shapes::Nothing {}| Action::Advance),
            "ask" => {
                self.text(body, &path, "question", Self::filled);
                let shapes::Ask { question } = self.decode(body, &path)?;
                Some(Action::Ask { question })
            }
            "reply" => {
                self.text(body, &path, "text", Self::filled);
                self.text(body, &path, "actor", Self::filled);
                let shapes::Reply { text, actor, session_missing } = self.decode(body, &path)?;
                Some(Action::Reply { text, actor, session_missing })
            }
            "inner-loop" => self.inner_loop(body, &path),
            "fail-github" => self.fail_github(body, path),
            "restore-github" => self.decode(body, &path).map(|shapes::Nothing {}| Action::RestoreGithub),
            "expect" => self.expectations(body, &path).map(|expect| Action::Expect(Box::new(expect))),
            unknown => {
                let known = KINDS.join(", ");
                let fault = Fault::new(path, format!("unknown step {unknown:?}; expected one of {known}"));
                let help = nearest(unknown, KINDS).map(|near| format!("did you mean {near:?}?"));
                self.faults.push(Fault { help, ..fault }.at_key());
                None
            }
        }
    }

    fn comment(&mut self, body: &Node, path: &Path) -> Option<Action> {
        self.text(body, path, "author", Self::filled);
        let fixture =
            said(body, "fixture").map(|name| self.fixture_text(name, &path.clone().then("fixture")));
        let shapes::Comment { author, body: text, marked: is_marked, .. } = self.decode(body, path)?;
        if text.is_none() && fixture.is_none() {
            self.faults.push(Fault::new(path.clone(), "a comment needs a body, a fixture, or both").at_key());
        }
        let fixture = match fixture {
            Some(text) => Some(text?),
            None => None,
        };
        let words = Words { body: text, fixture, is_marked };
        self.sent(&words, path);
        Some(Action::Comment { author, words })
    }

    /// Each comment is kept as long as its play, and listed by gates.
    fn sent(&mut self, words: &Words, path: &Path) {
        let before = self.sent;
        self.sent = before.saturating_add(words.text_len());
        if before <= MAX_SENT && self.sent > MAX_SENT {
            let message = format!("with this comment, comments send more than {MAX_SENT} bytes in all");
            self.faults.push(Fault::new(path.clone(), message).at_key());
        }
    }

    fn emit(&mut self, body: &Node, path: &Path) -> Option<Action> {
        self.text(body, path, "artifact", |reader, artifact, path| {
            if let Err(message) = fixture::target(artifact) {
                reader.fault(path, message);
            }
        });
        let content = said(body, "fixture").map(|name| self.fixtures.read(name));
        let shapes::Emit { artifact, .. } = self.decode(body, path)?;
        match content? {
            Ok(content) => Some(Action::Emit { artifact, content: content.into() }),
            Err(fault) => self.path_fault(path.clone().then("fixture"), fault),
        }
    }

    fn fixture_text(&mut self, name: &str, path: &Path) -> Option<Arc<str>> {
        match self.fixtures.read(name) {
            Ok(Content::Text(text)) => Some(text),
            Ok(Content::Bytes(_)) => {
                self.fault(path, format!("{name:?} is not UTF-8 text, and the body of a comment is"));
                None
            }
            Err(fault) => self.path_fault(path.clone(), fault),
        }
    }

    fn path_fault<T>(&mut self, path: Path, PathFault { message, help }: PathFault) -> Option<T> {
        self.faults.push(Fault { help, ..Fault::new(path, message) });
        None
    }

    fn inner_loop(&mut self, body: &Node, path: &Path) -> Option<Action> {
        self.text(body, path, "node", Self::filled);
        let mut repo = None;
        self.text(body, path, "repo", |reader, text, path| match RepoName::parse_within(OWNER, text) {
            Ok(parsed) => repo = Some(parsed),
            Err(_) => reader.fault(
                path,
                format!("{text:?} is no repository; expected \"<owner>/<repo>\", or \"<repo>\" alone"),
            ),
        });
        let shapes::InnerLoop { pr, node, .. } = self.decode(body, path)?;
        if pr == 0 {
            self.fault(&path.clone().then("pr"), "a pull request has a number from 1 up");
        }
        Some(Action::InnerLoop { pr, node, repo })
    }

    /// The operations are given as `ops`, or as the body itself.
    fn fail_github(&mut self, body: &Node, path: Path) -> Option<Action> {
        let (given, at, path) = match &body.value {
            NodeValue::Seq(_) => (Some(self.decode::<Vec<Operation>>(body, &path)?), Some(body), path),
            _ => (self.decode::<shapes::FailGithub>(body, &path)?.ops, body.get("ops"), path.then("ops")),
        };
        self.words(at, &path);
        if given.as_ref().is_some_and(Vec::is_empty) {
            let fault = Fault::new(path, "no operation is named");
            self.faults.push(fault.with_help("leave the list out to let all of them fail"));
        }
        Some(Action::FailGithub { operations: given.unwrap_or_else(|| Operation::ALL.to_vec()) })
    }
}
