//! The graphs that come with this crate.

use std::sync::Arc;

use super::Graph;

/// `pdlc-work-item-loop`: the life of a work item. Compiled once.
pub fn work_item_loop() -> Arc<Graph> {
    unimplemented!()
}

/// `pdlc-pr-loop`: the life of a pull request of an item. Compiled once.
pub fn pr_loop() -> Arc<Graph> {
    unimplemented!()
}
