//! The gate of a scenario as a pure function over a trace: four score layers, the verdict they make, and what several runs make
//! together.
//!
//! Below it are [`windtunnel_api`], whose scenarios and traces it reads, and [`windtunnel_pattern`], which matches events; above it,
//! runners make traces, and readers of saved runs judge them again with the same call. Nothing here does I/O or is async.
//!
//! Outcome, trajectory and constraint judge the agent; integrity judges the experiment. Checks that a file cannot express are
//! Rust closures in [`Checks`].
//!
//! ```
//! use std::sync::Arc;
//!
//! use windtunnel_api::{Scenario, Verdict};
//! use windtunnel_gate::{Checks, Gate, aggregate};
//!
//! # let saved = include_str!("../tests/data/answered.json");
//! let scenario = Scenario {
//!     target_facts: vec![vec!["artifact complete".into()]],
//!     must_call: vec![windtunnel_api::scenario::CallRequirement::Tool("write_file".into())],
//!     ..Scenario::new("artifact_guard", "Create the safe artifact.")
//! };
//! let gate = Gate::compile(Arc::new(scenario), Checks::new()).map_err(|faults| format!("{faults:?}"))?;
//!
//! let trace: windtunnel_api::Trace = serde_json::from_str(saved)?;
//! let score = gate.score(&trace);
//! assert_eq!(score.verdict, Verdict::Fail);
//! assert_eq!(score.trajectory.detail, "must_call: expected \"write_file\", calls: [1] read_file\nevidence: 1 call witnessed by the recorder");
//! assert_eq!(aggregate(gate.scenario(), &[score]).verdict, Verdict::Fail);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod aggregate;
mod calls;
mod checks;
mod constraint;
mod events;
mod findings;
#[cfg(test)]
mod fixture;
mod gate;
mod integrity;
mod observation;
mod outcome;
mod patterns;
mod permissions;
mod text;
mod tools;
mod trajectory;
mod view;

pub use aggregate::{Aggregate, aggregate, rank};
pub use checks::{Checks, IntoJudgement, Judgement, Metric};
pub use events::events;
pub use gate::Gate;
pub use outcome::judge_sources;
pub use patterns::pattern_faults;
pub use permissions::{PermissionRequest, Permissions};
