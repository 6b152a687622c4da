//! Runs on disk: atomic writes, the ledger, the event log, and readers that survive torn and foreign files.
//!
//! Shapes come from [`windtunnel_api::artifact`]; how runs are made or shown is not known here. Everything is synchronous: a
//! run costs about a millisecond.
//!
//! ```text
//! runs/<scenario>/<agent>/<variant>/<model>/<quant>/<YYYYMMDDTHHMMSSffffffZ>_<run id, 8>.json    a trace
//!      … .score.json   … .<hook>[.<label>].json                                                beside it
//! runs/<time>.<hook>[.<scenario>][.<label>].pack.json                                     artifacts of a sweep
//! runs/ledger.ndjsonl   runs/events.ndjsonl
//! ```
//!
//! - **Whole files.** A file is written under a temporary name in its own folder and renamed, the score before the
//!   trace. Readers start from the trace, so they never see half a run; a kill between the two leaves a score that nobody
//!   looks at.
//! - **Whole lines.** A row is one `O_APPEND` write. A last line that was torn by a kill is ended before the next row.
//! - **Lazy.** Opening a store makes nothing. A folder is made when its first file is, and then remembered. Temporary
//!   files that a killed process left in a folder are removed when this process first writes to that folder.
//! - **Forgiving.** A file or line that cannot be read is a [`Warning`] between what can; it never ends the reading.
//!
//! ```
//! use windtunnel_api::artifact::score::{Layer, LayerScore, Score, ScoreSidecar, Verdict};
//! use windtunnel_api::artifact::trace::Trace;
//! use windtunnel_api::Scenario;
//! use windtunnel_store::{RunStore, read_runs};
//!
//! let folder = tempfile::tempdir()?;
//! let runs_dir = camino::Utf8Path::from_path(folder.path()).ok_or("not UTF-8")?.join("runs");
//! let trace: Trace = serde_json::from_value(serde_json::json!({
//!     "windtunnel_trace": 1, "run_id": "357966c5-0d14-4f5e-9a8b-6a7e1d0c2b3f", "scenario_id": "artifact_guard",
//!     "agent_id": "wt-cli", "variant_id": "l1", "model": "unknown", "quant": "unknown",
//!     "started_at": "2026-11-30T08:58:54.387116+00:00", "finished_at": "2026-11-30T08:58:54.391000+00:00",
//! }))?;
//! let score = Score {
//!     outcome: LayerScore::pass("all facts found"),
//!     trajectory: LayerScore::pass(""),
//!     constraint: LayerScore::pass(""),
//!     integrity: LayerScore::pass(""),
//!     failure_cost: windtunnel_api::scenario::FailureCost::default().into(),
//!     verdict: Verdict::Pass,
//! };
//! let sidecar = ScoreSidecar::new(&Scenario::new("artifact_guard", "Create the artifact."), &[Layer::Outcome], score, None);
//!
//! let stored = RunStore::open(&runs_dir)?.write_run(&trace, &sidecar)?;
//! assert!(stored.trace_path.ends_with(
//!     "artifact_guard/wt-cli/l1/unknown/unknown/20261130T085854387116Z_357966c5.json"
//! ));
//! let run = read_runs(&runs_dir).next().ok_or("no run")??;
//! assert_eq!((run.trace, run.score), (trace, Some(sidecar)));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod append;
mod error;
mod folders;
mod name;
mod platform;
mod read;
mod store;
mod temporary;

pub use append::append_row;
pub use error::StoreError;
pub use name::{segment, stamp};
pub use read::lines::{Rows, read_events, read_ledger};
pub use read::runs::{Runs, SavedRun, read_runs};
pub use read::warning::{Reason, Warning};
pub use store::{RunStore, StoredRun};

/// The largest file that is written or read whole, in bytes: 64 MiB.
pub const MAX_FILE_BYTES: u64 = 64 << 20;

/// The longest row of the ledger and the event log that is written or read, in bytes: 4 MiB.
pub const MAX_ROW_BYTES: u64 = 4 << 20;
