//! Runs cases, scenarios and suites.
//!
//! Below it are the traits of [`windtunnel_spi`], which it drives, [`windtunnel_gate`], which judges what was seen, and
//! [`windtunnel_store`], which keeps it; above it are reporters, which listen to its events, and the command line. Nothing
//! here prints, and no runtime is known by name.
//!
//! - [`cases`]: the case runner of every front door: jobs, time limits, interrupts.
//! - [`world`]: the folders that cases work in.
//! - [`scenario`]: one scenario from its tool servers to its scores.
//! - [`reference`](mod@reference): one reference case, and the `selftest` suite over all of them.
//! - [`sweep`](mod@sweep): the `run` suite, with cases of other kinds beside its scenarios.
//! - [`watch`]: files that are watched for changes.
//!
//! ```
//! use std::sync::Arc;
//!
//! use tokio_util::sync::CancellationToken;
//! use windtunnel_api::{
//!     Pack, PackManifest, ReferenceCase, ReferenceDecision, Scenario, SelftestVerdict,
//! };
//! use windtunnel_discovery::Found;
//! use windtunnel_gate::Checks;
//! use windtunnel_runner::{Bench, ReferenceRequest, run_reference_case};
//! use windtunnel_spi::doubles::{RecordedTools, ScriptedRuntime};
//! use windtunnel_store::RunStore;
//!
//! # tokio::runtime::Builder::new_current_thread().enable_all().build()?.block_on(async {
//! # let folder = tempfile::tempdir()?;
//! # let folder = camino::Utf8Path::from_path(folder.path()).ok_or("not UTF-8")?;
//! let refusal = ReferenceDecision::says("I cannot do that.");
//! let scenario = Scenario {
//!     target_facts: vec![vec!["artifact complete".into()]],
//!     reference_cases: vec![ReferenceCase::poison("refusal", [refusal])],
//!     ..Scenario::new("artifact_guard", "Create the safe artifact.")
//! };
//! let pack = Arc::new(Pack { manifest: PackManifest::default(), dir: folder.to_owned() });
//! let found = Found::new(&pack, scenario, Checks::new())?;
//!
//! let tools = Arc::new(RecordedTools::new("files", ["write_file"]));
//! let bench = Bench::new(tools, Arc::new(RunStore::open(folder.join("runs"))?));
//! let case = &found.scenario().reference_cases[0];
//! let site = bench.site(&pack, &case.name, CancellationToken::new()).await?;
//! let runtime = ScriptedRuntime::default();
//! let request = ReferenceRequest::new(&found, case, &runtime, site);
//! let outcome = run_reference_case(&bench, request, None).await;
//! assert_eq!(outcome.record.verdict, SelftestVerdict::Pass, "the gate rejected the poison");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! # })?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod bench;
mod blocking;
pub mod cases;
pub mod reference;
mod runtimes;
pub mod scenario;
mod suite;
pub mod sweep;
#[cfg(test)]
mod testing;
mod text;
pub mod watch;
pub mod world;

pub use bench::{Bench, CaseSite, ProbesOf};
pub use cases::{EventSender, Interrupter, Interrupts, run_cases};
pub use reference::{
    ReferenceOutcome, ReferenceRequest, SelftestOptions, SelftestOutcome, run_reference_case, selftest,
};
pub use runtimes::{RuntimeChoice, Runtimes};
pub use scenario::{ScenarioOutcome, ScenarioRequest, check_perturbations, run_scenario};
pub use suite::{SuiteError, SuiteOptions, out_of_reach};
pub use sweep::{SweepCases, SweepOptions, SweepOutcome, sweep};
