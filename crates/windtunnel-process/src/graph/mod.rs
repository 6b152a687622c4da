//! The process as a graph: compiled once from YAML, and frozen.

mod compile;
mod model;
mod shipped;

pub use model::{Actor, BoundHook, CLEANUP, ESCALATED, Edge, Graph, Node};
pub use shipped::{pr_loop, work_item_loop};
