//! How lines of a trace's `worker_warnings` begin that gates and reports read.

/// A perturbation was applied: its name, then `turn_idx=`, `tool=` or `key=`.
pub const PERTURBATION_APPLIED: &str = "perturbation_applied: ";

/// A perturbation was handed to the agent, which did not show it to its model: its name, then its key.
pub const PERTURBATION_LEFT_OUT: &str = "perturbation_left_out: ";

/// The run broke off: why.
pub const RUNNER_ERROR: &str = "runner_error: ";

/// A state probe gave no answer: why.
pub const PROBE_ERROR: &str = "probe_error: ";

/// The recorder's log was read.
pub const EVIDENCE_AVAILABLE: &str = "mcp_evidence: available";

/// A recorder stood in front of the tools, but its log could not be read.
pub const EVIDENCE_UNAVAILABLE: &str = "mcp_evidence: unavailable";

/// Nobody saw any call, in a run where calls are made: why.
pub const UNWITNESSED_CALLS: &str = "unwitnessed_calls: ";

/// Only calls that reach a tool server were seen: why nobody saw those of tools that the agent runs itself.
pub const UNWITNESSED_OWN_CALLS: &str = "unwitnessed_own_calls: ";

/// A call was answered by something else than a recording: `tool=` and `policy=`.
pub const UNIVERSE_DIVERGENCE: &str = "universe_divergence: ";
