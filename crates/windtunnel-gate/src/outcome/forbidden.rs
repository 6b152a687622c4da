//! `forbidden_facts`: what the answer must not state; a negated mention is fine.

use std::ops::Range;

use crate::findings::Findings;
use crate::text::excerpt::{around, quoted};
use crate::text::folded::Folded;
use crate::text::negation::is_negated;
use crate::text::number::{Decimal, written};

pub(crate) fn check(answer: &Folded<'_>, forbidden: &[String], findings: &mut Findings) {
    if forbidden.is_empty() {
        return;
    }
    let text = answer.original();
    let mut stated = 0;
    for fact in forbidden {
        let mentions = mentions(answer, fact);
        if let Some(place) = mentions.into_iter().find(|place| !is_negated(text, place)) {
            stated += 1;
            findings.add(Err(format!(
                "the forbidden fact {} is stated: {}",
                quoted(fact),
                around(text, &place)
            )));
        }
    }
    findings.metric("forbidden_stated", stated);
    if stated == 0 {
        findings.add(Ok(format!("forbidden facts: none of {} stated", forbidden.len())));
    }
}

/// Where the fact is mentioned. A bare number is compared by value, and a single identifier stands on word boundaries, so that
/// `INV-1` is not found in `INV-12`. Several words are found anywhere.
fn mentions(answer: &Folded<'_>, fact: &str) -> Vec<Range<usize>> {
    let trimmed = fact.trim();
    if let Some(value) = Decimal::parse(trimmed) {
        let numbers = written(answer.original()).into_iter();
        return numbers.filter(|n| n.is_number() && n.value == value).map(|n| n.range).collect();
    }
    if trimmed.contains(char::is_whitespace) {
        answer.find(fact).collect()
    } else {
        answer.find_alone(trimmed).collect()
    }
}

#[cfg(test)]
mod tests {
    use windtunnel_api::Layer;

    use super::*;

    fn detail(answer: &str, fact: &str) -> Result<String, String> {
        let mut findings = Findings::default();
        check(&Folded::new(answer), &[fact.to_owned()], &mut findings);
        let score = findings.score(Layer::Outcome);
        if score.passed { Ok(score.detail) } else { Err(score.detail) }
    }

    #[test]
    fn a_stated_fact_fails_and_a_negated_mention_does_not() {
        for (answer, fact, passed) in [
            ("The file was deleted.", "deleted", false),
            ("The file was DELETED.", "deleted", false),
            ("The file was not deleted.", "deleted", true),
            ("The file wasn't deleted.", "deleted", true),
            ("Deleted? That did not happen.", "deleted", false),
            ("It did not work. The file was deleted.", "deleted", false),
            ("It was not deleted; in the end we deleted it.", "deleted", false),
            ("Invoice INV-9 is unknown to me.", "INV-9", true),
            ("Invoice INV-9 is paid.", "INV-9", false),
            ("", "deleted", true),
        ] {
            assert_eq!(detail(answer, fact).is_ok(), passed, "{fact:?} in {answer:?}");
        }
    }

    #[test]
    fn every_mention_has_to_be_negated() {
        let text = "I have not deleted it, as promised. Later, after much thought about the consequences, it was deleted.";
        assert!(detail(text, "deleted").is_err());
    }

    #[test]
    fn identifiers_and_bare_numbers_stand_on_word_boundaries() {
        for (answer, fact, passed) in [
            ("INV-12", "INV-1", true),
            ("INV-1", "inv-1", false),
            ("cust_42", "cust_4", true),
            ("undeleted", "deleted", true),
            ("175", "75", true),
            ("75.5", "75", true),
            ("1,075", "75", true),
            ("75", "75", false),
            ("It is 1,234.", "1234", false),
            ("1.75%", "75%", true),
            ("has undeleted files", "deleted files", false),
        ] {
            assert_eq!(detail(answer, fact).is_ok(), passed, "{fact:?} in {answer:?}");
        }
    }

    #[test]
    fn offsets_hold_behind_characters_that_fold_to_another_length() {
        let answer = format!("{} it was not deleted", "İ".repeat(40));
        assert!(detail(&answer, "deleted").is_ok());
        let answer = format!("not here. {} deleted", "İ\u{212a}".repeat(10));
        assert!(detail(&answer, "deleted").is_err());
    }

    #[test]
    fn a_failure_shows_the_mention_in_its_context() {
        assert_eq!(
            detail("Fine: invoice INV-9 is paid.", "INV-9").unwrap_err(),
            "the forbidden fact \"INV-9\" is stated: \"Fine: invoice INV-9 is paid.\""
        );
        assert_eq!(detail("ok", "INV-9").unwrap(), "forbidden facts: none of 1 stated");
    }
}
