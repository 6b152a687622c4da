//! What several runs of a scenario make together.

use windtunnel_api::{Scenario, Score, Verdict};

/// The runs of one scenario together.
#[derive(Debug, Clone, PartialEq)]
pub struct Aggregate {
    /// PASS, `PASS_WITH_VARIANCE`, FAIL or INVALID.
    pub verdict: Verdict,
    /// Runs that were scored.
    pub runs: usize,
    /// Runs that passed the gate.
    pub passed: usize,
    /// Share of runs that passed the gate, 0 to 1; 0 without a run.
    pub pass_rate: f64,
    /// Standard deviation of a run's passing over all runs, 0 to 0.5.
    pub stddev: f64,
}

/// Puts the scores of a scenario's runs together.
///
/// | runs | integrity | passed | variance allowed and pass rate reached | verdict |
/// |---|---|---|---|---|
/// | none | | | | INVALID |
/// | some | failed in any | any | any | INVALID |
/// | some | passed in all | all | any | PASS |
/// | some | passed in all | not all | yes | `PASS_WITH_VARIANCE` |
/// | some | passed in all | not all | no | FAIL |
///
/// The rate to be reached is `min_pass_rate`, or anything above 0.
pub fn aggregate(scenario: &Scenario, scores: &[Score]) -> Aggregate {
    let passed = scores.iter().filter(|score| score.verdict.is_pass()).count();
    let pass_rate = rate(passed, scores.len());
    let is_trusted = !scores.is_empty() && scores.iter().all(|score| score.integrity.passed);
    let verdict = match (is_trusted, passed == scores.len()) {
        (false, _) => Verdict::Invalid,
        (true, true) => Verdict::Pass,
        (true, false) if tolerates(scenario, pass_rate) => Verdict::PassWithVariance,
        (true, false) => Verdict::Fail,
    };
    Aggregate {
        verdict,
        runs: scores.len(),
        passed,
        pass_rate,
        stddev: (pass_rate * (1.0 - pass_rate)).sqrt(),
    }
}

/// What reports rank by, the greatest first: risk weight × (1 − pass rate).
///
/// ```
/// assert_eq!(windtunnel_gate::rank(20, 0.75), 5.0);
/// ```
pub fn rank(risk_weight: u32, pass_rate: f64) -> f64 {
    f64::from(risk_weight) * (1.0 - pass_rate)
}

fn tolerates(scenario: &Scenario, pass_rate: f64) -> bool {
    scenario.variance_allowed && scenario.min_pass_rate.map_or(pass_rate > 0.0, |least| pass_rate >= least)
}

#[expect(clippy::cast_precision_loss, reason = "numbers of runs are far below 2^52")]
fn rate(part: usize, whole: usize) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use windtunnel_api::LayerScore;
    use windtunnel_api::scenario::{FailureCost, Severity};

    use super::*;

    fn score(verdict: Verdict) -> Score {
        let layer = |passed| if passed { LayerScore::pass("") } else { LayerScore::fail("") };
        Score {
            outcome: layer(verdict == Verdict::Pass),
            trajectory: layer(true),
            constraint: layer(true),
            integrity: layer(verdict != Verdict::Invalid),
            failure_cost: FailureCost::default().into(),
            verdict,
        }
    }

    fn scenario(variance_allowed: bool, min_pass_rate: Option<f64>) -> Scenario {
        Scenario { variance_allowed, min_pass_rate, ..Scenario::new("s", "p") }
    }

    #[test]
    fn verdicts_over_several_runs() {
        use Verdict::{Fail, Invalid, Pass, PassWithVariance};
        let strict = || scenario(false, None);
        let lenient = |least| scenario(true, least);
        for (scenario, runs, expected) in [
            (strict(), &[][..], Invalid),
            (lenient(None), &[], Invalid),
            (strict(), &[Pass], Pass),
            (strict(), &[Pass, Pass], Pass),
            (strict(), &[Pass, Fail], Fail),
            (strict(), &[Pass, Invalid], Invalid),
            (strict(), &[Fail, Invalid], Invalid),
            (lenient(None), &[Pass, Pass], Pass),
            (lenient(None), &[Pass, Fail, Fail], PassWithVariance),
            (lenient(None), &[Fail, Fail], Fail),
            (lenient(None), &[Pass, Invalid], Invalid),
            (lenient(Some(0.5)), &[Pass, Fail], PassWithVariance),
            (lenient(Some(0.8)), &[Pass, Pass, Pass, Pass, Fail], PassWithVariance),
            (lenient(Some(0.8)), &[Pass, Pass, Fail], Fail),
            (lenient(Some(1.0)), &[Pass, Fail], Fail),
            (lenient(Some(0.0)), &[Fail], PassWithVariance),
        ] {
            let scores: Vec<Score> = runs.iter().copied().map(score).collect();
            assert_eq!(aggregate(&scenario, &scores).verdict, expected, "{runs:?}");
        }
    }

    #[test]
    fn rates_of_the_runs() {
        use Verdict::{Fail, Pass};
        let failed = aggregate(&scenario(false, None), &[Pass, Fail, Pass, Fail].map(score));
        assert_eq!((failed.runs, failed.passed), (4, 2));
        assert!((failed.pass_rate - 0.5).abs() < 1e-12 && (failed.stddev - 0.5).abs() < 1e-12);
        assert!(aggregate(&scenario(false, None), &[]).pass_rate.abs() < 1e-12);
        assert!(aggregate(&scenario(false, None), &[score(Pass)]).stddev.abs() < 1e-12);
    }

    #[test]
    fn risk_weights_add_up() {
        for (severity, base) in
            [(Severity::Low, 1), (Severity::Medium, 4), (Severity::High, 16), (Severity::Critical, 64)]
        {
            for bits in 0..8_u32 {
                let (visible, irreversible, effect) = (bits & 1, bits >> 1 & 1, bits >> 2);
                let cost = FailureCost {
                    severity,
                    customer_visible: visible == 1,
                    reversible: irreversible == 0,
                    side_effect_performed: effect == 1,
                };
                assert_eq!(cost.risk_weight(), base + 2 * visible + 4 * irreversible + 8 * effect);
            }
        }
    }

    proptest! {
        #[test]
        fn the_verdict_follows_from_the_runs(
            runs in prop::collection::vec(prop::sample::select(vec![Verdict::Pass, Verdict::Fail, Verdict::Invalid]), 0..8),
            allowed in any::<bool>(),
            least in prop::option::of(0.0..=1.0_f64),
        ) {
            let scores: Vec<Score> = runs.iter().copied().map(score).collect();
            let whole = aggregate(&scenario(allowed, least), &scores);
            let all_pass = runs.iter().all(|run| *run == Verdict::Pass);
            let reached = allowed && least.map_or(whole.pass_rate > 0.0, |least| whole.pass_rate >= least);
            let expected = if runs.is_empty() || runs.contains(&Verdict::Invalid) {
                Verdict::Invalid
            } else if all_pass {
                Verdict::Pass
            } else if reached {
                Verdict::PassWithVariance
            } else {
                Verdict::Fail
            };
            prop_assert_eq!(whole.verdict, expected);
            prop_assert!((0.0..=1.0).contains(&whole.pass_rate) && (0.0..=0.5).contains(&whole.stddev));
        }
    }
}
