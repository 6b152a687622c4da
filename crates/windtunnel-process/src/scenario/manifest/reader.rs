//! From a folder to a scenario, all faults at once.

use camino::Utf8Path;
use serde::de::DeserializeOwned;
use windtunnel_doc::{Diagnostic, Diagnostics, Document, Fault, Format, Key, Node, NodeValue, Path, nearest};

use super::fixture::{self, Fixtures, PathFault};
use super::step::{Action, Repo, Step};
use super::{
    AtNode, Expectations, IMPLEMENTATION, LIMITS, MANIFEST_FILE, MAX_STEPS, Scenario, events, names, shapes,
};
use crate::graph::Graph;
use crate::item::WorkItem;
use crate::scenario::world::ORIGIN;
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

/// Reads a scenario folder.
pub(super) fn read(folder: &Utf8Path, graph: &Graph) -> Result<Scenario, Diagnostics> {
    let document = open(folder)?;
    let mut reader = Reader { graph, fixtures: Fixtures::of(folder), faults: Vec::new() };
    let parts = reader.manifest(folder, document.root());
    document.diagnose(reader.faults)?;
    // Where there is no fault there is everything.
    let Some((manifest, steps, expect)) = parts else {
        return Err(Diagnostic::of_file(document.name(), "this is no manifest of a scenario").into());
    };
    Ok(Scenario {
        name: manifest.name,
        description: manifest.description,
        folder: folder.to_owned(),
        tier: manifest.tier,
        work_item: manifest.work_item,
        steps,
        expect,
        document,
    })
}

/// The manifest of a folder, which may only be a link to a file in the same folder.
fn open(folder: &Utf8Path) -> Result<Document, Diagnostics> {
    let path = folder.join(MANIFEST_FILE);
    let fault = |message: String| Diagnostics::from(Diagnostic::of_file(path.as_str(), message));
    if !folder.is_dir() {
        return Err(Diagnostic::of_file(folder.as_str(), "there is no such folder").into());
    }
    if path.symlink_metadata().is_err() {
        let diagnostic =
            Diagnostic::of_file(folder.as_str(), format!("there is no {MANIFEST_FILE} in this folder"));
        return Err(diagnostic
            .with_help("a scenario is a folder with that file, and artifacts/ beside it")
            .into());
    }
    let real = path.canonicalize_utf8().map_err(|error| fault(format!("cannot read: {error}")))?;
    if !folder.canonicalize_utf8().is_ok_and(|folder| real.starts_with(folder)) {
        return Err(fault("this link leads out of the scenario's folder".to_owned()));
    }
    Document::read_as(&path, Format::Yaml, &LIMITS)
}

struct Reader<'a> {
    graph: &'a Graph,
    fixtures: Fixtures,
    faults: Vec<Fault>,
}

impl Reader<'_> {
    fn manifest(
        &mut self,
        folder: &Utf8Path,
        root: &Node,
    ) -> Option<(shapes::Manifest, Vec<Step>, Expectations)> {
        let manifest: Option<shapes::Manifest> = self.decode(root, &Path::root());
        let steps = match root.get("steps").map(|steps| &steps.value) {
            Some(NodeValue::Seq(steps)) => self.steps(steps),
            _ => Vec::new(),
        };
        let expect = match root.get("expect") {
            Some(expect) => self.expectations(expect, &Path::root().then("expect")),
            None => Some(Expectations::default()),
        };
        let manifest = manifest?;
        self.head(folder, &manifest);
        if self.faults.is_empty() && root.get("expect").is_none() && !steps.iter().any(decides) {
            let fault =
                Fault::new(Path::root().then("expect"), "this scenario expects nothing, so it cannot fail");
            self.faults
                .push(fault.with_help("say under expect how the walk ends, as in finalNode and nodes"));
        }
        Some((manifest, steps, expect?))
    }

    fn head(&mut self, folder: &Utf8Path, manifest: &shapes::Manifest) {
        let name = manifest.name.as_str();
        let real = folder.canonicalize_utf8().ok();
        let names = [Some(folder), real.as_deref()].map(|folder| folder.and_then(Utf8Path::file_name));
        if !names.contains(&Some(name)) {
            let expected = names.into_iter().flatten().next().unwrap_or_default();
            let message = format!("{name:?} is not the name of the scenario's folder, {expected:?}");
            self.fault(&Path::root().then("name"), message);
        }
        let item = manifest.work_item.as_str();
        if let Err(reason) = WorkItem::parse(item, Some(ORIGIN)) {
            self.fault(&Path::root().then("workItem"), format!("{item:?} is no work item: {reason}"));
        }
    }

    fn steps(&mut self, nodes: &[Node]) -> Vec<Step> {
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
            NodeValue::Map(entries) => match entries.as_slice() {
                [(Key { name: kind, .. }, body)] => {
                    let body = if body.value == NodeValue::Null { &nothing } else { body };
                    self.action(kind, body, path.then(kind.as_str()))
                }
                [] => self.no_step(&path, "an empty mapping", None),
                several => {
                    let keys: Vec<&str> = several.iter().map(|(key, _)| key.name.as_str()).collect();
                    let kind = keys.iter().find(|key| KINDS.contains(key));
                    let help = kind.map(|kind| {
                        format!("indent the fields of {kind} below it, or begin a step with each `- `")
                    });
                    self.no_step(&path, &format!("the keys {}", keys.join(", ")), help)
                }
            },
            _ => self.no_step(&path, "something else", None),
        };
        action.map(|action| Step { action })
    }

    fn no_step<T>(&mut self, path: &Path, found: &str, help: Option<String>) -> Option<T> {
        let message =
            format!("expected a step, which is a mapping with its kind as the only key, found {found}");
        let fault = Fault { help, ..Fault::new(path.clone(), message) };
        self.faults.push(fault);
        None
    }

    fn action(&mut self, kind: &str, body: &Node, path: Path) -> Option<Action> {
        match kind {
            "comment" => self.comment(body, &path),
            "emit" => self.emit(body, &path),
            "complete" => {
                let shapes::Complete { node, status } = self.decode(body, &path)?;
                self.node(&node, &path.then("node"));
                Some(Action::Complete { node, status })
            }
            "advance" => self.decode(body, &path).map(|shapes::Nothing {}| Action::Advance),
            "ask" => {
                let shapes::Ask { question } = self.decode(body, &path)?;
                self.filled(&question, &path.then("question"));
                Some(Action::Ask { question })
            }
            "reply" => {
                let shapes::Reply { text, actor, session_missing } = self.decode(body, &path)?;
                self.filled(&text, &path.clone().then("text"));
                self.filled(&actor, &path.then("actor"));
                Some(Action::Reply { text, actor, session_missing })
            }
            "inner-loop" => self.inner_loop(body, &path),
            "fail-github" => self.fail_github(body, &path),
            "restore-github" => self.decode(body, &path).map(|shapes::Nothing {}| Action::RestoreGithub),
            "expect" => self.expectations(body, &path).map(|expect| Action::Expect(Box::new(expect))),
            unknown => {
                let fault = Fault::new(
                    path,
                    format!("unknown step {unknown:?}; expected one of {}", KINDS.join(", ")),
                );
                let help = nearest(unknown, KINDS).map(|near| format!("did you mean {near:?}?"));
                self.faults.push(Fault { help, ..fault }.at_key());
                None
            }
        }
    }

    fn comment(&mut self, body: &Node, path: &Path) -> Option<Action> {
        let shapes::Comment { author, body: text, fixture, marked } = self.decode(body, path)?;
        self.filled(&author, &path.clone().then("author"));
        if text.is_none() && fixture.is_none() {
            self.faults.push(Fault::new(path.clone(), "a comment needs a body, a fixture, or both").at_key());
        }
        let fixture = match fixture {
            None => None,
            Some(name) => Some(self.fixture_text(&name, &path.clone().then("fixture"))?),
        };
        let body = text.into_iter().chain(fixture).collect::<Vec<_>>().join("\n\n");
        let body = if marked { crate::transport::marked(&body) } else { body };
        Some(Action::Comment { author, body })
    }

    fn emit(&mut self, body: &Node, path: &Path) -> Option<Action> {
        let shapes::Emit { artifact, fixture } = self.decode(body, path)?;
        if let Err(message) = fixture::target(&artifact) {
            self.fault(&path.clone().then("artifact"), message);
        }
        match self.fixtures.read(&fixture) {
            Ok(content) => Some(Action::Emit { artifact, content }),
            Err(fault) => self.path_fault(&path.clone().then("fixture"), fault),
        }
    }

    fn fixture_text(&mut self, name: &str, path: &Path) -> Option<String> {
        match self.fixtures.read(name) {
            Ok(content) => match std::str::from_utf8(&content) {
                Ok(text) => Some(text.to_owned()),
                Err(_) => {
                    self.fault(path, format!("{name:?} is not UTF-8 text, and the body of a comment is"));
                    None
                }
            },
            Err(fault) => self.path_fault(path, fault),
        }
    }

    fn inner_loop(&mut self, body: &Node, path: &Path) -> Option<Action> {
        let shapes::InnerLoop { pr, node, repo } = self.decode(body, path)?;
        self.filled(&node, &path.clone().then("node"));
        if pr == 0 {
            self.fault(&path.clone().then("pr"), "a pull request has a number from 1 up".to_owned());
        }
        let repo = match repo.map(|repo| Repo::parse(&repo)).transpose() {
            Ok(repo) => repo,
            Err(message) => {
                self.fault(&path.clone().then("repo"), message);
                None
            }
        };
        Some(Action::InnerLoop { pr, node, repo })
    }

    /// The operations are given as `ops`, or as the body itself.
    fn fail_github(&mut self, body: &Node, path: &Path) -> Option<Action> {
        let (given, path) = match &body.value {
            NodeValue::Seq(_) => (Some(self.decode::<Vec<Operation>>(body, path)?), path.clone()),
            _ => (self.decode::<shapes::FailGithub>(body, path)?.ops, path.clone().then("ops")),
        };
        if given.as_ref().is_some_and(Vec::is_empty) {
            let fault = Fault::new(path, "no operation is named");
            self.faults.push(fault.with_help("leave the list out to let all of them fail"));
        }
        Some(Action::FailGithub { operations: given.unwrap_or_else(|| Operation::ALL.to_vec()) })
    }

    fn expectations(&mut self, node: &Node, path: &Path) -> Option<Expectations> {
        let raw: shapes::Expect = self.decode(node, path)?;
        let at = |field: &str| path.clone().then(field);
        let nodes = raw.nodes.map(|nodes| self.walk(&nodes, &at("nodes")));
        let events = match raw.events.map(|events| events::compile(&events, &at("events"))).transpose() {
            Ok(events) => events,
            Err(faults) => {
                self.faults.extend(faults);
                None
            }
        };
        for (field, node) in [("finalNode", &raw.final_node), ("currentNode", &raw.current_node)] {
            if let Some(node) = node {
                self.node(node, &at(field));
            }
        }
        for (field, node) in [("completed", &raw.completed), ("parked", &raw.parked)] {
            if let Some(AtNode::Node(node)) = node {
                self.node(node, &at(field));
            }
        }
        for (index, node) in raw.execution_log_entries.iter().flatten().enumerate() {
            self.node(node, &at("executionLogEntries").then(index));
        }
        if raw.locked_before_implementation.is_some() && self.graph.node(IMPLEMENTATION).is_none() {
            let message = format!("the graph {} has no node {IMPLEMENTATION:?}", self.graph.id());
            self.faults.push(Fault::new(at("lockedBeforeImplementation"), message).at_key());
        }
        let sections = [
            (&["executionLog", "sections"][..], raw.execution_log.map(|log| log.sections)),
            (&["executionLogSections"][..], raw.execution_log_sections),
        ];
        Some(Expectations {
            nodes,
            labels: raw.labels,
            events,
            final_node: raw.final_node,
            current_node: raw.current_node,
            status: raw.status,
            completed: raw.completed,
            parked: raw.parked,
            locked: raw.locked_before_implementation,
            sections: sections.into_iter().filter_map(|(field, names)| Some((field, names?))).collect(),
            entries: raw.execution_log_entries,
        })
    }

    fn walk(&mut self, nodes: &[String], path: &Path) -> Vec<String> {
        let mut walk = Vec::new();
        for (index, text) in nodes.iter().enumerate() {
            let (skipped, id) = names::walked(text);
            self.node(id, &path.clone().then(index));
            walk.push(if skipped { format!("~{id}") } else { id.to_owned() });
        }
        walk
    }

    fn node(&mut self, id: &str, path: &Path) {
        self.faults.extend(names::check_node(self.graph, id, path).err());
    }

    fn filled(&mut self, text: &str, path: &Path) {
        if text.trim().is_empty() {
            self.fault(path, "this is empty".to_owned());
        }
    }

    fn fault(&mut self, path: &Path, message: String) {
        self.faults.push(Fault::new(path.clone(), message));
    }

    fn path_fault<T>(&mut self, path: &Path, PathFault { message, help }: PathFault) -> Option<T> {
        self.faults.push(Fault { help, ..Fault::new(path.clone(), message) });
        None
    }

    fn decode<T: DeserializeOwned>(&mut self, node: &Node, path: &Path) -> Option<T> {
        match node.decode(Format::Yaml) {
            Ok(value) => Some(value),
            Err(faults) => {
                let within = |fault: Fault| Fault { path: path.join(&fault.path), ..fault };
                self.faults.extend(faults.into_iter().map(within));
                None
            }
        }
    }
}

/// Whether a step can fail a scenario by what comes of it.
fn decides(step: &Step) -> bool {
    matches!(step.action, Action::Expect(_) | Action::Complete { .. } | Action::Reply { .. })
}
