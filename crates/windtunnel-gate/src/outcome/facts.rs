//! `target_facts`: all of the outer list, any of each inner one.

use crate::findings::Findings;
use crate::text::excerpt::list;
use crate::text::folded::Folded;

/// Whether every fact is there.
pub(crate) fn check(answer: &Folded<'_>, facts: &[Vec<String>], findings: &mut Findings) -> bool {
    if facts.is_empty() {
        return true;
    }
    let mut found = 0;
    for (index, alternatives) in facts.iter().enumerate() {
        if alternatives.iter().any(|fact| answer.contains(fact)) {
            found += 1;
        } else {
            let any = if alternatives.len() > 1 { "any of " } else { "" };
            findings.add(Err(format!(
                "fact {} of {} is missing: expected {any}{}",
                index + 1,
                facts.len(),
                list(alternatives)
            )));
        }
    }
    findings.metric("facts_found", found);
    findings.metric("facts_total", facts.len());
    let all = found == facts.len();
    if all {
        findings.add(Ok(format!("facts: {found} of {found} found")));
    }
    all
}

#[cfg(test)]
mod tests {
    use windtunnel_api::Layer;

    use super::*;

    fn detail(answer: &str, facts: &[&[&str]]) -> Result<String, String> {
        let facts: Vec<Vec<String>> =
            facts.iter().map(|any| any.iter().map(|fact| (*fact).to_owned()).collect()).collect();
        let mut findings = Findings::default();
        let all = check(&Folded::new(answer), &facts, &mut findings);
        let score = findings.score(Layer::Outcome);
        assert_eq!(score.passed, all);
        if all { Ok(score.detail) } else { Err(score.detail) }
    }

    #[test]
    fn all_of_the_outer_list_and_any_of_the_inner() {
        for (answer, facts, passed) in [
            ("Artifact Complete!", &[&["artifact complete"][..]][..], true),
            ("artifact is complete", &[&["artifact complete"]], false),
            ("red and blue", &[&["red", "crimson"], &["blue"]], true),
            ("crimson and blue", &[&["red", "crimson"], &["blue"]], true),
            ("red", &[&["red", "crimson"], &["blue"]], false),
            ("unredeemed", &[&["RED"]], true),
            ("", &[&["red"]], false),
        ] {
            assert_eq!(detail(answer, facts).is_ok(), passed, "{facts:?} in {answer:?}");
        }
    }

    #[test]
    fn every_missing_fact_is_named_with_its_alternatives() {
        assert_eq!(
            detail("green", &[&["red", "crimson"], &["green"], &["blue"]]).unwrap_err(),
            "fact 1 of 3 is missing: expected any of \"red\", \"crimson\"\n\
             fact 3 of 3 is missing: expected \"blue\""
        );
        assert_eq!(detail("green", &[&["green"]]).unwrap(), "facts: 1 of 1 found");
    }
}
