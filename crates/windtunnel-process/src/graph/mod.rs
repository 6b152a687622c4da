//! The process as a graph: compiled once from YAML, and frozen.
//!
//! [`Graph::compile`] reads (`draft`), binds the hooks (`bind`), and checks each element (`check`) and where walks lead
//! (`walks`). Everything that is wrong with a graph is told at once, so each step goes on with what the one before could make out.
//!
//! ```
//! use windtunnel_process::Graph;
//! use windtunnel_process::hook::HookRegistry;
//!
//! let yaml = "
//! graph: errand
//! nodes:
//!   - { id: fetch, actor: agent }
//!   - { id: done, actor: agent, terminal: true }
//! edges:
//!   - { from: fetch, to: don, on: pass }
//! ";
//! let faults = Graph::compile("errand.yaml", yaml, &HookRegistry::empty()).unwrap_err();
//! assert_eq!(
//!     faults.to_string(),
//!     "errand.yaml:7:24: edges[0].to: edge from \"fetch\": there is no node \"don\"; did you mean \"done\"?"
//! );
//! let graph = Graph::compile("errand.yaml", &yaml.replace("don,", "done,"), &HookRegistry::empty())?;
//! assert_eq!(graph.next("fetch", "pass").map(|node| node.id.as_str()), Some("done"));
//! # Ok::<(), windtunnel_doc::Diagnostics>(())
//! ```

mod bind;
mod check;
mod compile;
mod draft;
mod model;
mod shipped;
mod walks;

pub use model::{Actor, BoundHook, CLEANUP, COMPLETE, ESCALATED, Edge, Graph, Node, SKIPPED};
pub use shipped::{PR_LOOP, WORK_ITEM_LOOP, pr_loop, work_item_loop};
