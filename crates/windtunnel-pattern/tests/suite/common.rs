//! What the tests of the language share.

use serde_json::Value;
use windtunnel_pattern::{Options, Pattern, Sequence, Step, Verdict};

/// Compiles a pattern that has no fault.
#[track_caller]
pub(crate) fn pattern(pattern: &Value, options: &Options) -> Pattern {
    Pattern::compile(pattern, options).unwrap_or_else(|faults| panic!("{pattern} has faults:\n{faults}"))
}

/// Asserts for each row whether the candidate matches, and that an explanation exists exactly where it does not.
#[track_caller]
pub(crate) fn assert_rows(options: &Options, rows: &[(Value, Value, bool)]) {
    for (written, candidate, matches) in rows {
        let pattern = pattern(written, options);
        assert_eq!(pattern.matches(candidate), *matches, "{written} against {candidate}");
        let explanation = pattern.explain(candidate);
        assert_eq!(explanation.is_none(), *matches, "{written} against {candidate}: {explanation:?}");
    }
}

/// Compiles a list that has no fault.
#[track_caller]
pub(crate) fn sequence(list: &Value, options: &Options) -> Sequence {
    Sequence::compile_value(list, options).unwrap_or_else(|faults| panic!("{list} has faults:\n{faults}"))
}

/// The state after each candidate, and the verdict at the end.
#[track_caller]
pub(crate) fn run(list: &Value, candidates: &[Value], options: &Options) -> (Vec<Step>, Verdict) {
    let mut matcher = sequence(list, options).matcher();
    let steps = candidates.iter().map(|candidate| matcher.push(candidate)).collect();
    (steps, matcher.finish())
}
