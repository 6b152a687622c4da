//! The scorers that `outcome` can name.

use windtunnel_api::scenario::{OutcomeScorer, SubstantiatedByTools};
use windtunnel_doc::Path;
use windtunnel_pattern::Sequence;

use super::judge::{self, Names};
use super::substantiated;
use crate::findings::{Finding, Metrics, indented};
use crate::observation::Observed;
use crate::patterns::Compiler;
use crate::view::View;

/// A compiled scorer.
#[derive(Debug)]
pub(super) enum Scorer {
    Observation(Observed),
    Substantiated(SubstantiatedByTools),
    AllOf(Vec<Scorer>),
    AnyOf(Vec<Scorer>),
    Pattern(Sequence),
    /// The observation that holds the judge's answer.
    Judge(String),
}

impl Scorer {
    /// The scorer at `path`, if it has no fault.
    pub(super) fn compile(scorer: &OutcomeScorer, path: &Path, compiler: &mut Compiler) -> Option<Self> {
        let mut names = Names::new(judge::judges(scorer).len());
        Self::compile_named(scorer, path, compiler, &mut names)
    }

    fn compile_named(
        scorer: &OutcomeScorer,
        path: &Path,
        compiler: &mut Compiler,
        names: &mut Names,
    ) -> Option<Self> {
        let at = |field: &str| path.clone().then(field);
        Some(match scorer {
            OutcomeScorer::Observation(check) => {
                Self::Observation(Observed::compile(check, &at("observation"), compiler)?)
            }
            OutcomeScorer::SubstantiatedByTools(check) => Self::Substantiated(check.clone()),
            OutcomeScorer::AllOf(scorers) => Self::AllOf(Self::list(scorers, &at("all_of"), compiler, names)),
            OutcomeScorer::AnyOf(scorers) => Self::AnyOf(Self::list(scorers, &at("any_of"), compiler, names)),
            OutcomeScorer::Pattern(elements) => Self::Pattern(compiler.events(elements, &at("pattern"))?),
            OutcomeScorer::LlmJudge(_) => Self::Judge(names.next()),
        })
    }

    /// Those without a fault; a fault of any keeps the whole scenario from being compiled.
    fn list(scorers: &[OutcomeScorer], path: &Path, compiler: &mut Compiler, names: &mut Names) -> Vec<Self> {
        let scorers = scorers.iter().enumerate();
        scorers
            .filter_map(|(index, scorer)| {
                Self::compile_named(scorer, &path.clone().then(index), compiler, names)
            })
            .collect()
    }

    pub(super) fn judge(&self, view: &View<'_>, metrics: &mut Metrics) -> Finding {
        match self {
            Self::Observation(check) => check.judge(view),
            Self::Substantiated(check) => substantiated::judge(check, view, metrics),
            Self::AllOf(scorers) => {
                let (passed, failed) = Self::each(scorers, view, metrics);
                if failed.is_empty() {
                    Ok(format!("all_of: {}", passed.join("; ")))
                } else {
                    Err(failed.join("\n"))
                }
            }
            Self::AnyOf(scorers) => {
                let (passed, failed) = Self::each(scorers, view, metrics);
                match passed.first() {
                    Some(first) => Ok(format!("any_of: {first}")),
                    None => Err(format!("any_of: none of {} passed\n{}", failed.len(), items(&failed))),
                }
            }
            Self::Pattern(sequence) => match view.run(sequence) {
                Ok(()) => Ok(format!("pattern: {} expectations met", sequence.len())),
                Err(failure) => Err(format!("pattern: {failure}")),
            },
            Self::Judge(source) => judge::judge(view, source),
        }
    }

    /// All scorers are judged, so that one failure does not hide the next.
    fn each(scorers: &[Self], view: &View<'_>, metrics: &mut Metrics) -> (Vec<String>, Vec<String>) {
        let (mut passed, mut failed) = (Vec::new(), Vec::new());
        for scorer in scorers {
            match scorer.judge(view, metrics) {
                Ok(text) => passed.push(text),
                Err(text) => failed.push(text),
            }
        }
        (passed, failed)
    }
}

fn items(texts: &[String]) -> String {
    texts.iter().map(|text| format!("- {}", indented(text))).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::fixture;

    fn found(scorer: Value) -> Finding {
        let mut trace =
            fixture::answered([fixture::call("crm", "crm.lookup", json!({"id": 1}), json!({"n": 75}))], "75");
        trace.observations.insert("db".into(), json!({"rows": 3}));
        let scorer: OutcomeScorer = serde_json::from_value(scorer).unwrap();
        let mut compiler = Compiler::new(vec![]);
        let scorer = Scorer::compile(&scorer, &Path::root().then("outcome"), &mut compiler);
        let scorer = compiler.finish(scorer.unwrap()).unwrap();
        scorer.judge(&View::new(&trace, &trace.events), &mut Metrics::new())
    }

    fn rows(equals: u64) -> Value {
        json!({"observation": {"source": "db", "path": "/rows", "equals": equals}})
    }

    #[test]
    fn composed_scorers_follow_their_truth_tables() {
        for (scorer, passed) in [
            (json!({"all_of": [rows(3), {"substantiated_by_tools": {}}]}), true),
            (json!({"all_of": [rows(3), rows(4)]}), false),
            (json!({"all_of": [rows(4), rows(5)]}), false),
            (json!({"any_of": [rows(3), rows(4)]}), true),
            (json!({"any_of": [rows(4), rows(3)]}), true),
            (json!({"any_of": [rows(4), rows(5)]}), false),
            (json!({"all_of": [{"any_of": [rows(4), rows(3)]}, {"pattern": [{"tool": "lookup"}]}]}), true),
        ] {
            assert_eq!(found(scorer.clone()).is_ok(), passed, "{scorer}");
        }
    }

    #[test]
    fn every_failure_of_a_composed_scorer_is_told() {
        insta::assert_snapshot!(found(json!({"all_of": [rows(4), rows(3), rows(5)]})).unwrap_err(), @"
        observations.db/rows: expected 4, found 3
        observations.db/rows: expected 5, found 3
        ");
        insta::assert_snapshot!(found(json!({"any_of": [rows(4), {"all_of": [rows(5), rows(6)]}]})).unwrap_err(), @"
        any_of: none of 2 passed
        - observations.db/rows: expected 4, found 3
        - observations.db/rows: expected 5, found 3
          observations.db/rows: expected 6, found 3
        ");
    }

    #[test]
    fn a_pattern_is_a_sequence_over_the_events() {
        let call = json!({"kind": "tool_call", "tool": "lookup", "args": {"id": 1}});
        let answer = json!({"kind": "turn", "role": "assistant", "content": "75"});
        assert!(found(json!({"pattern": [call, answer]})).is_ok());
        insta::assert_snapshot!(found(json!({"pattern": [answer, call]})).unwrap_err(), @r#"
        pattern: expectation [1] was not met: {kind: "tool_call", tool: "lookup", args: {id: 1}}
          cursor: 3 (3 seen)
          closest: none, nothing came after the cursor
        "#);
    }
}
