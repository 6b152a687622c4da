//! From the hooks that a chain names to hooks with parameters.

use windtunnel_doc::{Fault, Node as Value, NodeValue, Path, nearest};

use super::BoundHook;
use super::draft::{Draft, about_node, elements};
use crate::hook::{Hook, HookRegistry};

/// Binds the chains of each node. Those of a node that could not be read are bound for their faults alone.
pub(super) fn bind(draft: &mut Draft, root: &Value, hooks: &HookRegistry, faults: &mut Vec<Fault>) {
    let ids: Vec<String> = draft.ids().map(str::to_owned).collect();
    let mut nodes = draft.nodes.iter_mut().peekable();
    for (path, value) in elements(root, "nodes") {
        let mut binder = Binder { hooks, ids: &ids, faults: Vec::new() };
        let entry = binder.chain(value, &path, "entry");
        let exit = binder.chain(value, &path, "exit");
        faults.extend(binder.faults.into_iter().map(|fault| about_node(value, fault)));
        if let Some(node) = nodes.next_if(|node| node.path == path) {
            node.value.entry = entry;
            node.value.exit = exit;
        }
    }
}

struct Binder<'a> {
    hooks: &'a HookRegistry,
    ids: &'a [String],
    faults: Vec<Fault>,
}

impl Binder<'_> {
    /// The chain of this name. That it is a list was seen when the node was read.
    fn chain(&mut self, node: &Value, path: &Path, name: &str) -> Vec<BoundHook> {
        let Some(NodeValue::Seq(steps)) = node.get(name).map(|chain| &chain.value) else { return Vec::new() };
        let path = path.clone().then(name);
        steps
            .iter()
            .enumerate()
            .filter_map(|(index, step)| self.step(step, path.clone().then(index)))
            .collect()
    }

    /// One hook: a name, or a map of a name to parameters.
    fn step(&mut self, step: &Value, path: Path) -> Option<BoundHook> {
        let nothing = Value { span: step.span.clone(), value: NodeValue::Map(Vec::new()) };
        let (name, path, parameters) = match &step.value {
            NodeValue::String(name) => (name, path, &nothing),
            NodeValue::Map(entries) if let [(name, parameters)] = entries.as_slice() => {
                let parameters = if parameters.value == NodeValue::Null { &nothing } else { parameters };
                (&name.name, path.then(name.name.as_str()), parameters)
            }
            NodeValue::Map(entries) if !entries.is_empty() => {
                let message = format!("expected one hook with its parameters, found {} keys", entries.len());
                self.faults.push(Fault::new(path, message).with_help("give each hook a dash of its own"));
                return None;
            }
            _ => {
                self.faults.push(Fault::new(
                    path,
                    "expected a hook: its name, or its name as the only key of a map",
                ));
                return None;
            }
        };
        match self.hooks.bind(name, parameters) {
            Some(Ok(hook)) => {
                self.check_nodes(name, hook.as_ref(), &path);
                Some(BoundHook { name: name.clone(), hook })
            }
            Some(Err(found)) => {
                let within = |fault: Fault| Fault { path: path.join(&fault.path), ..fault };
                self.faults.extend(found.into_iter().map(within));
                None
            }
            None => {
                self.faults.push(unknown_hook(name, path, self.hooks));
                None
            }
        }
    }

    fn check_nodes(&mut self, name: &str, hook: &dyn Hook, path: &Path) {
        for node in hook.nodes().into_iter().filter(|node| !self.ids.iter().any(|id| id == node)) {
            let message = format!("hook {name:?}: there is no node {node:?}");
            let fault = Fault::new(path.clone(), message);
            self.faults.push(match nearest(node, self.ids.iter().map(String::as_str)) {
                Some(meant) => fault.with_help(format!("did you mean {meant:?}?")),
                None => fault,
            });
        }
    }
}

fn unknown_hook(name: &str, path: Path, hooks: &HookRegistry) -> Fault {
    let fault = Fault::new(path, format!("there is no hook {name:?}")).at_key();
    match nearest(name, hooks.names()) {
        Some(meant) => fault.with_help(format!("did you mean {meant:?}?")),
        None => {
            let known: Vec<&str> = hooks.names().collect();
            fault.with_help(format!("expected one of {}", known.join(", ")))
        }
    }
}
