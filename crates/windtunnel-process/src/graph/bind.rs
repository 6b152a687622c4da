//! From the hooks that a chain names to hooks with parameters.

use windtunnel_doc::{Fault, Node as Value, NodeValue, Path};

use super::BoundHook;
use super::check::did_you_mean;
use super::draft::{Draft, about_node, elements};
use crate::hook::{Hook, HookRegistry};

/// Binds the chains of each node. Those of a node that could not be read are bound for their faults alone.
pub(super) fn bind(draft: &mut Draft, root: &Value, hooks: &HookRegistry, faults: &mut Vec<Fault>) {
    let ids: Vec<String> = draft.ids().map(str::to_owned).collect();
    let mut nodes = draft.nodes.iter_mut().peekable();
    for (path, node) in elements(root, "nodes") {
        let mut binder = Binder { hooks, ids: &ids, node, faults };
        let entry = binder.chain(&path, "entry");
        let exit = binder.chain(&path, "exit");
        if let Some(node) = nodes.next_if(|node| node.path == path) {
            node.value.entry = entry;
            node.value.exit = exit;
        }
    }
}

struct Binder<'a> {
    hooks: &'a HookRegistry,
    ids: &'a [String],
    node: &'a Value,
    faults: &'a mut Vec<Fault>,
}

impl Binder<'_> {
    /// The chain of this name. That it is a list was seen when the node was read.
    fn chain(&mut self, path: &Path, name: &str) -> Vec<BoundHook> {
        let Some(NodeValue::Seq(steps)) = self.node.get(name).map(|chain| &chain.value) else {
            return Vec::new();
        };
        let path = path.clone().then(name);
        let place = |index: usize| path.clone().then(index);
        steps.iter().enumerate().filter_map(|(index, step)| self.step(step, place(index))).collect()
    }

    /// One hook: a name, or a map of a name to parameters.
    fn step(&mut self, step: &Value, path: Path) -> Option<BoundHook> {
        let nothing = Value { span: step.span.clone(), value: NodeValue::Map(Vec::new()) };
        let entries = match &step.value {
            NodeValue::Map(entries) => entries.as_slice(),
            _ => &[],
        };
        let (name, path, parameters) = match (step.as_str(), entries) {
            (Some(name), _) => (name, path, &nothing),
            (None, [(name, Value { value: NodeValue::Null, .. })]) => (&*name.name, path, &nothing),
            (None, [(name, parameters)]) => (&*name.name, path.then(&*name.name), parameters),
            (None, []) => {
                let message = "expected a hook: its name, or its name as the only key of a map";
                self.fault(Fault::new(path, message));
                return None;
            }
            (None, keys) => {
                let message = format!("expected one hook with its parameters, found {} keys", keys.len());
                self.fault(Fault::new(path, message).with_help("give each hook a dash of its own"));
                return None;
            }
        };
        match self.hooks.bind(name, parameters) {
            Some(Ok(hook)) => {
                self.check_nodes(name, hook.as_ref(), &path);
                return Some(BoundHook { name: name.to_owned(), hook });
            }
            Some(Err(found)) => {
                for fault in found {
                    self.fault(Fault { path: path.join(&fault.path), ..fault });
                }
            }
            None => self.unknown_hook(name, path),
        }
        None
    }

    fn check_nodes(&mut self, name: &str, hook: &dyn Hook, path: &Path) {
        for node in hook.nodes().into_iter().filter(|node| !self.ids.iter().any(|id| id == node)) {
            let help = did_you_mean(node, self.ids.iter().map(String::as_str), self.faults);
            let message = format!("hook {name:?}: there is no node {node:?}");
            self.fault(Fault { help, ..Fault::new(path.clone(), message) });
        }
    }

    fn unknown_hook(&mut self, name: &str, path: Path) {
        let help = did_you_mean(name, self.hooks.names(), self.faults).unwrap_or_else(|| {
            let known: Vec<&str> = self.hooks.names().collect();
            format!("expected one of {}", known.join(", "))
        });
        self.fault(Fault::new(path, format!("there is no hook {name:?}")).at_key().with_help(help));
    }

    fn fault(&mut self, fault: Fault) {
        self.faults.push(about_node(self.node, fault));
    }
}
