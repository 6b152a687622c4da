//! From a folder to a scenario, all faults at once.

use camino::Utf8Path;
use serde::de::DeserializeOwned;
use windtunnel_doc::{Diagnostic, Diagnostics, Document, Fault, Format, Node, NodeValue, Path, nearest};

use super::fixture::Fixtures;
use super::step::{Action, Step};
use super::{Expectations, LIMITS, MANIFEST_FILE, Scenario, shapes};
use crate::graph::Graph;
use crate::item::number_of;

/// Reads a scenario folder.
pub(super) fn read(folder: &Utf8Path, graph: &Graph) -> Result<Scenario, Diagnostics> {
    let document = open(folder)?;
    let mut reader = Reader { graph, fixtures: Fixtures::of(folder), sent: 0, faults: Vec::new() };
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
        let message = format!("there is no {MANIFEST_FILE} in this folder");
        let help = "a scenario is a folder with that file, and artifacts/ beside it";
        return Err(Diagnostic::of_file(folder.as_str(), message).with_help(help).into());
    }
    let real = path.canonicalize_utf8().map_err(|error| fault(format!("cannot read: {error}")))?;
    if !folder.canonicalize_utf8().is_ok_and(|folder| real.starts_with(folder)) {
        return Err(fault("this link leads out of the scenario's folder".to_owned()));
    }
    Document::read_as(&path, Format::Yaml, &LIMITS)
}

/// Reads the values of a manifest and collects what is wrong with them.
pub(super) struct Reader<'a> {
    pub(super) graph: &'a Graph,
    pub(super) fixtures: Fixtures,
    /// Bytes that comments send, so far.
    pub(super) sent: usize,
    pub(super) faults: Vec<Fault>,
}

impl Reader<'_> {
    fn manifest(
        &mut self,
        folder: &Utf8Path,
        root: &Node,
    ) -> Option<(shapes::Manifest, Vec<Step>, Expectations)> {
        self.text(root, &Path::root(), "name", |reader, name, path| reader.name(folder, name, path));
        self.text(root, &Path::root(), "workItem", Self::work_item);
        let manifest: Option<shapes::Manifest> = self.decode(root, &Path::root());
        let steps = match root.get("steps").map(|steps| &steps.value) {
            Some(NodeValue::Seq(steps)) => self.steps(steps),
            _ => Vec::new(),
        };
        let path = Path::root().then("expect");
        let expected = root.get("expect");
        let expect = expected.map(|expected| self.expectations(expected, &path));
        let expect = expect.unwrap_or_else(|| Some(Expectations::default()));
        let is_idle = |expect: &Expectations| expect.is_empty() && !steps.iter().any(decides);
        if self.faults.is_empty() && expect.as_ref().is_some_and(is_idle) {
            let fault = Fault::new(path, "this scenario expects nothing, so it cannot fail");
            self.faults
                .push(fault.with_help("say under expect how the walk ends, as in finalNode and nodes"));
        }
        Some((manifest?, steps, expect?))
    }

    /// A scenario has the name of its folder, as it is called or as it is.
    fn name(&mut self, folder: &Utf8Path, name: &str, path: &Path) {
        let real = folder.canonicalize_utf8().ok();
        let names = [Some(folder), real.as_deref()].map(|folder| folder.and_then(Utf8Path::file_name));
        if !names.contains(&Some(name)) {
            let expected = names.into_iter().flatten().next().unwrap_or_default();
            self.fault(path, format!("{name:?} is not the name of the scenario's folder, {expected:?}"));
        }
    }

    fn work_item(&mut self, item: &str, path: &Path) {
        if let Err(reason) = number_of(item) {
            self.fault(path, format!("{item:?} is no work item: {reason}"));
        }
    }

    /// Checks the text of a field, where it is one.
    pub(super) fn text(
        &mut self,
        node: &Node,
        path: &Path,
        field: &str,
        check: impl FnOnce(&mut Self, &str, &Path),
    ) {
        if let Some(text) = said(node, field) {
            check(self, text, &path.clone().then(field));
        }
    }

    /// Checks each text of a field that is a list.
    pub(super) fn texts(
        &mut self,
        node: &Node,
        path: &Path,
        field: &str,
        check: impl Fn(&mut Self, &str, &Path),
    ) {
        let Some(NodeValue::Seq(elements)) = node.get(field).map(|list| &list.value) else { return };
        for (index, text) in elements.iter().enumerate() {
            if let Some(text) = text.as_str() {
                check(self, text, &path.clone().then(field).then(index));
            }
        }
    }

    /// That the name of a choice, or each of a list of them, is a plain word: a mapping with it as a key would be read as well.
    pub(super) fn words(&mut self, node: Option<&Node>, path: &Path) {
        match node.map(|node| &node.value) {
            Some(NodeValue::Seq(elements)) => {
                for (index, element) in elements.iter().enumerate() {
                    self.words(Some(element), &path.clone().then(index));
                }
            }
            Some(NodeValue::Map(_)) => self.fault(path, "expected a plain word, found a mapping"),
            _ => {}
        }
    }

    pub(super) fn filled(&mut self, text: &str, path: &Path) {
        if text.trim().is_empty() {
            self.fault(path, "this is empty");
        }
    }

    pub(super) fn fault(&mut self, path: &Path, message: impl Into<String>) {
        self.faults.push(Fault::new(path.clone(), message));
    }

    pub(super) fn decode<T: DeserializeOwned>(&mut self, node: &Node, path: &Path) -> Option<T> {
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

/// The text of a field.
pub(super) fn said<'n>(node: &'n Node, field: &str) -> Option<&'n str> {
    node.get(field)?.as_str()
}

/// The fault of a name that a graph has no node of; none if it has.
pub(super) fn no_node(graph: &Graph, id: &str, path: Path) -> Option<Fault> {
    let ids = graph.nodes().map(|node| node.id.as_str()).collect::<Vec<_>>();
    let message = || format!("{id:?} is no node of the graph {}", graph.id());
    (!ids.contains(&id)).then(|| unknown(path, message(), id, ids.iter().copied(), "its nodes are"))
}

/// The fault of a name that is none of those that are known, with the one that was probably meant, or else all of them.
pub(super) fn unknown<'n>(
    path: Path,
    message: String,
    name: &str,
    known: impl Iterator<Item = &'n str> + Clone,
    these_are: &str,
) -> Fault {
    let help = match nearest(name, known.clone()) {
        Some(near) => format!("did you mean {near:?}?"),
        None => format!("{these_are} {}", known.collect::<Vec<_>>().join(", ")),
    };
    Fault::new(path, message).with_help(help)
}

/// Whether a step can fail a scenario by what comes of it.
fn decides(step: &Step) -> bool {
    match &step.action {
        Action::Complete { .. } | Action::Ask { .. } | Action::Reply { .. } => true,
        Action::Expect(expectations) => !expectations.is_empty(),
        _ => false,
    }
}
