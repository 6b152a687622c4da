//! Numbers as people and models write them.
//!
//! A number is a run of ASCII digits on word boundaries, with a sign, thousands separators and a decimal point where they are
//! unmistakable:
//!
//! - `-` and `−` are a sign unless something stands right before them: `-5` is minus five, `INV-5` holds a five.
//! - Commas, apostrophes and no-break spaces group thousands if every group behind the first has three digits: `1,234` is one number,
//!   `1,23` and `12,345,6` are lists. A full stop never groups.
//! - One full stop between digits is a decimal point: `7.5`. At the end of a sentence it is not: `75.`. Digits with more of them
//!   are an address, a date or a version, and no number.
//! - Leading zeros make an identifier: `007` is not seven.

use std::ops::Range;

use serde_json::Number;

use super::boundary::is_word;

/// A decimal number, to be compared by value.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Decimal {
    negative: bool,
    /// Digits before the point, as written but for separators.
    whole: String,
    /// Digits behind the point, without trailing zeros.
    fraction: String,
}

impl Decimal {
    fn new(negative: bool, whole: String, fraction: &str) -> Self {
        let fraction = fraction.trim_end_matches('0').to_owned();
        // Minus zero is zero.
        let negative = negative && !(fraction.is_empty() && whole.bytes().all(|digit| digit == b'0'));
        Self { negative, whole, fraction }
    }

    /// The value of a JSON number.
    pub(crate) fn of(number: &Number) -> Self {
        let text = plain(number);
        let (negative, digits) =
            text.strip_prefix('-').map_or((false, text.as_str()), |digits| (true, digits));
        let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
        Self::new(negative, whole.to_owned(), fraction)
    }

    /// The value of a text that is nothing but a number.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        match written(text).as_slice() {
            [only] if only.range == (0..text.len()) && only.is_number() => Some(only.value.clone()),
            _ => None,
        }
    }

    pub(crate) fn is_integer(&self) -> bool {
        self.fraction.is_empty()
    }
}

/// A JSON number without an exponent, so that a tool's `1e3` is an answer's `1,000`.
pub(crate) fn plain(number: &Number) -> String {
    match number.as_f64() {
        Some(float) if number.is_f64() => float.to_string(),
        _ => number.to_string(),
    }
}

/// Digits in a text.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Written<'t> {
    /// Where they are, the sign included.
    pub(crate) range: Range<usize>,
    pub(crate) value: Decimal,
    /// Word characters that follow without a gap: the `kg` of `75kg`.
    pub(crate) suffix: &'t str,
    /// Whether they end a word, as in `GPT4`, or are a part of `1.2.3`.
    is_part: bool,
}

impl Written<'_> {
    /// Whether they stand on word boundaries.
    pub(crate) fn is_number(&self) -> bool {
        !self.is_part && self.suffix.is_empty()
    }

    /// Whether they are a number but for a unit that follows without a gap.
    pub(crate) fn is_number_with_suffix(&self) -> bool {
        !self.is_part
    }
}

/// All digits of a text, in order.
pub(crate) fn written(text: &str) -> Vec<Written<'_>> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(start) = find_digit(text, at) {
        let run = Run::read(text, start);
        at = run.end();
        run.numbers(text, &mut found);
    }
    found
}

fn find_digit(text: &str, from: usize) -> Option<usize> {
    Some(from + text.get(from..)?.find(|c: char| c.is_ascii_digit())?)
}

/// Digits with single separators between them.
struct Run {
    /// Where each group of digits is.
    groups: Vec<Range<usize>>,
    /// What stands between a group and the next.
    separators: Vec<char>,
}

impl Run {
    fn read(text: &str, start: usize) -> Self {
        let mut groups = vec![digits(text, start)];
        let mut separators = Vec::new();
        while let Some(last) = groups.last()
            && let Some(separator) = text.get(last.end..).and_then(|rest| rest.chars().next())
            && is_separator(separator)
        {
            let next = digits(text, last.end + separator.len_utf8());
            if next.is_empty() {
                break;
            }
            separators.push(separator);
            groups.push(next);
        }
        Self { groups, separators }
    }

    fn end(&self) -> usize {
        self.groups.last().map_or(0, |group| group.end)
    }

    fn numbers<'t>(&self, text: &'t str, found: &mut Vec<Written<'t>>) {
        let mut first = 0;
        while first < self.groups.len() {
            let last = first + self.thousands(first);
            let points = self.separators.iter().skip(last).take_while(|separator| **separator == '.').count();
            match points {
                0 | 1 => {
                    found.extend(self.number(text, first, last, points == 1));
                    first = last + points + 1;
                }
                _ => {
                    let parts = self.groups.iter().skip(first).take(last + points + 1 - first);
                    found.extend(parts.map(|group| part(text, group)));
                    first = last + points + 1;
                }
            }
        }
    }

    /// How many groups of thousands follow a group.
    fn thousands(&self, first: usize) -> usize {
        let Some(separator) = self.separators.get(first).filter(|separator| **separator != '.') else {
            return 0;
        };
        let equal = self.separators.iter().skip(first).take_while(|other| *other == separator).count();
        let mut followers = self.groups.iter().skip(first + 1).take(equal);
        let leads = self.groups.get(first).is_some_and(|group| group.len() <= 3);
        if leads && followers.all(|group| group.len() == 3) { equal } else { 0 }
    }

    fn number<'t>(
        &self,
        text: &'t str,
        first: usize,
        last: usize,
        has_fraction: bool,
    ) -> Option<Written<'t>> {
        let digits = |index: usize| self.groups.get(index).and_then(|group| text.get(group.clone()));
        let whole: String = (first..=last).filter_map(digits).collect();
        let fraction = if has_fraction { digits(last + 1)? } else { "" };
        let start = self.groups.get(first)?.start;
        let end = self.groups.get(last + usize::from(has_fraction))?.end;
        let lead = Lead::of(text, start);
        let (whole, fraction) = match lead {
            Lead::Point if !has_fraction && first == last => ("0".to_owned(), whole.as_str()),
            _ => (whole, fraction),
        };
        Some(Written {
            range: start - lead.len()..end,
            value: Decimal::new(matches!(lead, Lead::Sign(_)), whole, fraction),
            suffix: word_at(text, end),
            is_part: matches!(lead, Lead::Word),
        })
    }
}

/// What stands right before digits.
enum Lead {
    Nothing,
    /// A word that the digits end.
    Word,
    /// A sign of so many bytes.
    Sign(usize),
    /// The point of `.75`.
    Point,
}

impl Lead {
    fn of(text: &str, start: usize) -> Self {
        let mut before = text.get(..start).unwrap_or_default().chars().rev();
        let (neighbour, beyond) = (before.next(), before.next());
        let joins = |c: char| is_word(c) || matches!(c, '.' | '-' | '\u{2212}');
        match neighbour {
            Some(c) if is_word(c) => Self::Word,
            Some(sign @ ('-' | '\u{2212}')) if !beyond.is_some_and(joins) => Self::Sign(sign.len_utf8()),
            Some('.') if !beyond.is_some_and(joins) => Self::Point,
            Some(_) | None => Self::Nothing,
        }
    }

    fn len(&self) -> usize {
        match self {
            Self::Nothing | Self::Word => 0,
            Self::Sign(bytes) => *bytes,
            Self::Point => 1,
        }
    }
}

fn part<'t>(text: &'t str, group: &Range<usize>) -> Written<'t> {
    let whole = text.get(group.clone()).unwrap_or_default().to_owned();
    Written { range: group.clone(), value: Decimal::new(false, whole, ""), suffix: "", is_part: true }
}

fn digits(text: &str, start: usize) -> Range<usize> {
    let rest = text.get(start..).unwrap_or_default();
    start..start + rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len())
}

fn word_at(text: &str, start: usize) -> &str {
    let rest = text.get(start..).unwrap_or_default();
    rest.split(|c| !is_word(c)).next().unwrap_or_default()
}

fn is_separator(c: char) -> bool {
    matches!(c, '.' | ',' | '\'' | '\u{2019}' | '\u{a0}' | '\u{202f}')
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    fn numbers(text: &str) -> Vec<String> {
        let shown = |decimal: &Decimal| {
            let sign = if decimal.negative { "-" } else { "" };
            let point = if decimal.fraction.is_empty() { "" } else { "." };
            format!("{sign}{}{point}{}", decimal.whole, decimal.fraction)
        };
        written(text).iter().filter(|number| number.is_number()).map(|number| shown(&number.value)).collect()
    }

    #[test]
    fn numbers_are_read_as_they_are_meant() {
        for (text, expected) in [
            ("75", vec!["75"]),
            ("There are 75.", vec!["75"]),
            ("175 and 750", vec!["175", "750"]),
            ("7.5, 75.5, 75.50 and 75.0", vec!["7.5", "75.5", "75.5", "75"]),
            ("1,234 and 1,234,567.80", vec!["1234", "1234567.8"]),
            ("1'234, 1\u{202f}234 and 1\u{a0}234\u{a0}567", vec!["1234", "1234", "1234567"]),
            ("1,23 and 75,80", vec!["1", "23", "75", "80"]),
            ("12,345,6", vec!["12", "345", "6"]),
            ("7.5,8", vec!["7.5", "8"]),
            ("1,2.5", vec!["1", "2.5"]),
            ("-5, (-6), \u{2212}7, $-8", vec!["-5", "-6", "-7", "-8"]),
            ("INV-5, 3-4, - 6, --7", vec!["5", "3", "4", "6", "7"]),
            ("-0", vec!["0"]),
            (".75 and -.5", vec!["0.75", "5"]),
            ("…75 ...75 v.75", vec!["75", "75", "75"]),
            ("1.2.3 10.0.0.1 30.11.2026", vec![]),
            ("2026-11-30 at 12:45", vec!["2026", "11", "30", "12", "45"]),
            ("007", vec!["007"]),
            ("75kg 75_x x75 GPT4 75é", vec![]),
            ("75% $75 #75 75/100 (75)", vec!["75", "75", "75", "75", "100", "75"]),
            ("共75件", vec!["75"]),
            ("٧٥", vec![]),
            ("", vec![]),
        ] {
            assert_eq!(numbers(text), expected, "{text:?}");
        }
    }

    #[test]
    fn a_unit_without_a_gap_is_kept_apart() {
        let found = written("75kg");
        assert_eq!(
            (found[0].suffix, found[0].is_number(), found[0].is_number_with_suffix()),
            ("kg", false, true)
        );
    }

    #[test]
    fn values_of_json_numbers_compare_to_written_ones() {
        for (number, text) in [
            (json!(75), "75"),
            (json!(75.0), "75"),
            (json!(-7.5), "-7.50"),
            (json!(1e3), "1,000"),
            (json!(0.1), "0.1"),
            (json!(18_446_744_073_709_551_615_u64), "18446744073709551615"),
        ] {
            let number: Number = serde_json::from_value(number).unwrap();
            assert_eq!(Some(Decimal::of(&number)), Decimal::parse(text), "{text}");
        }
        assert_ne!(Decimal::parse("007"), Decimal::parse("7"));
        for text in ["75kg", "75 ", "1.2.3", "1,23", "x", "", "seventy"] {
            assert_eq!(Decimal::parse(text), None, "{text:?}");
        }
    }

    proptest! {
        #[test]
        fn every_digit_of_a_text_is_read_once_and_in_order(text in "[0-9a,.' \u{202f}é件-]{0,40}") {
            let mut end = 0;
            let mut read = 0;
            for number in written(&text) {
                prop_assert!(number.range.start >= end);
                end = number.range.end;
                read += text[number.range].bytes().filter(u8::is_ascii_digit).count();
            }
            prop_assert_eq!(read, text.bytes().filter(u8::is_ascii_digit).count());
        }

        #[test]
        fn an_integer_is_found_in_a_sentence_and_nothing_else_is(value in any::<i64>(), other in any::<i64>()) {
            let text = format!("It is {value}.");
            let found = written(&text).remove(0);
            prop_assert_eq!(found.value == Decimal::of(&Number::from(other)), value == other);
            prop_assert_eq!(found.value, Decimal::of(&Number::from(value)));
        }
    }
}
