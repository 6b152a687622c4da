//! Names of nodes, and what was probably meant by those that are none.

use windtunnel_doc::{Fault, Path, nearest};

use crate::graph::Graph;

/// How a walk writes a node: an id, with `~` before or behind it where the node is skipped.
pub(super) fn walked(text: &str) -> (bool, &str) {
    match text.strip_prefix('~').or_else(|| text.strip_suffix('~')) {
        Some(id) => (true, id),
        None => (false, text),
    }
}

/// That a graph has a node of this name.
pub(super) fn check_node(graph: &Graph, id: &str, path: &Path) -> Result<(), Fault> {
    if graph.node(id).is_some() {
        return Ok(());
    }
    let fault = Fault::new(path.clone(), format!("{id:?} is no node of the graph {}", graph.id()));
    let ids = || graph.nodes().map(|node| node.id.as_str());
    Err(match nearest(id, ids()) {
        Some(near) => fault.with_help(format!("did you mean {near:?}?")),
        None => fault.with_help(format!("its nodes are {}", ids().collect::<Vec<_>>().join(", "))),
    })
}
