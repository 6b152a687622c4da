//! `substantiated_by_tools`: what the answer states was said by a tool.

use std::collections::HashSet;

use serde_json::Value;
use windtunnel_api::scenario::SubstantiatedByTools;

use crate::calls::{Calls, Word};
use crate::findings::{Finding, Metrics};
use crate::text::excerpt::{around, list};
use crate::text::folded::Folded;
use crate::text::number::{Decimal, plain, written};
use crate::view::View;

/// Every integer of the answer, or every given fact that the answer states, occurs in a tool result.
///
/// Results are read leaf by leaf, with the keys of their objects and the texts of errors. There a number counts wherever it stands,
/// also inside an identifier or a date.
pub(super) fn judge(check: &SubstantiatedByTools, view: &View<'_>, metrics: &mut Metrics) -> Finding {
    let Some(answer) = &view.answer else {
        return Err("substantiated_by_tools: there is no answer: the run has no assistant turn".to_owned());
    };
    if view.calls.word == Word::Unavailable {
        return Err(format!("substantiated_by_tools: {}", view.calls));
    }
    let results = leaves(&view.calls);
    let (stated, missing) = if check.facts.is_empty() {
        integers(answer, &results)
    } else {
        facts(answer, &check.facts, &results)
    };
    metrics.insert("stated".to_owned(), stated.into());
    metrics.insert("unsubstantiated".to_owned(), missing.len().into());
    if missing.is_empty() {
        return Ok(format!("substantiated_by_tools: {stated} of {stated} in a tool result"));
    }
    Err(format!("substantiated_by_tools: in no tool result: {}; {}", missing.join(", "), view.calls))
}

/// How many distinct integers the answer states, and those that no result holds.
fn integers(answer: &Folded<'_>, results: &[String]) -> (usize, Vec<String>) {
    let known: HashSet<Decimal> =
        results.iter().flat_map(|text| written(text)).map(|number| number.value).collect();
    let mut seen = HashSet::new();
    let mut missing = Vec::new();
    for number in written(answer.original()) {
        let is_integer = number.is_number_with_suffix() && number.value.is_integer();
        if is_integer && seen.insert(number.value.clone()) && !known.contains(&number.value) {
            let text = answer.original().get(number.range.clone()).unwrap_or_default();
            missing.push(format!("{text} ({})", around(answer.original(), &number.range)));
        }
    }
    (seen.len(), missing)
}

/// How many of the facts the answer states, and those that no result holds.
fn facts(answer: &Folded<'_>, facts: &[String], results: &[String]) -> (usize, Vec<String>) {
    let results: Vec<Folded<'_>> = results.iter().map(|text| Folded::new(text)).collect();
    let stated: Vec<&String> = facts.iter().filter(|fact| answer.find_alone(fact).next().is_some()).collect();
    let missing =
        stated.iter().filter(|fact| !results.iter().any(|result| result.find_alone(fact).next().is_some()));
    (stated.len(), missing.map(|fact| list([fact])).collect())
}

/// The texts of all results and errors.
fn leaves(calls: &Calls<'_>) -> Vec<String> {
    let mut texts: Vec<String> = calls.errors().iter().map(|error| (*error).to_owned()).collect();
    let mut pending: Vec<&Value> = calls.results().to_vec();
    while let Some(value) = pending.pop() {
        match value {
            Value::Array(items) => pending.extend(items),
            Value::Object(members) => {
                texts.extend(members.keys().cloned());
                pending.extend(members.values());
            }
            Value::String(text) => texts.push(text.clone()),
            Value::Number(number) => texts.push(plain(number)),
            Value::Bool(flag) => texts.push(flag.to_string()),
            Value::Null => {}
        }
    }
    texts
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::fixture;

    fn found(answer: &str, result: Value, facts: &[&str]) -> Finding {
        let trace = fixture::answered([fixture::call("crm", "lookup", json!({"never": 99}), result)], answer);
        let check = SubstantiatedByTools { facts: facts.iter().map(|fact| (*fact).to_owned()).collect() };
        judge(&check, &View::new(&trace, &trace.events), &mut Metrics::new())
    }

    #[test]
    fn every_integer_of_the_answer_has_to_occur_in_a_result() {
        for (answer, result, passed) in [
            ("There are 75 orders.", json!({"orders": 75}), true),
            ("There are 75 orders.", json!({"orders": [1, {"n": 75.0}]}), true),
            ("There are 75 orders.", json!("75 rows"), true),
            ("There are 75 orders.", json!({"orders": 175}), false),
            ("There are 75 orders and 3 more.", json!({"orders": 75}), false),
            ("1,234", json!(1234), true),
            ("-5", json!(5), false),
            ("Due 30 November 2026", json!("2026-11-30T08:00:00Z"), true),
            ("Version 2", json!("v1.2.3"), true),
            ("INV-003", json!({"INV-003": {}}), true),
            ("INV-004", json!({"INV-003": {}}), false),
            ("75kg", json!(80), false),
            ("7.5 is no integer", json!(null), true),
            ("No number at all.", json!(null), true),
            ("99", json!(null), false),
        ] {
            assert_eq!(found(answer, result.clone(), &[]).is_ok(), passed, "{answer:?} from {result}");
        }
    }

    #[test]
    fn a_given_fact_is_needed_only_where_the_answer_states_it() {
        for (answer, result, passed) in [
            ("She is in Berlin.", json!({"city": "berlin"}), true),
            ("She is in Berlin.", json!({"city": "Paris"}), false),
            ("I do not know.", json!({"city": "Paris"}), true),
            ("She is in Berlin and Paris.", json!("Berlin"), false),
            ("She is in Berlin.", json!("Berliner"), false),
        ] {
            assert_eq!(
                found(answer, result.clone(), &["Berlin", "Paris"]).is_ok(),
                passed,
                "{answer:?} from {result}"
            );
        }
    }

    #[test]
    fn an_error_of_a_tool_is_its_word_too() {
        let mut call = fixture::call("crm", "lookup", json!({}), json!(null));
        call.error = Some("no customer 42".into());
        let trace = fixture::answered([call], "There is no customer 42.");
        let view = View::new(&trace, &trace.events);
        assert!(judge(&SubstantiatedByTools::default(), &view, &mut Metrics::new()).is_ok());
    }

    #[test]
    fn claimed_results_count_only_where_nothing_could_witness_any() {
        let mut trace = fixture::answered([], "75");
        trace.turns[1].tool_results = vec![json!({"content": "75"})];
        let judged = |trace: &windtunnel_api::Trace| {
            judge(&SubstantiatedByTools::default(), &View::new(trace, &trace.events), &mut Metrics::new())
        };
        assert!(judged(&trace).is_ok());
        trace.served_tools = fixture::served([("crm", &["lookup"][..])]);
        assert!(judged(&trace).is_err());
        trace.worker_warnings = vec!["mcp_evidence: unavailable".into()];
        let detail = judged(&trace).unwrap_err();
        assert!(detail.contains("nobody saw the calls"), "{detail}");
    }

    #[test]
    fn a_failure_shows_where_the_answer_says_it() {
        assert_eq!(
            found("There are 75 orders.", json!({"orders": 57}), &[]).unwrap_err(),
            "substantiated_by_tools: in no tool result: 75 (\"There are 75 orders.\"); 1 call witnessed by the recorder"
        );
        assert_eq!(
            found("Berlin", json!(1), &["Berlin"]).unwrap_err(),
            "substantiated_by_tools: in no tool result: \"Berlin\"; 1 call witnessed by the recorder"
        );
    }
}
