//! Where the values of a config were written.

use std::fmt;
use std::sync::Arc;

use serde_json::Value;
use windtunnel_api::Secret;
use windtunnel_api::secret::{Redactor, names_a_secret};
use windtunnel_doc::{At, Diagnostic, Diagnostics, Fault, Node, NodeValue, Path, Segment};

use super::environment::Overlay;
use super::layer::{Layer, Written};

/// The layers that a config was merged from, the outermost base file first; none for a config that was built in code.
#[derive(Clone, Default)]
pub struct Origin(Arc<Vec<Layer>>);

impl fmt::Debug for Origin {
    /// The names of the files.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.0.iter().map(Layer::name)).finish()
    }
}

impl Origin {
    pub(super) fn new(layers: Vec<Layer>) -> Self {
        Self(Arc::new(layers))
    }

    pub(super) fn layers(&self) -> &[Layer] {
        &self.0
    }

    /// Points faults, whose paths are those of the merged config, to where it was written: each into the last file that has its place,
    /// or to the variable that set it. Faults of a config that was built in code have their paths only.
    pub fn diagnostics(&self, faults: Vec<Fault>) -> Diagnostics {
        let mut by_layer: Vec<Vec<Fault>> = self.0.iter().map(|_| Vec::new()).collect();
        let mut nowhere = Vec::new();
        for fault in faults {
            let fault = self.discreet(fault);
            let group = self.layer_of(&fault.path).and_then(|index| by_layer.get_mut(index));
            group.unwrap_or(&mut nowhere).push(fault);
        }
        let pointed = self.0.iter().zip(by_layer).filter_map(|(layer, faults)| pointed(layer, faults));
        Diagnostics::merge(pointed).unwrap_or_else(|| Diagnostics::of_value("the config", nowhere))
    }

    /// The fault, without its value where that may be a secret: then only its key is pointed at.
    fn discreet(&self, fault: Fault) -> Fault {
        if !may_be_secret(&fault.path) {
            return fault;
        }
        let Some(value) = self.written(&fault.path) else { return fault };
        let mut texts = Vec::new();
        collect_texts(&value, &mut texts);
        let redactor = Redactor::new(texts);
        let Fault { path, message, help, .. } = fault;
        let message = redactor.text(&message);
        let help = help.map(|help| redactor.text(&help));
        Fault { path, message, help, at: At::Key }
    }

    /// What the last layer that has a place says there, as it was written: relative scripts stay relative.
    pub fn written(&self, path: &Path) -> Option<Value> {
        self.0.iter().rev().find_map(|layer| layer.root().at(path)).map(Node::to_json)
    }

    /// The last layer that contributes to a place, or to the innermost place around it that there is; of several that contribute to one
    /// table the last file, since a table of the environment's nobody sees.
    fn layer_of(&self, path: &Path) -> Option<usize> {
        let mut here: Vec<(usize, &Node)> = self.0.iter().map(Layer::root).enumerate().collect();
        for segment in path.segments() {
            let step: Path = [segment.clone()].into_iter().collect();
            let below: Vec<(usize, &Node)> =
                here.iter().filter_map(|(index, node)| node.at(&step).map(|child| (*index, child))).collect();
            let Some(last) = below.len().checked_sub(1) else { break };
            // Only tables are merged: whatever else a layer has replaces what the layers before it have.
            let replaces = |(_, node): &(usize, &Node)| !matches!(node.value, NodeValue::Map(_));
            let first = below.iter().rposition(replaces).map_or(0, |at| if at == last { at } else { at + 1 });
            here = below.into_iter().skip(first).collect();
        }
        let is_file = |(index, _): &&(usize, &Node)| self.0.get(*index).is_some_and(Layer::is_file);
        here.iter().rev().find(is_file).or(here.last()).map(|(index, _)| *index)
    }
}

/// Parameters of back ends and runtimes whose values are not shown, beside those whose names tell.
const HIDDEN: [&str; 6] = ["base_url", "url", "env", "args", "headers", "params"];

/// Whether the value at a place is, or holds, something that must not be shown: such a parameter, or all parameters at once where a text
/// stands in place of their table.
fn may_be_secret(path: &Path) -> bool {
    let keys: Vec<&str> = path
        .segments()
        .iter()
        .filter_map(|segment| match segment {
            Segment::Key(key) => Some(key.as_str()),
            Segment::Index(_) => None,
        })
        .collect();
    // Counts of tokens are no tokens.
    let is_hidden = |key: &&str| HIDDEN.contains(key) || (names_a_secret(key) && !key.ends_with("_tokens"));
    match keys.as_slice() {
        ["endpoint" | "providers" | "tooling" | "runtime"] | ["providers" | "tooling" | "runtime", _] => true,
        ["endpoint", rest @ ..] | ["providers" | "tooling" | "runtime", _, rest @ ..] => {
            rest.iter().any(is_hidden)
        }
        _ => false,
    }
}

fn collect_texts(value: &Value, texts: &mut Vec<Secret>) {
    match value {
        Value::String(text) => texts.push(Secret::new(text)),
        Value::Number(number) => texts.push(Secret::new(number.to_string())),
        Value::Array(items) => items.iter().for_each(|item| collect_texts(item, texts)),
        Value::Object(members) => members.values().for_each(|member| collect_texts(member, texts)),
        Value::Null | Value::Bool(_) => {}
    }
}

fn pointed(layer: &Layer, faults: Vec<Fault>) -> Option<Diagnostics> {
    match &layer.written {
        Written::File(document) => document.diagnose(faults).err(),
        Written::Environment(overlay) => {
            Diagnostics::merge(faults.into_iter().map(|fault| of_variable(overlay, fault).into()))
        }
    }
}

fn of_variable(overlay: &Overlay, Fault { path, message, help, .. }: Fault) -> Diagnostic {
    let diagnostic = match overlay.setting(&path) {
        Some((set, variable)) if *set == path => Diagnostic::of_file(variable, message),
        Some((_, variable)) => Diagnostic::of_file(variable, format!("{path}: {message}")),
        None => Diagnostic::of_file("the environment", format!("{path}: {message}")),
    };
    match help {
        Some(help) => diagnostic.with_help(help),
        None => diagnostic,
    }
}
