//! What a sweep says of a scenario, in words.

use serde_json::{Map, Value, json};
use windtunnel_api::event::RunRecord;
use windtunnel_api::{Layer, Score, Verdict};

use crate::text::indented;

/// Failing runs that are shown; the others are counted.
const SHOWN: usize = 3;

/// How many runs passed, and of those that did not, which layers said no and why.
pub(super) fn of_runs(gate: &[Layer], runs: &[RunRecord]) -> String {
    let failed: Vec<&RunRecord> = runs.iter().filter(|run| !run.score.verdict.is_pass()).collect();
    let mut lines = vec![format!("{} of {} runs passed", runs.len() - failed.len(), runs.len())];
    for run in failed.iter().take(SHOWN) {
        lines.push(format!("run {}: {}", run.run, run.score.verdict));
        let refused = refusals(gate, &run.score);
        lines.extend(refused.iter().map(|(layer, detail)| format!("  {layer}: {}", indented(detail))));
    }
    if let Some(more @ 1..) = failed.len().checked_sub(SHOWN) {
        lines.push(format!("and {more} more that did not pass"));
    }
    lines.join("\n")
}

/// What the gate said no to in the first run that did not pass.
pub(super) fn gate_failure(gate: &[Layer], runs: &[RunRecord]) -> Option<Value> {
    let failed = runs.iter().find(|run| !run.score.verdict.is_pass())?;
    let layers: Map<String, Value> = refusals(gate, &failed.score)
        .into_iter()
        .map(|(layer, detail)| (layer.name().to_owned(), json!(detail)))
        .collect();
    Some(json!({ "run": failed.run, "layers": layers }))
}

/// The layers that decided against a run. A run that cannot be trusted has no others.
fn refusals<'a>(gate: &[Layer], score: &'a Score) -> Vec<(Layer, &'a str)> {
    let deciding = if score.verdict == Verdict::Invalid { &[Layer::Integrity][..] } else { gate };
    let failed = deciding.iter().filter(|layer| !score.layer(**layer).passed);
    failed.map(|layer| (*layer, score.layer(*layer).detail.as_str())).collect()
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;
    use windtunnel_api::LayerScore;
    use windtunnel_api::scenario::FailureCost;

    use super::*;

    fn run(run: usize, verdict: Verdict) -> RunRecord {
        let layer = |passed, no: &str| if passed { LayerScore::pass("") } else { LayerScore::fail(no) };
        RunRecord {
            run,
            run_id: Uuid::nil(),
            score: Score {
                outcome: layer(verdict == Verdict::Pass, "the answer lacks \"done\"\nit was \"no\""),
                trajectory: layer(false, "diagnostic"),
                constraint: layer(true, ""),
                integrity: layer(verdict != Verdict::Invalid, "the run broke off: turn 1 failed"),
                failure_cost: FailureCost::default().into(),
                verdict,
            },
            trace_path: None,
            duration_s: 0.0,
        }
    }

    #[test]
    fn runs_that_did_not_pass_are_shown_with_the_layers_that_decided() {
        let runs = [run(1, Verdict::Pass), run(2, Verdict::Fail), run(3, Verdict::Invalid)];
        insta::assert_snapshot!(of_runs(&[Layer::Outcome], &runs), @r#"
        1 of 3 runs passed
        run 2: FAIL
          outcome: the answer lacks "done"
            it was "no"
        run 3: INVALID
          integrity: the run broke off: turn 1 failed
        "#);
        insta::assert_snapshot!(gate_failure(&[Layer::Outcome], &runs).unwrap().to_string(), @r#"{"run":2,"layers":{"outcome":"the answer lacks \"done\"\nit was \"no\""}}"#);
        assert_eq!(gate_failure(&[Layer::Outcome], &runs[..1]), None);
    }

    #[test]
    fn many_failures_are_counted() {
        let runs: Vec<RunRecord> = (1..=5).map(|number| run(number, Verdict::Fail)).collect();
        let text = of_runs(&[Layer::Outcome], &runs);
        assert!(
            text.starts_with("0 of 5 runs passed") && text.ends_with("and 2 more that did not pass"),
            "{text}"
        );
    }
}
