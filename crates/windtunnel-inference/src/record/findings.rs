//! What looks as if it should not be committed.

use std::sync::LazyLock;

use regex::Regex;

/// Letters and digits in a row that are no word any more.
const RANDOM_LOOKING: usize = 32;

/// Something in a text that looks as if it should not be committed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// Where it is: a line, from 1.
    pub line: usize,
    /// What it looks like. It says nothing of the value.
    pub what: &'static str,
}

static EMAIL: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"[A-Za-z0-9._%+-]+@[A-Za-z0-9-]+\.[A-Za-z]{2,}").ok());
static DIGITS: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"(?:^|[^.\w-])\+?\d(?:[ /-]?\d){8,}").ok());
static RANDOM: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"[A-Za-z0-9+/_-]+").ok());

/// Everything in a text that looks like a personal record or a secret, at most one of a kind per line.
///
/// ```
/// let found = windtunnel_inference::record::findings("to: ada@example.com\ncard: 4111 1111 1111 1111\n");
/// assert_eq!(found.iter().map(|finding| finding.what).collect::<Vec<_>>(), ["an e-mail address", "a long number"]);
/// ```
pub fn findings(text: &str) -> Vec<Finding> {
    let mut found = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let is_match = |shape: &Option<Regex>| shape.as_ref().is_some_and(|shape| shape.is_match(line));
        let random = || {
            let words = RANDOM.as_ref().map(|shape| shape.find_iter(line).map(|word| word.as_str()));
            words.is_some_and(|mut words| words.any(looks_random))
        };
        for (what, found_here) in [
            ("something was taken out", line.contains("***")),
            ("an e-mail address", is_match(&EMAIL)),
            ("a long number", is_match(&DIGITS)),
            ("a random-looking text, which may be a key", random()),
        ] {
            if found_here {
                found.push(Finding { line: index + 1, what });
            }
        }
    }
    found
}

/// Ids of calls and answers are random too, and say so.
fn looks_random(word: &str) -> bool {
    const IDS: [&str; 8] = ["call_", "toolu_", "chatcmpl-", "msg_", "resp_", "fc_", "rs_", "req_"];
    let has = |is: fn(&char) -> bool| word.chars().any(|c| is(&c));
    word.len() >= RANDOM_LOOKING
        && has(char::is_ascii_uppercase)
        && has(char::is_ascii_lowercase)
        && has(char::is_ascii_digit)
        && !IDS.iter().any(|id| word.starts_with(id))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_should_not_be_committed_is_found_with_its_line() {
        for (line, expected) in [
            ("write to ada.lovelace@mail.example.com", Some("an e-mail address")),
            ("IBAN 4242 4242 4242 4242", Some("a long number")),
            ("phone +43-660-1234567", Some("a long number")),
            ("\"phone\": \"0660/1234567\"", Some("a long number")),
            ("key a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6", Some("a random-looking text, which may be a key")),
            ("\"key\": \"***\"", Some("something was taken out")),
            ("\"ms\": 12.123456789012", None),
            ("order A-17 of 2026-11-30, 75 pieces", None),
            ("\"id\": \"call_a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6\"", None),
            ("see @ada at example", None),
            ("a/long/path/that/has/no/digits/in/it/at/all", None),
        ] {
            let found: Vec<_> = findings(&format!("\n{line}"))
                .into_iter()
                .map(|finding| (finding.line, finding.what))
                .collect();
            assert_eq!(found, expected.map(|what| (2, what)).into_iter().collect::<Vec<_>>(), "{line}");
        }
    }
}
