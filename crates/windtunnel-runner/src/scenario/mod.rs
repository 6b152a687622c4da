//! One scenario from its tool servers to its scores.
//!
//! The order is the same for every runtime and both suites:
//!
//! 1. tool servers start, the agent is provisioned, every precondition is checked, perturbed tools begin to fail;
//! 2. per run: workspace, servers, agent, probe and logs brought to their first state; each turn sent; probe and logs
//!    read; the evidence merged into one trace; scored; hooks called; stored;
//! 3. the agent is torn down and the servers are stopped, on every path.
//!
//! What keeps runs from being made at all is a [`ScenarioError`]. What goes wrong inside a run, such as a turn that fails or
//! passes its time limit, is a marker in the trace of that run (`runner_error: …`, `probe_error: …`), which is
//! scored and stored like any other and is INVALID by its integrity layer.

mod conversation;
mod error;
mod evidence;
pub(crate) mod hooks;
mod judging;
mod limit;
mod order;
mod outcome;
mod perturbation;
mod preconditions;
mod request;
mod run;
mod runs;
mod schema_hash;
mod served;
mod started;
mod trace;

pub use error::{ScenarioError, ScenarioErrorKind};
pub use outcome::{RunObserver, ScenarioOutcome, ScoredRun};
pub use perturbation::check_perturbations;
pub use request::{RunIdentity, ScenarioRequest, Subject};
pub use run::run_scenario;
