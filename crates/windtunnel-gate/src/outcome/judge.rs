//! `llm_judge`: a model's word on the answer, asked before scoring and frozen into the observations.

use serde_json::Value;
use windtunnel_api::Scenario;
use windtunnel_api::scenario::{LlmJudge, OutcomeScorer};
use windtunnel_pattern::excerpt;

use crate::findings::Finding;
use crate::observation::nothing_observed;
use crate::text::excerpt::quoted;
use crate::view::View;

/// The observation that a single judge's answer is frozen into.
const SOURCE: &str = "llm_judge";

/// Characters of an answer that is no text.
const SHOWN: usize = 200;

/// The judges of a scenario in the order they are written, each with the name of the observation that its raw answer belongs in:
/// `llm_judge` for a single one, `llm_judge[0]`, `llm_judge[1]` … for several.
pub fn judge_sources(scenario: &Scenario) -> Vec<(String, &LlmJudge)> {
    let judges: Vec<&LlmJudge> = scenario.outcome.iter().flat_map(judges).collect();
    let mut names = Names::new(judges.len());
    judges.into_iter().map(|judge| (names.next(), judge)).collect()
}

pub(super) fn judges(scorer: &OutcomeScorer) -> Vec<&LlmJudge> {
    match scorer {
        OutcomeScorer::LlmJudge(judge) => vec![judge],
        OutcomeScorer::AllOf(scorers) | OutcomeScorer::AnyOf(scorers) => {
            scorers.iter().flat_map(judges).collect()
        }
        OutcomeScorer::Observation(_)
        | OutcomeScorer::SubstantiatedByTools(_)
        | OutcomeScorer::Pattern(_) => Vec::new(),
    }
}

/// Names the judges of a scenario one after the other.
pub(super) struct Names {
    judges: usize,
    named: usize,
}

impl Names {
    pub(super) fn new(judges: usize) -> Self {
        Self { judges, named: 0 }
    }

    pub(super) fn next(&mut self) -> String {
        let index = self.named;
        self.named += 1;
        if self.judges == 1 { SOURCE.to_owned() } else { format!("{SOURCE}[{index}]") }
    }
}

/// The whole answer but for white space is `PASS` or `FAIL`. Everything else fails, since it cannot be told what was meant.
pub(super) fn judge(view: &View<'_>, source: &str) -> Finding {
    match view.observation(source) {
        None => Err(format!("{source}: no judge was asked; {}", nothing_observed(source, &view.observed()))),
        Some(Value::String(answer)) => match answer.trim() {
            "PASS" => Ok(format!("{source}: PASS")),
            "FAIL" => Err(format!("{source}: FAIL")),
            other => Err(format!("{source}: expected PASS or FAIL, the judge answered {}", quoted(other))),
        },
        Some(other) => {
            Err(format!("{source}: expected PASS or FAIL, the judge answered {}", excerpt(other, SHOWN)))
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::fixture;

    #[test]
    fn only_the_bare_words_count() {
        for (answer, expected) in [
            (json!("PASS"), Ok("llm_judge: PASS")),
            (json!(" PASS\n"), Ok("llm_judge: PASS")),
            (json!("FAIL"), Err("llm_judge: FAIL")),
            (json!("pass"), Err("llm_judge: expected PASS or FAIL, the judge answered \"pass\"")),
            (json!("PASS."), Err("llm_judge: expected PASS or FAIL, the judge answered \"PASS.\"")),
            (json!("I say PASS"), Err("llm_judge: expected PASS or FAIL, the judge answered \"I say PASS\"")),
            (json!(""), Err("llm_judge: expected PASS or FAIL, the judge answered \"\"")),
            (
                json!({"v": "PASS"}),
                Err("llm_judge: expected PASS or FAIL, the judge answered {\"v\":\"PASS\"}"),
            ),
        ] {
            let mut trace = fixture::trace();
            trace.observations.insert(SOURCE.into(), answer);
            let found = judge(&View::new(&trace, &[]), SOURCE);
            assert_eq!(found.as_deref().map_err(String::as_str), expected);
        }
    }

    #[test]
    fn a_judge_that_was_never_asked_fails() {
        let trace = fixture::trace();
        let found = judge(&View::new(&trace, &[]), SOURCE).unwrap_err();
        assert!(found.starts_with("llm_judge: no judge was asked"), "{found}");
    }

    #[test]
    fn several_judges_are_indexed_in_the_order_they_are_written() {
        let rubric = |text: &str| json!({"llm_judge": {"rubric": text}});
        let sources = |outcome: Value| {
            let scenario: Scenario =
                serde_json::from_value(json!({"name": "s", "prompt": "p", "outcome": outcome})).unwrap();
            let sources = judge_sources(&scenario);
            sources.into_iter().map(|(source, judge)| (source, judge.rubric.clone())).collect::<Vec<_>>()
        };
        let named = |source: &str, rubric: &str| (source.to_owned(), rubric.to_owned());
        assert_eq!(sources(rubric("a")), [named("llm_judge", "a")]);
        assert_eq!(
            sources(
                json!({"all_of": [rubric("a"), {"any_of": [rubric("b"), {"pattern": [{}]}]}, rubric("c")]})
            ),
            [named("llm_judge[0]", "a"), named("llm_judge[1]", "b"), named("llm_judge[2]", "c")]
        );
        assert_eq!(sources(json!({"pattern": [{}]})), []);
    }
}
