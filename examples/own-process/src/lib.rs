//! How changes get into production in some organisation: its graph, and the one hook that no other has.
//!
//! - [`graph`] is the process, compiled from `graph.yaml`.
//! - [`ChangeClass`] is the hook.
//!
//! `tests/process.rs` walks it through the scenarios in `scenarios/`; `tests/walk.rs` shows how a program walks a change.

mod change_class;

pub use change_class::ChangeClass;

use std::sync::Arc;

use windtunnel_core::doc::Diagnostics;
use windtunnel_core::process::Graph;
use windtunnel_core::process::hook::HookRegistry;

// ANCHOR: graph
/// The process: the graph, with the shipped hooks and the one of this organisation.
///
/// # Errors
/// Everything that is wrong with the graph.
pub fn graph() -> Result<Arc<Graph>, Diagnostics> {
    let hooks = HookRegistry::shipped().with::<ChangeClass>("change-class");
    Graph::compile("graph.yaml", include_str!("../graph.yaml"), &hooks).map(Arc::new)
}
// ANCHOR_END: graph
