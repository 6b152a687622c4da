//! The integrity layer: whether the experiment itself can be trusted.
//!
//! It judges no agent. Where it fails the run is INVALID, whatever the other layers say.

pub(crate) mod marker;
mod perturbation;
mod script;
mod witness;

use windtunnel_api::artifact::trace::Trace;
use windtunnel_api::scenario::Scenario;
use windtunnel_api::{Layer, LayerScore};

use crate::checks::Checks;
use crate::findings::Findings;

/// Every rule of the layer is checked; any that fails fails it.
pub(crate) fn score(trace: &Trace, scenario: &Scenario, checks: &Checks) -> LayerScore {
    let mut findings = Findings::default();
    let warnings = &trace.worker_warnings;
    // What the agent asked for and did not get comes before how it took that.
    let (refused, script) = (refused(trace), script::check(trace.script.as_ref()));
    if refused {
        findings.add(script.clone());
    }
    for broken in marker::run_errors(warnings) {
        findings.add(Err(format!("the run broke off: {broken}")));
    }
    for broken in marker::probe_errors(warnings) {
        findings.add(Err(format!("the state probe gave no answer: {broken}")));
    }
    match marker::evidence_unavailable(warnings) {
        Some(warning) => findings.add(Err(format!("the recorder's log could not be read: {warning}"))),
        None => findings.add(Ok("evidence: readable".to_owned())),
    }
    witness::check(trace, scenario, checks, &mut findings);
    if !refused {
        findings.add(script);
    }
    perturbation::check(&scenario.perturbations, warnings, &mut findings);
    findings.score(Layer::Integrity)
}

/// Whether the script had no answer to something that the agent asked.
fn refused(trace: &Trace) -> bool {
    trace.script.as_ref().is_some_and(|script| !script.violations.is_empty())
}

#[cfg(test)]
mod tests {
    use windtunnel_api::artifact::trace::ScriptProgress;

    use super::*;
    use crate::fixture;

    #[test]
    fn an_ordinary_run_can_be_trusted() {
        let mut trace = fixture::trace();
        trace.worker_warnings = vec!["mcp_evidence: available".into(), "a retry was answered again".into()];
        let score = score(&trace, &Scenario::new("s", "p"), &Checks::new());
        assert_eq!((score.passed, score.detail.as_str()), (true, "evidence: readable; script: not checked"));
    }

    #[test]
    fn every_broken_part_of_the_experiment_is_reported() {
        for (warning, detail) in [
            ("runner_error: turn 1 timed out", "the run broke off: turn 1 timed out"),
            ("probe_error: workspace: gone", "the state probe gave no answer: workspace: gone"),
            ("mcp_evidence: unavailable", "the recorder's log could not be read: mcp_evidence: unavailable"),
        ] {
            let mut trace = fixture::trace();
            trace.worker_warnings = vec![warning.into()];
            let score = score(&trace, &Scenario::new("s", "p"), &Checks::new());
            assert_eq!((score.passed, score.detail.as_str()), (false, detail));
        }
        let mut trace = fixture::trace();
        trace.worker_warnings =
            vec!["probe_error: a".into(), "runner_error: b".into(), "probe_error: c".into()];
        let score = score(&trace, &Scenario::new("s", "p"), &Checks::new());
        assert_eq!(score.detail.lines().count(), 3, "{}", score.detail);
    }

    #[test]
    fn a_script_that_was_not_followed_stands_before_what_came_of_it() {
        let mut trace = fixture::trace();
        trace.worker_warnings = vec!["runner_error: exit code 1".into()];
        let violations = vec!["decision 1 calls `add`, which is not offered".to_owned()];
        trace.script = Some(ScriptProgress { decisions: 2, violations, ..ScriptProgress::default() });
        let detail = score(&trace, &Scenario::new("s", "p"), &Checks::new()).detail;
        let lines: Vec<&str> = detail.lines().collect();
        assert_eq!(
            lines,
            [
                "the script was not followed: decision 1 calls `add`, which is not offered",
                "the script has 2 decisions, none was served: the agent stopped before decision 1",
                "the run broke off: exit code 1",
            ]
        );
    }

    #[test]
    fn a_warning_that_only_mentions_a_marker_is_none() {
        let mut trace = fixture::trace();
        trace.worker_warnings = vec!["the agent printed `runner_error: x`".into()];
        assert!(score(&trace, &Scenario::new("s", "p"), &Checks::new()).passed);
    }
}
