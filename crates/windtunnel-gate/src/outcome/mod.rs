//! The outcome layer: what the agent answered, and what state it left.
//!
//! The fields of the scenario are checked first, then its scorer, then closures; all of them have to pass.

mod facts;
mod forbidden;
mod judge;
mod numbers;
mod scorer;
mod substantiated;
mod tool_use;

pub use judge::judge_sources;

use windtunnel_api::scenario::Scenario;
use windtunnel_api::{Layer, LayerScore};
use windtunnel_doc::Path;

use self::scorer::Scorer;
use crate::checks::Checks;
use crate::findings::Findings;
use crate::patterns::Compiler;
use crate::text::excerpt::quoted;
use crate::view::View;

/// The compiled part of the layer.
#[derive(Debug)]
pub(crate) struct Outcome {
    scorer: Option<Scorer>,
}

impl Outcome {
    pub(crate) fn compile(scenario: &Scenario, compiler: &mut Compiler) -> Self {
        let path = Path::root().then("outcome");
        let scorer = scenario.outcome.as_ref();
        Self { scorer: scorer.and_then(|scorer| Scorer::compile(scorer, &path, compiler)) }
    }

    pub(crate) fn score(&self, view: &View<'_>, scenario: &Scenario, checks: &Checks) -> LayerScore {
        let mut findings = Findings::default();
        answer(view, scenario, &mut findings);
        if scenario.requires_tool_use {
            findings.add(tool_use::check(&view.calls));
        }
        if let Some(scorer) = &self.scorer {
            let finding = scorer.judge(view, &mut findings.metrics);
            findings.add(finding);
        }
        checks.judge_outcome(view.trace, &mut findings);
        findings.score(Layer::Outcome)
    }
}

/// The checks of the answer's text.
fn answer(view: &View<'_>, scenario: &Scenario, findings: &mut Findings) {
    let Scenario { target_facts, target_numbers, forbidden_facts, .. } = scenario;
    if target_facts.is_empty() && target_numbers.is_empty() && forbidden_facts.is_empty() {
        return;
    }
    let Some(answer) = &view.answer else {
        findings.add(Err("there is no answer: the run has no assistant turn".to_owned()));
        return;
    };
    let met = facts::check(answer, target_facts, findings) & numbers::check(answer, target_numbers, findings);
    forbidden::check(answer, forbidden_facts, findings);
    if !met {
        findings.note(match answer.original() {
            "" => "the answer is empty".to_owned(),
            text => format!("the answer: {}", quoted(text)),
        });
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use windtunnel_api::Trace;
    use windtunnel_api::scenario::OutcomeScorer;

    use super::*;
    use crate::{Judgement, fixture};

    fn score(scenario: &Scenario, checks: &Checks, trace: &Trace) -> LayerScore {
        let mut compiler = Compiler::new(vec![]);
        let outcome = Outcome::compile(scenario, &mut compiler);
        let events = crate::events::events(trace);
        compiler.finish(outcome).unwrap().score(&View::new(trace, &events), scenario, checks)
    }

    fn scenario() -> Scenario {
        Scenario { target_facts: vec![vec!["done".into()]], ..Scenario::new("s", "p") }
    }

    #[test]
    fn the_last_answer_counts_even_if_an_earlier_one_had_the_facts() {
        let mut trace = fixture::answered([], "done");
        assert!(score(&scenario(), &Checks::new(), &trace).passed);
        trace.events.extend(fixture::answered([], "").events);
        let layer = score(&scenario(), &Checks::new(), &trace);
        assert_eq!(
            (layer.passed, layer.detail.as_str()),
            (false, "fact 1 of 1 is missing: expected \"done\"\nthe answer is empty")
        );
    }

    #[test]
    fn a_run_without_an_answer_fails_whatever_is_asked_of_it() {
        for scenario in [
            scenario(),
            Scenario { forbidden_facts: vec!["x".into()], ..Scenario::new("s", "p") },
            serde_json::from_value(json!({"name": "s", "prompt": "p", "target_numbers": [{"value": 1}]}))
                .unwrap(),
        ] {
            let layer = score(&scenario, &Checks::new(), &fixture::trace());
            assert_eq!(layer.detail, "there is no answer: the run has no assistant turn");
            assert!(!layer.passed);
        }
    }

    #[test]
    fn required_tool_use_fails_a_run_that_has_all_the_facts() {
        let scenario = Scenario { requires_tool_use: true, ..scenario() };
        let layer = score(&scenario, &Checks::new(), &fixture::answered([], "done"));
        assert_eq!(
            (layer.passed, layer.detail.as_str()),
            (
                false,
                "requires_tool_use: expected a tool call; no call claimed by the transcript; nothing witnessed this run"
            )
        );
        let call = fixture::call("crm", "lookup", json!({}), json!("x"));
        assert!(score(&scenario, &Checks::new(), &fixture::answered([call], "done")).passed);
    }

    #[test]
    fn the_fields_count_beside_a_scorer_and_a_closure() {
        let observed: OutcomeScorer =
            serde_json::from_value(json!({"observation": {"source": "db", "exists": true}})).unwrap();
        let scenario = Scenario { outcome: Some(observed), ..scenario() };
        for (answer, captured, closure, passed) in [
            ("done", true, true, true),
            ("no", true, true, false),
            ("done", false, true, false),
            ("done", true, false, false),
        ] {
            let mut trace = fixture::answered([], answer);
            if captured {
                trace.observations.insert("db".into(), json!(1));
            }
            let checks = Checks::new().outcome(move |_| Judgement::of(closure, "closure").with("seen", true));
            let layer = score(&scenario, &checks, &trace);
            assert_eq!(layer.passed, passed, "{}", layer.detail);
            assert_eq!(layer.metrics["seen"], true);
        }
    }

    #[test]
    fn metrics_count_and_never_decide() {
        let scenario = Scenario {
            target_facts: vec![vec!["done".into()], vec!["missing".into()]],
            forbidden_facts: vec!["secret".into()],
            ..Scenario::new("s", "p")
        };
        let layer = score(&scenario, &Checks::new(), &fixture::answered([], "done"));
        let metrics = json!({"facts_found": 1, "facts_total": 2, "forbidden_stated": 0});
        assert_eq!(json!(layer.metrics), metrics);

        let checks = Checks::new().outcome(|_| Judgement::pass("").with("passed", false));
        assert!(score(&Scenario::new("s", "p"), &checks, &fixture::answered([], "x")).passed);
    }
}
