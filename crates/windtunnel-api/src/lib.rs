//! The spec of Wind Tunnel as plain data: scenarios and packs as people write them, traces and scores as
//! they are saved, and the events that a suite emits while it runs.
//!
//! Below it are [`windtunnel_doc`] (documents with spans) and [`windtunnel_pattern`]; everything above it speaks in these types.
//! Nothing here does I/O, and nothing is async, so judging a saved trace again is a function call.
//!
//! ```
//! use windtunnel_api::{ReferenceCase, ReferenceDecision, ReferenceKind, ReferenceToolCall, Scenario};
//!
//! let scenario = Scenario {
//!     target_facts: vec![vec!["artifact complete".into()]],
//!     reference_cases: vec![ReferenceCase::new(
//!         "known-good",
//!         ReferenceKind::Golden,
//!         [
//!             ReferenceDecision::calls([ReferenceToolCall::new("write_artifact", [("safe", true.into())])]),
//!             ReferenceDecision::says("artifact complete"),
//!         ],
//!     )],
//!     ..Scenario::new("artifact_guard", "Create the safe artifact.")
//! };
//! assert!(scenario.validate().is_empty());
//! ```

pub mod artifact;
pub mod config;
mod counted;
pub mod difference;
pub mod event;
pub mod exit;
pub mod pack;
pub mod recording;
mod rules;
pub mod scenario;
pub mod schema;
pub mod secret;
pub mod selftest;
pub mod shape;
pub mod surface;
pub mod tool_name;
pub mod universe;
mod version;

pub use artifact::evidence::{Evidence, Witness};
pub use artifact::score::{Layer, LayerScore, Score, Verdict};
pub use artifact::trace::Trace;
pub use counted::counted;
pub use pack::{EffectClass, Pack, PackManifest};
pub use scenario::Scenario;
pub use scenario::reference::{
    FaultKind, InferenceFault, JudgeVerdict, ReferenceCase, ReferenceDecision, ReferenceKind,
    ReferenceToolCall,
};
pub use secret::Secret;
pub use selftest::{SelftestRecord, SelftestVerdict};
pub use version::unknown_version;
