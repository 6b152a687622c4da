//! Scenario folders, and the interpreter that plays them over the real runtime.
//!
//! A folder with a `scenario.yaml` and `artifacts/` is one test. It is played in a world of its own: a checkout in a temporary
//! folder, a control plane and a session that only remember. Everything else is the runtime that also walks real items.
//!
//! - [`Scenario`] is such a folder, read and checked: its steps and expectations, with every fault of it found at once.
//! - [`play`] plays one, in a [`Setup`]; a [`Player`] does so step by step.
//! - [`Played`] is what came of it; a [`Divergence`] is the first thing that was not as expected.
//! - [`doubles`] are what stands at the transports.
//! - [`suite`] finds folders, and makes cases and tests of them.
//!
//! ```
//! use windtunnel_process::graph::work_item_loop;
//! use windtunnel_process::scenario::{Scenario, Setup, play};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let folder = tempfile::tempdir()?;
//! let folder = camino::Utf8Path::from_path(folder.path()).ok_or("not UTF-8")?.join("first-words");
//! std::fs::create_dir(&folder)?;
//! let manifest = "
//! name: first-words
//! description: only the owner releases the selection of phases
//! workItem: issue-42
//! steps:
//!   - comment: {author: stranger, body: the-loop execute}
//!   - expect: {parked: phase-selection}
//!   - comment: {author: owner, body: the-loop execute}
//! expect:
//!   nodes: [phase-selection, brainstorming]
//!   labels: ['loop:phase-selection', 'loop:brainstorming']
//!   events: [{event: graph.advanced, node: phase-selection, outcome: selected}]
//! ";
//! std::fs::write(folder.join("scenario.yaml"), manifest)?;
//!
//! let graph = work_item_loop()?;
//! let scenario = Scenario::load(&folder, &graph)?;
//! let tokio = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
//! let played = tokio.block_on(play(&scenario, &Setup::new(graph)));
//! played.outcome?;
//! assert_eq!(played.trace.walk, ["phase-selection", "brainstorming"]);
//! # Ok(())
//! # }
//! ```

pub mod doubles;
mod error;
mod manifest;
mod platform;
mod play;
mod setup;
pub mod suite;
mod trace;
mod world;

pub use error::{Answer, Asked, Divergence, ScenarioError};
pub use manifest::{MANIFEST_FILE, Scenario, Step};
pub use play::{Played, Player, Suspended, play};
pub use setup::Setup;
pub use trace::Trace;
