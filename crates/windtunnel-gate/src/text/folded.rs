//! Case-insensitive search that keeps its place in the original text.

use std::ops::Range;

use super::boundary;

/// A text folded for comparison.
///
/// Folding maps one character to one character, so places differ between the two texts only by the lengths of characters.
#[derive(Debug)]
pub(crate) struct Folded<'t> {
    original: &'t str,
    comparable: String,
    /// Where the difference between folded and original offsets changes: both offsets of the first character behind.
    shifts: Vec<(usize, usize)>,
}

impl<'t> Folded<'t> {
    pub(crate) fn new(original: &'t str) -> Self {
        let mut comparable = String::with_capacity(original.len());
        let mut shifts = Vec::new();
        for (start, c) in original.char_indices() {
            let equal = fold_char(c);
            comparable.push(equal);
            if equal.len_utf8() != c.len_utf8() {
                shifts.push((comparable.len(), start + c.len_utf8()));
            }
        }
        Self { original, comparable, shifts }
    }

    pub(crate) fn original(&self) -> &'t str {
        self.original
    }

    /// Whether the text is in there, in any case. The empty text is nowhere.
    pub(crate) fn contains(&self, text: &str) -> bool {
        self.find(text).next().is_some()
    }

    /// Every place of the text in the original, overlapping ones too.
    pub(crate) fn find(&self, text: &str) -> impl Iterator<Item = Range<usize>> {
        let needle = fold(text);
        let step = needle.chars().next().map(char::len_utf8);
        let mut from = 0;
        std::iter::from_fn(move || {
            let start = from + self.comparable.get(from..)?.find(&needle)?;
            from = start + step?;
            Some(self.in_original(start)..self.in_original(start + needle.len()))
        })
    }

    /// Every place of the text where it cuts through no word and no number.
    pub(crate) fn find_alone(&self, text: &str) -> impl Iterator<Item = Range<usize>> {
        self.find(text).filter(|place| boundary::stands_alone(self.original, place))
    }

    fn in_original(&self, offset: usize) -> usize {
        let behind = self.shifts.partition_point(|(folded, _)| *folded <= offset);
        let last = behind.checked_sub(1).and_then(|index| self.shifts.get(index));
        last.map_or(offset, |(folded, original)| original + (offset - folded))
    }
}

/// The text in the form that is compared.
pub(crate) fn fold(text: &str) -> String {
    text.chars().map(fold_char).collect()
}

/// The lower case of a character, as one character. The final sigma is a sigma, and `İ` an `i`.
fn fold_char(c: char) -> char {
    match c {
        'ς' => 'σ',
        _ => c.to_lowercase().next().unwrap_or(c),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn places<'t>(text: &'t str, needle: &str) -> Vec<&'t str> {
        Folded::new(text).find(needle).map(|place| &text[place]).collect()
    }

    #[test]
    fn case_does_not_matter_in_any_script() {
        for (text, needle, found) in [
            ("Artifact COMPLETE.", "artifact complete", vec!["Artifact COMPLETE"]),
            ("İstanbul'da", "istanbul", vec!["İstanbul"]),
            ("ISPARTA", "isparta", vec!["ISPARTA"]),
            ("GROẞE Straße", "große", vec!["GROẞE"]),
            ("STRASSE", "straße", vec![]),
            ("ΟΔΟΣ οδος", "οδός", vec![]),
            ("ΟΔΟΣ οδος", "Οδος", vec!["ΟΔΟΣ", "οδος"]),
            ("Привет МИР", "мир", vec!["МИР"]),
            ("", "a", vec![]),
            ("a", "", vec![]),
        ] {
            assert_eq!(places(text, needle), found, "{needle:?} in {text:?}");
        }
    }

    #[test]
    fn characters_that_change_their_length_do_not_move_what_follows() {
        // U+0130 shrinks from two bytes to one, U+212A (Kelvin) from three to one, U+023A grows from two to three.
        let text = "İ\u{212a}\u{23a}İ needle \u{212a} NEEDLE";
        assert_eq!(places(text, "needle"), ["needle", "NEEDLE"]);
    }

    #[test]
    fn an_occurrence_that_cuts_a_word_does_not_hide_one_that_overlaps_it() {
        let text = "11-1-1";
        let found: Vec<_> = Folded::new(text).find_alone("1-1").map(|place| place.start).collect();
        assert_eq!(found, [3]);
    }

    proptest! {
        #[test]
        fn what_is_found_is_the_needle(text in "\\PC{0,40}", at in 0..40_usize, length in 1..6_usize) {
            let needle: String = text.chars().skip(at).take(length).collect();
            let folded = Folded::new(&text);
            let found: Vec<_> = folded.find(&needle).collect();
            prop_assert_eq!(found.is_empty(), needle.is_empty());
            for place in found {
                prop_assert_eq!(fold(text.get(place).unwrap()), fold(&needle));
            }
        }
    }
}
