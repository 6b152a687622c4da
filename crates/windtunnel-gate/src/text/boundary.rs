//! Where a word begins and ends.

use std::ops::Range;

/// Whether a place in the text stands for itself: neither end cuts through a word or a number.
///
/// Only an end that is itself part of a word needs a boundary, so `75 %` may be followed by anything. Letters of scripts
/// without case count as boundaries: those are mostly written without spaces, and `共75件` holds the number 75.
pub(crate) fn stands_alone(text: &str, place: &Range<usize>) -> bool {
    let Some(found) = text.get(place.clone()) else { return false };
    let (Some(first), Some(last)) = (found.chars().next(), found.chars().next_back()) else { return false };
    let mut left = text.get(..place.start).unwrap_or_default().chars().rev();
    let mut right = text.get(place.end..).unwrap_or_default().chars();
    begins(first, left.next(), left.next()) && begins(last, right.next(), right.next())
}

/// Whether the edge character of a word is not continued by its neighbour, nor a digit by a decimal behind a separator.
fn begins(edge: char, neighbour: Option<char>, beyond: Option<char>) -> bool {
    match neighbour {
        Some(c) if is_word(edge) && is_word(c) => false,
        Some('.' | ',') if edge.is_ascii_digit() => !beyond.is_some_and(|c| c.is_ascii_digit()),
        Some(_) | None => true,
    }
}

/// Whether a character continues a word.
pub(crate) fn is_word(c: char) -> bool {
    c == '_' || c.is_ascii_digit() || c.is_lowercase() || c.is_uppercase() || is_combining(c)
}

fn is_combining(c: char) -> bool {
    ('\u{300}'..='\u{36f}').contains(&c)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_numbers_are_not_cut() {
        for (text, found, expected) in [
            ("INV-1", "INV-1", true),
            ("see INV-1.", "INV-1", true),
            ("INV-12", "INV-1", false),
            ("XINV-1", "INV-1", false),
            ("INV-1.5", "INV-1", false),
            ("INV-1, INV-2", "INV-1", true),
            ("INV-1_old", "INV-1", false),
            ("75%ish", "75%", true),
            ("1.75%", "75%", false),
            ("cafe\u{301}", "cafe", false),
            ("Straßen", "Straße", false),
            ("请delete文件", "delete", true),
            ("delete", "", false),
        ] {
            let start = text.find(found).unwrap();
            assert_eq!(stands_alone(text, &(start..start + found.len())), expected, "{found:?} in {text:?}");
        }
    }
}
