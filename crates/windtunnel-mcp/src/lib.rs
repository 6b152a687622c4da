//! Tool servers that the bench brings, and the recorder in front of any MCP server.
//!
//! [`BenchTools`] makes the servers of a pack: files of the case's workspace, a program that speaks MCP over its standard
//! streams, a server that already runs behind an HTTP address, or recorded calls. In front of each stands a recorder: a relay that lets
//! every JSON-RPC message through as it came, witnesses tool calls, remembers tool lists, and can be made to misbehave
//! for one tool. Agents reach it over memory, over streamable HTTP on loopback, or through [`bridge`] over standard
//! streams.
//!
//! Below are `windtunnel_spi`, whose [`ToolFactory`](windtunnel_spi::ToolFactory) this implements, and
//! `windtunnel_child`, which owns the processes. Nothing here knows of scenarios.
//!
//! ```
//! use windtunnel_api::pack::{ToolSpec, WorkspaceTools};
//! use windtunnel_mcp::BenchTools;
//! use windtunnel_spi::{CaseWorld, ToolFactory};
//!
//! # tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(async {
//! # let folder = tempfile::tempdir().unwrap();
//! # let folder = folder.path().to_str().unwrap();
//! let world = CaseWorld::new("case-1", folder);
//! let spec = ToolSpec::Workspace(WorkspaceTools::default());
//! let mut server = BenchTools::new().server("files", &spec, &world)?;
//! let handle = server.start().await?;
//! let names: Vec<String> = handle.served_tools().await?.into_iter().map(|tool| tool.name).collect();
//! assert_eq!(names, ["read_file", "write_file", "list_files", "delete_file"]);
//! assert!(handle.call_log().unwrap().is_empty(), "nobody has called one");
//! server.stop().await;
//! # Ok::<(), windtunnel_spi::ToolError>(()) }).unwrap();
//! ```

mod agent;
mod bench;
mod bridge;
mod endpoint;
mod handle;
mod introspect;
mod limits;
mod lines;
mod message;
mod outbox;
mod recorder;
mod regular;
mod relay;
mod root;
mod sse;
mod upstream;

pub use bench::BenchTools;
pub use bridge::{BridgeError, bridge, bridge_between};
pub use limits::RecorderLimits;
pub use message::PROTOCOL_VERSION;
pub use regular::{open_regular, write_regular};
pub use root::WorkspaceRoot;
pub use upstream::universe::Synthesizer;
