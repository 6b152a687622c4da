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
//! - [`config`]: what a repository says about its process; [`item`]: which items there are.
//! - [`scenario`]: scenario folders and their interpreter.
//!
//! ```
//! use std::sync::Arc;
//!
//! use windtunnel_process::config::CONFIG_FILE;
//! use windtunnel_process::event::{JsonlLog, ProcessEvent};
//! use windtunnel_process::hook::ItemEvent;
//! use windtunnel_process::scenario::doubles::FakeControlPlane;
//! use windtunnel_process::transport::Comment;
//! use windtunnel_process::{ProcessConfig, ProcessRuntime, Verdict};
//!
//! # tokio::runtime::Builder::new_current_thread().enable_time().build()?.block_on(async {
//! let checkout = tempfile::tempdir()?;
//! let root = camino::Utf8Path::from_path(checkout.path()).ok_or("no UTF-8")?;
//! std::fs::create_dir(root.join(".the-loop"))?;
//! std::fs::write(root.join(CONFIG_FILE), "originRepo: wind/tunnel\nauthorizedUsers: [owner]\n")?;
//!
//! let log = root.join("events.jsonl");
//! let control = Arc::new(FakeControlPlane::new("bot"));
//! let config = ProcessConfig::load(root)?;
//! let process = ProcessRuntime::new(root, config, control, Arc::new(JsonlLog::open(&log)?))?;
//! let item = process.item("issue-42")?;
//! process.start(&item).await?;
//!
//! // A person lets the walk begin, without the first phase.
//! let body = "the-loop execute\n\n- [ ] brainstorming".to_owned();
//! let event = ItemEvent { comments: vec![Comment { author: "owner".to_owned(), body }] };
//! let selected = process.advance(&item, Some(&event)).await?;
//! assert_eq!((selected.status, selected.current_node.as_str()), (Verdict::Pass, "requirements-definition"));
//!
//! // An agent says it is done, and wrote nothing.
//! let claim = process.complete(&item, "requirements-definition", "agent").await?;
//! assert_eq!((claim.status, claim.moved), (Verdict::Block, false));
//! assert_eq!(claim.messages, ["no requirements.md or bugfix.md in docs/specs/issue-42"]);
//!
//! let blocked = JsonlLog::read(&log).last().ok_or("no event")??;
//! assert_eq!((blocked.work_item.as_str(), blocked.reference.as_str()), ("issue-42", "github:wind/tunnel#42"));
//! assert!(matches!(blocked.event, ProcessEvent::Blocked { node, .. } if node == "requirements-definition"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! # })?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

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
