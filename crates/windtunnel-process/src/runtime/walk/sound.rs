//! Whether a state can be true.

use crate::graph::{Graph, Node};
use crate::state::{ItemState, Status};

/// The node where an item stands, if all that its state says can be true of it in this graph.
///
/// # Errors
/// What cannot be.
pub(in crate::runtime) fn check_state<'g>(
    graph: &'g Graph,
    work_item: &str,
    state: &ItemState,
) -> Result<&'g Node, String> {
    if state.work_item != work_item {
        return Err(format!("work_item: this is the state of {:?}, not of {work_item:?}", state.work_item));
    }
    if state.graph != graph.id() {
        let (walked, id) = (&state.graph, graph.id());
        return Err(format!("graph: the item walks {walked:?}, and this runtime is of {id:?}"));
    }
    let unknown = |field: &str, id: &str| format!("{field}: graph {} has no node {id:?}", graph.id());
    let node = graph.node(&state.current_node).ok_or_else(|| unknown("current_node", &state.current_node))?;
    let behind = state.behind.iter().map(|id| ("behind", id));
    let skips = state.skips.keys().map(|id| ("skips", id));
    let opted_in = state.opted_in.iter().map(|id| ("opted_in", id));
    if let Some((field, id)) = behind.chain(skips).chain(opted_in).find(|(_, id)| graph.node(id).is_none()) {
        return Err(unknown(field, id));
    }
    if state.behind.contains(&node.id) {
        return Err(format!("behind: {:?} is where the item stands", node.id));
    }
    if state.question.is_some() && state.status != Status::Waiting {
        let status = state.status.name();
        return Err(format!("status: a question is open, so it is \"waiting\" and not {status:?}"));
    }
    Ok(node)
}
