//! Scenario folders, and the interpreter that plays them over the real runtime.
//!
//! A folder with a `scenario.yaml` and `artifacts/` is one test. It is played in a world of its own: a checkout in a temporary folder, a
//! control plane and a session that only remember. Everything else is the runtime that also walks real items.
//!
//! - [`Scenario`] is such a folder, read and checked: its steps and expectations, with every fault of it found at once.
//! - [`play`] plays one, in a [`Setup`]; a [`Player`] does so step by step.
//! - [`Played`] is what came of it; a [`Divergence`] is the first thing that was not as expected.
//! - [`doubles`] are what stands at the transports.
//! - [`suite`] finds folders, and makes cases and tests of them.

pub mod doubles;
mod error;
mod manifest;
mod play;
mod setup;
pub mod suite;
mod trace;
mod world;

pub use error::{Asked, Divergence, ScenarioError};
pub use manifest::{MANIFEST_FILE, Scenario, Step};
pub use play::{Played, Player, Suspended, play};
pub use setup::Setup;
pub use trace::Trace;
