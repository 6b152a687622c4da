//! Reading the markers of `worker_warnings`.

use windtunnel_api::artifact::marker::{
    EVIDENCE_AVAILABLE, EVIDENCE_UNAVAILABLE, PERTURBATION_APPLIED, PERTURBATION_LEFT_OUT, PROBE_ERROR,
    RUNNER_ERROR, UNIVERSE_DIVERGENCE, UNWITNESSED_CALLS, UNWITNESSED_OWN_CALLS,
};

/// The warning that says the recorder's log could not be read.
pub(crate) fn evidence_unavailable(warnings: &[String]) -> Option<&str> {
    warnings.iter().map(String::as_str).find(|warning| warning.starts_with(EVIDENCE_UNAVAILABLE))
}

/// Why nobody saw any call.
pub(crate) fn unwitnessed_calls(warnings: &[String]) -> Option<&str> {
    behind(UNWITNESSED_CALLS, warnings).next()
}

/// Why nobody saw the calls of tools that the agent runs itself.
pub(crate) fn unwitnessed_own_calls(warnings: &[String]) -> Option<&str> {
    behind(UNWITNESSED_OWN_CALLS, warnings).next()
}

/// Whether a recorder stood there and its log was read.
pub(crate) fn evidence_available(warnings: &[String]) -> bool {
    warnings.iter().any(|warning| warning.starts_with(EVIDENCE_AVAILABLE))
}

/// Why runs broke off.
pub(crate) fn run_errors(warnings: &[String]) -> impl Iterator<Item = &str> {
    behind(RUNNER_ERROR, warnings)
}

/// Why probes gave no answer.
pub(crate) fn probe_errors(warnings: &[String]) -> impl Iterator<Item = &str> {
    behind(PROBE_ERROR, warnings)
}

/// The perturbations that were applied: name and keys.
pub(crate) fn perturbations(warnings: &[String]) -> impl Iterator<Item = &str> {
    behind(PERTURBATION_APPLIED, warnings)
}

/// The perturbations that the agent did not show to its model: name and key.
pub(crate) fn left_out(warnings: &[String]) -> impl Iterator<Item = &str> {
    behind(PERTURBATION_LEFT_OUT, warnings)
}

/// The calls that were answered by something else than a recording: tool and policy.
pub(crate) fn divergences(warnings: &[String]) -> impl Iterator<Item = &str> {
    behind(UNIVERSE_DIVERGENCE, warnings)
}

/// What follows a marker. It may be cut to its words without the space behind them, where nothing follows.
fn behind<'w>(marker: &'static str, warnings: &'w [String]) -> impl Iterator<Item = &'w str> {
    warnings.iter().filter_map(move |warning| warning.strip_prefix(marker.trim_end()).map(str::trim))
}
