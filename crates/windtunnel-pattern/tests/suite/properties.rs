//! The matcher against the reference, over random patterns and candidates.

use proptest::prelude::*;
use serde_json::Value;
use windtunnel_pattern::{Options, Pattern, Reason, Sequence, Step, Verdict};

use crate::generate;
use crate::reference::{self, Plain};

fn options(plain: Plain) -> Options {
    match plain {
        Plain::Regex => Options::new(),
        Plain::Text => Options::new().whole_values(),
    }
}

fn plain() -> impl Strategy<Value = Plain> {
    prop_oneof![3 => Just(Plain::Regex), 1 => Just(Plain::Text)]
}

/// The state after each candidate, and the verdict.
fn push_all(sequence: &Sequence, candidates: &[Value]) -> (Vec<Step>, Verdict) {
    let mut matcher = sequence.matcher();
    let steps = candidates.iter().map(|candidate| matcher.push(candidate)).collect();
    (steps, matcher.finish())
}

proptest! {
    // `PROPTEST_CASES` asks for more than the default number of cases.
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_pattern_matches_what_the_reference_says(
        pattern in generate::pattern(),
        candidates in prop::collection::vec(generate::value(), 1..8),
        plain in plain(),
    ) {
        let compiled = Pattern::compile(&pattern, &options(plain)).unwrap();
        for candidate in &candidates {
            let expected = reference::matches(&pattern, Some(candidate), plain);
            prop_assert_eq!(compiled.matches(candidate), expected, "{} against {}", pattern, candidate);
        }
    }

    #[test]
    fn an_explanation_exists_exactly_where_nothing_matches(
        pattern in generate::pattern(),
        candidate in generate::value(),
    ) {
        let compiled = Pattern::compile(&pattern, &Options::new()).unwrap();
        let explanation = compiled.explain(&candidate);
        prop_assert_eq!(explanation.is_none(), compiled.matches(&candidate), "{:?}", explanation);
    }

    #[test]
    fn pushing_one_by_one_ends_where_the_reference_ends(
        list in generate::list(),
        candidates in prop::collection::vec(generate::value(), 0..10),
        plain in plain(),
    ) {
        let sequence = Sequence::compile(&list, &options(plain)).unwrap();
        let (_, verdict) = push_all(&sequence, &candidates);
        prop_assert_eq!(verdict.is_ok(), reference::matches_list(&list, &candidates, plain), "{:?}", verdict);
    }

    #[test]
    fn a_list_pushed_and_the_same_list_as_an_array_agree(
        list in generate::list(),
        candidates in prop::collection::vec(generate::value(), 0..10),
    ) {
        let sequence = Sequence::compile(&list, &Options::new()).unwrap();
        let array = Pattern::compile(&Value::Array(list), &Options::new()).unwrap();
        let verdict = push_all(&sequence, &candidates).1;
        prop_assert_eq!(verdict.is_ok(), array.matches(&Value::Array(candidates)));
    }

    #[test]
    fn a_state_once_decided_is_what_every_longer_run_ends_with(
        list in generate::list(),
        candidates in prop::collection::vec(generate::value(), 0..10),
    ) {
        let sequence = Sequence::compile(&list, &Options::new()).unwrap();
        let (steps, _) = push_all(&sequence, &candidates);
        for (index, step) in steps.iter().enumerate() {
            for end in index + 1..=candidates.len() {
                let matches = reference::matches_list(&list, &candidates[..end], Plain::Regex);
                match step {
                    Step::Settled => prop_assert!(matches, "settled after {}", index + 1),
                    Step::Failed => prop_assert!(!matches, "failed after {}", index + 1),
                    Step::Pending => {}
                }
            }
            if index > 0 && steps[index - 1] != Step::Pending {
                prop_assert_eq!(*step, steps[index - 1]);
            }
        }
    }

    #[test]
    fn a_list_that_settles_early_is_settled_whenever_it_matches(
        list in generate::list(),
        candidates in prop::collection::vec(generate::value(), 0..10),
    ) {
        let sequence = Sequence::compile(&list, &Options::new()).unwrap();
        let mut matcher = sequence.matcher();
        for candidate in &candidates {
            matcher.push(candidate);
        }
        if sequence.settles_early() {
            prop_assert_eq!(matcher.finish().is_ok(), matcher.step() == Step::Settled);
        }
    }

    #[test]
    fn the_same_run_ends_the_same_way_to_the_letter(
        list in generate::list(),
        candidates in prop::collection::vec(generate::value(), 0..10),
    ) {
        let run = || {
            let sequence = Sequence::compile(&list, &Options::new()).unwrap();
            push_all(&sequence, &candidates)
        };
        prop_assert_eq!(run(), run());
    }

    #[test]
    fn a_failure_points_at_an_expectation_and_at_candidates_that_exist(
        list in generate::list(),
        candidates in prop::collection::vec(generate::value(), 0..10),
    ) {
        let sequence = Sequence::compile(&list, &Options::new()).unwrap();
        let Err(failure) = push_all(&sequence, &candidates).1 else { return Ok(()) };
        prop_assert_eq!(sequence.expectation(failure.index), Some(failure.expectation.clone()));
        prop_assert!(failure.cursor <= failure.seen && failure.seen <= candidates.len());
        match &failure.reason {
            Reason::Missing { closest: Some(closest) } | Reason::TooFew { ended_by: Some(closest), .. } => {
                prop_assert!(closest.index >= failure.cursor && closest.index < failure.seen);
            }
            Reason::Missing { closest: None } => prop_assert_eq!(failure.cursor, candidates.len()),
            Reason::TooFew { ended_by: None, .. } => prop_assert_eq!(failure.seen, candidates.len()),
            Reason::Forbidden { at, .. } | Reason::TooMany { at, .. } => prop_assert_eq!(*at, failure.seen - 1),
        }
    }

    #[test]
    fn compiling_never_panics_whatever_it_is_given(
        anything in generate::anything(),
        candidate in generate::value(),
        plain in plain(),
    ) {
        let options = options(plain).whole_fields(["a"]);
        match Pattern::compile(&anything, &options) {
            Ok(pattern) => {
                prop_assert_eq!(pattern.explain(&candidate).is_none(), pattern.matches(&candidate));
                prop_assert!(!pattern.to_string().is_empty());
            }
            Err(faults) => prop_assert!(!faults.faults().is_empty() && !faults.to_string().is_empty()),
        }
        if let Err(faults) = Sequence::compile_value(&anything, &options) {
            prop_assert!(!faults.faults().is_empty());
        }
    }
}
