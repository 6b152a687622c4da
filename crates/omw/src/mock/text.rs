//! What is left of a script, in the short form of messages.

use serde_json::Value;
use windtunnel_pattern::excerpt;

use super::build::Cue;

/// Entries that are named; of the others there is a count.
const NAMED: usize = 20;

/// Characters of a text that are shown.
const SHOWN: usize = 60;

/// The text in quotes, cut if it is long.
pub(super) fn quoted(text: &str) -> String {
    excerpt(&Value::from(text), SHOWN)
}

/// One line for each entry, and one for those beyond the limit.
pub(super) fn named(lines: impl IntoIterator<Item = String>) -> Vec<String> {
    let mut lines = lines.into_iter();
    let mut named: Vec<_> = lines.by_ref().take(NAMED).collect();
    let more = lines.count();
    if more > 0 {
        named.push(format!("… and {more} more"));
    }
    named
}

impl Cue {
    /// The line, and what it waits for unless that has happened.
    pub(super) fn mark(&self, line: String) -> String {
        match &self.event {
            Some(event) if !self.gate.is_open() => format!("{line} (waits for {event})"),
            _ => line,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_entries_are_counted() {
        let lines = named((0..23).map(|number| number.to_string()));
        assert_eq!(lines.len(), 21);
        assert_eq!(lines.last().unwrap(), "… and 3 more");
        assert_eq!(named(["one".to_owned()]), ["one"]);
    }

    #[test]
    fn long_texts_are_cut() {
        assert_eq!(quoted("short"), "\"short\"");
        assert!(quoted(&"long".repeat(100)).chars().count() <= SHOWN + 1);
    }
}
