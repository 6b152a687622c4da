//! Whether a mention is negated within its own clause.

use std::ops::Range;

use super::folded::fold;
use super::window;

/// Words that negate a mention. They are looked for as they stand, so `not ` is also in `cannot `.
const CUES: [&str; 9] =
    ["no ", "not ", "n't", "without", "invalid", "unknown", "no such", "non-existent", "nonexistent"];

/// Characters before a mention in which a cue negates it.
const BEFORE: usize = 30;

/// Characters behind a mention in which a cue negates it.
const AFTER: usize = 40;

/// Whether a cue stands near the place: in the 30 characters before it back to the last `.`, `!`, `?`, `;` or line end, or in the 40
/// characters behind it up to the first `.`, `!`, `?` or line end.
pub(crate) fn is_negated(text: &str, place: &Range<usize>) -> bool {
    let before = window::before(text, place.start, BEFORE);
    let before = before.rsplit(['.', '!', '?', ';', '\n', '\r']).next().unwrap_or_default();
    let after = window::after(text, place.end, AFTER);
    let after = after.split(['.', '!', '?', '\n', '\r']).next().unwrap_or_default();
    has_cue(before) || has_cue(after)
}

fn has_cue(clause: &str) -> bool {
    // Models write n’t as often as n't.
    let clause = fold(clause).replace('\u{2019}', "'");
    CUES.iter().any(|cue| clause.contains(cue))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn assert_negated(text: &str, expected: bool) {
        let start = text.find("FACT").unwrap();
        assert_eq!(is_negated(text, &(start..start + 4)), expected, "{text:?}");
    }

    #[test]
    fn every_cue_negates_on_either_side() {
        for cue in CUES {
            assert_negated(&format!("It is {cue} FACT"), true);
            assert_negated(&format!("FACT is {cue} so"), true);
        }
        assert_negated("It is FACT", false);
        assert_negated("I CANNOT confirm FACT", true);
        assert_negated("FACT wasn\u{2019}t found", true);
        assert_negated("FACT is UNKNOWN", true);
        assert_negated("notFACT", false);
    }

    #[test]
    fn a_cue_of_another_clause_does_not_negate() {
        for end in [". ", "! ", "? ", "; ", "\n", "\r\n"] {
            assert_negated(&format!("It is not there{end}FACT"), false);
        }
        for end in [". ", "! ", "? ", "\n", "\r\n"] {
            assert_negated(&format!("FACT{end}It is not there"), false);
        }
        assert_negated("FACT; it is not there", true);
        assert_negated("It is not there, FACT", true);
    }

    #[test]
    fn windows_are_thirty_characters_before_and_forty_behind() {
        for (filler, expected) in [(26, true), (27, false)] {
            assert_negated(&format!("not {}FACT", "ä".repeat(filler)), expected);
        }
        for (filler, expected) in [(36, true), (37, false)] {
            assert_negated(&format!("FACT{}not ", "ö".repeat(filler)), expected);
        }
    }
}
