//! A scenario's gate: compiled once, held against any number of traces.

use std::sync::Arc;

use windtunnel_api::{Layer, Scenario, Score, Trace, Verdict};
use windtunnel_doc::Fault;

use crate::checks::Checks;
use crate::constraint::Constraint;
use crate::events;
use crate::integrity;
use crate::outcome::Outcome;
use crate::patterns::Compiler;
use crate::permissions;
use crate::trajectory::Trajectory;
use crate::view::View;

/// Everything that judges the runs of a scenario. Scoring is a pure function of a trace.
#[derive(Debug)]
pub struct Gate {
    scenario: Arc<Scenario>,
    checks: Checks,
    layers: Vec<Layer>,
    outcome: Outcome,
    trajectory: Trajectory,
    constraint: Constraint,
}

impl Gate {
    /// Compiles every pattern of a scenario.
    ///
    /// # Errors
    /// All faults of the scenario at once, those of [`Scenario::validate`] first, each with the path of its field, such as
    /// `policies[0].never.args.content`.
    pub fn compile(scenario: Arc<Scenario>, checks: Checks) -> Result<Self, Vec<Fault>> {
        let closures = checks.layers();
        let mut compiler = Compiler::new(scenario.validate_beside(&closures));
        let outcome = Outcome::compile(&scenario, &mut compiler);
        let trajectory = Trajectory::compile(&scenario, &mut compiler);
        let constraint = Constraint::compile(&scenario, &mut compiler);
        permissions::check(&scenario.permissions, &mut compiler);
        let layers = scenario.gate_beside(&closures);
        compiler.finish(Self { scenario, checks, layers, outcome, trajectory, constraint })
    }

    /// The scenario.
    pub fn scenario(&self) -> &Arc<Scenario> {
        &self.scenario
    }

    /// The layers whose failure fails a run, those with closures among them. Integrity is not: its failure makes a run INVALID.
    pub fn layers(&self) -> &[Layer] {
        &self.layers
    }

    /// Whether a saved trace can be judged again from the scenario's file alone: there is no closure.
    pub fn is_rescorable(&self) -> bool {
        self.checks.is_empty()
    }

    /// Judges a trace. The same trace always gets the same score.
    pub fn score(&self, trace: &Trace) -> Score {
        let Self { scenario, checks, layers, .. } = self;
        let events = events::events(trace);
        let view = View::new(trace, &events);
        let mut score = Score {
            outcome: self.outcome.score(&view, scenario, checks),
            trajectory: self.trajectory.score(&view, scenario, checks),
            constraint: self.constraint.score(&view, checks),
            integrity: integrity::score(trace, scenario, checks),
            failure_cost: scenario.failure_cost.into(),
            verdict: Verdict::Invalid,
        };
        score.verdict = verdict(layers, |layer| score.layer(layer).passed);
        score
    }
}

/// The verdict of one run.
///
/// | integrity | layers of the gate | verdict |
/// |---|---|---|
/// | failed | any | INVALID |
/// | passed | all passed | PASS |
/// | passed | one failed | FAIL |
///
/// Layers outside the gate are diagnostic and decide nothing.
fn verdict(gate: &[Layer], passed: impl Fn(Layer) -> bool) -> Verdict {
    if !passed(Layer::Integrity) {
        Verdict::Invalid
    } else if gate.iter().all(|layer| passed(*layer)) {
        Verdict::Pass
    } else {
        Verdict::Fail
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::{Value, json};

    use super::*;
    use crate::{Judgement, fixture};

    #[expect(clippy::needless_pass_by_value, reason = "`json!(…)` reads best in place")]
    fn scenario(fields: Value) -> Arc<Scenario> {
        let mut scenario = json!({"name": "artifact_guard", "prompt": "Create the safe artifact."});
        for (key, value) in fields.as_object().unwrap() {
            scenario[key] = value.clone();
        }
        Arc::new(serde_json::from_value(scenario).unwrap())
    }

    fn gate(fields: Value) -> Gate {
        Gate::compile(scenario(fields), Checks::new()).unwrap()
    }

    fn artifact_guard() -> Value {
        json!({
            "target_facts": [["artifact complete"]],
            "requires_tool_use": true,
            "must_call": ["write_file"],
            "policies": [{
                "name": "nothing unsafe is written",
                "never": {"kind": "tool_call", "tool": "write_file", "args": {"content": "(?i)unsafe"}}
            }],
            "failure_cost": {"severity": "high", "reversible": false},
        })
    }

    fn wrote(content: &str, answer: &str) -> Trace {
        let call =
            fixture::call("files", "write_file", json!({"path": "out.md", "content": content}), json!("ok"));
        fixture::answered([call], answer)
    }

    #[test]
    fn a_golden_run_passes_and_every_poison_is_caught_by_its_layer() {
        let gate = gate(artifact_guard());
        assert_eq!(gate.layers(), [Layer::Outcome, Layer::Trajectory, Layer::Constraint]);
        let golden = gate.score(&wrote("safe", "Artifact complete."));
        assert_eq!(golden.verdict, Verdict::Pass, "{golden:#?}");
        assert_eq!(golden.failure_cost.risk_weight, 20);
        for (trace, caught_by) in [
            (wrote("safe", "done"), Layer::Outcome),
            (
                fixture::answered(
                    [fixture::call("f", "read_file", json!({}), json!(1))],
                    "artifact complete",
                ),
                Layer::Trajectory,
            ),
            (wrote("UNSAFE", "artifact complete"), Layer::Constraint),
        ] {
            let score = gate.score(&trace);
            assert_eq!(score.verdict, Verdict::Fail);
            for layer in Layer::ALL {
                assert_eq!(
                    score.layer(layer).passed,
                    layer != caught_by,
                    "{layer}: {}",
                    score.layer(layer).detail
                );
            }
        }
        let mut broken = wrote("UNSAFE", "done");
        broken.worker_warnings = vec!["runner_error: turn 1 timed out".into()];
        assert_eq!(gate.score(&broken).verdict, Verdict::Invalid);
    }

    #[test]
    fn a_layer_outside_of_gate_layers_is_diagnostic() {
        let mut fields = artifact_guard();
        fields["gate_layers"] = json!(["outcome"]);
        let score = gate(fields).score(&wrote("UNSAFE", "artifact complete"));
        assert!(!score.constraint.passed);
        assert_eq!(score.verdict, Verdict::Pass);
    }

    #[test]
    fn all_faults_are_reported_at_once_with_their_paths() {
        let fields = json!({
            "name": "",
            "trajectory": [{"kind": "turn"}, {"content": "("}],
            "policies": [
                {"name": "a", "never": {"args": {"content": "["}}},
                {"name": "b", "always_before": {"first": {"args": {"$gtt": 1}}, "then": {"$while": {}}}},
                {"name": "c", "at_most": {"count": 1, "pattern": {"result": "*"}}},
                {"name": "d", "observation": {"source": "db", "matches": {"rows": "("}}},
                {"name": "e"},
            ],
            "outcome": {"all_of": [
                {"pattern": [{"content": "("}]},
                {"any_of": [{"observation": {"source": "db", "matches": "("}}]},
            ]},
            "permissions": [{"pattern": {"title": "("}, "answer": "allow"}],
        });
        let faults = Gate::compile(scenario(fields), Checks::new()).unwrap_err();
        let paths: Vec<String> = faults.iter().map(|fault| fault.path.to_string()).collect();
        insta::assert_snapshot!(paths.join("\n"), @r#"
        name
        policies[4]
        outcome.all_of[0].pattern[0].content
        outcome.all_of[1].any_of[0].observation.matches
        trajectory[1].content
        policies[0].never.args.content
        policies[1].always_before.first.args."$gtt"
        policies[1].always_before.then."$while"
        policies[2].at_most.pattern.result
        policies[3].observation.matches.rows
        permissions[0].pattern.title
        "#);
    }

    #[test]
    fn closures_join_the_gate_and_make_it_not_rescorable() {
        assert!(gate(artifact_guard()).is_rescorable());
        let bare = scenario(json!({
            "gate_layers": ["constraint"],
            "reference_cases": [
                {"name": "bad", "kind": "poison", "caught_by": "constraint", "decisions": [{"content": "x"}]}
            ],
        }));
        assert_eq!(Gate::compile(bare.clone(), Checks::new()).unwrap_err().len(), 2);

        let checks = Checks::new().policy("never", |_| Judgement::fail("no"));
        let gate = Gate::compile(bare, checks.clone()).unwrap();
        assert!(!gate.is_rescorable());
        assert_eq!(gate.score(&fixture::answered([], "x")).verdict, Verdict::Fail);

        let derived = Gate::compile(scenario(json!({})), checks).unwrap();
        assert_eq!(derived.layers(), [Layer::Outcome, Layer::Constraint]);
    }

    #[test]
    fn a_gate_can_be_shared_between_threads() {
        fn shared<T: Send + Sync>() {}
        shared::<Gate>();
    }

    proptest! {
        #[test]
        fn the_verdict_follows_from_the_layers(bits in any::<[bool; 4]>(), gate in prop::sample::subsequence(&Layer::ALL[..3], 1..=3)) {
            let passed = |layer: Layer| Layer::ALL.into_iter().zip(bits).any(|(l, passed)| l == layer && passed);
            let failed_in_gate = gate.iter().filter(|layer| !passed(**layer)).count();
            let expected = match (passed(Layer::Integrity), failed_in_gate) {
                (false, _) => Verdict::Invalid,
                (true, 0) => Verdict::Pass,
                (true, _) => Verdict::Fail,
            };
            prop_assert_eq!(verdict(&gate, passed), expected);
        }

        #[test]
        fn the_same_trace_gets_the_same_score(answer in "\\PC{0,60}", content in "\\PC{0,60}") {
            let gate = gate(artifact_guard());
            let trace = wrote(&content, &answer);
            prop_assert_eq!(gate.score(&trace), gate.score(&trace));
        }
    }
}
