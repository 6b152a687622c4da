//! The process runtime: a work item walked through a graph of nodes by agents and people, with gates that read real files, and
//! the scenarios that test such a process.
//!
//! Below it are [`windtunnel_doc`] and [`windtunnel_pattern`], which read files and match events, and the case runner; above it is
//! the command line. The runtime knows nothing of scenarios: a scenario is a caller like any other, and brings its own transports.
//!
//! - [`graph`]: nodes, edges and chains, compiled once from YAML; the shipped graphs.
//! - [`hook`]: what a chain is made of: the registry, and the hooks that come with it.
//! - [`artifact`]: the files that gates read: front matter, sections, boxes.
//! - [`runtime`]: the verbs that walk an item.
//! - [`state`]: where an item stands, on disk.
//! - [`event`]: the event log.
//! - [`transport`]: the control plane and the session of an agent: the only seams that a test replaces.
//! - [`scenario`]: scenario folders and their interpreter.

pub mod artifact;
pub mod config;
pub mod event;
pub mod graph;
pub mod hook;
pub mod item;
pub mod runtime;
pub mod scenario;
pub mod state;
pub mod transport;

pub use config::ProcessConfig;
pub use graph::Graph;
pub use item::{ItemRef, WorkItem};
pub use runtime::{Envelope, ProcessError, ProcessRuntime, Verdict};
