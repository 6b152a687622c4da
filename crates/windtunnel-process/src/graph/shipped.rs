//! The graphs that come with this crate.

use std::sync::{Arc, LazyLock};

use windtunnel_doc::Diagnostics;

use super::Graph;
use crate::hook::HookRegistry;

/// The YAML of `pdlc-work-item-loop`.
pub const WORK_ITEM_LOOP: &str = include_str!("../../graphs/pdlc-work-item-loop.yaml");

/// The YAML of `pdlc-pr-loop`.
pub const PR_LOOP: &str = include_str!("../../graphs/pdlc-pr-loop.yaml");

/// `pdlc-work-item-loop`: the life of a work item. Compiled once.
///
/// # Errors
/// None in a released version: that it compiles is tested.
pub fn work_item_loop() -> Result<Arc<Graph>, Diagnostics> {
    static GRAPH: LazyLock<Result<Arc<Graph>, Diagnostics>> =
        LazyLock::new(|| compile("pdlc-work-item-loop.yaml", WORK_ITEM_LOOP));
    GRAPH.clone()
}

/// `pdlc-pr-loop`: the life of a pull request of an item. Compiled once.
///
/// # Errors
/// None in a released version: that it compiles is tested.
pub fn pr_loop() -> Result<Arc<Graph>, Diagnostics> {
    static GRAPH: LazyLock<Result<Arc<Graph>, Diagnostics>> =
        LazyLock::new(|| compile("pdlc-pr-loop.yaml", PR_LOOP));
    GRAPH.clone()
}

fn compile(name: &str, yaml: &str) -> Result<Arc<Graph>, Diagnostics> {
    Graph::compile(name, yaml, &HookRegistry::shipped()).map(Arc::new)
}
