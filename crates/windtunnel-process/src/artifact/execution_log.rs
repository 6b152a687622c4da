//! The execution log: what was done to an item, in the order it was done.

use jiff::civil::Date;

/// Its file in the item's folder.
pub(crate) const EXECUTION_LOG: &str = "execution-log.md";

/// What stands between the day and the node of an entry.
const ENTRY: &str = " — entry ";

/// The title of the section that says that a node was entered.
pub(crate) fn entry(date: &str, node: &str) -> String {
    format!("{date}{ENTRY}{node}")
}

/// The node that a section of this title says was entered, on a day that there is: `2026-01-31 — entry design`.
pub(crate) fn entered(title: &str) -> Option<&str> {
    let (date, node) = title.split_once(ENTRY)?;
    let is_day = date.parse::<Date>().is_ok_and(|day| day.to_string() == date);
    is_day.then(|| node.trim())
}

/// Whether a line is an entry of the process, be it no heading where it stands: what the process writes is nobody's content.
pub(crate) fn is_checkpoint(line: &str) -> bool {
    let is_date = |date: &str| date.chars().all(|c| c.is_ascii_digit() || c == '-');
    let entry = line.trim().strip_prefix("### ").and_then(|title| title.split_once(ENTRY));
    entry.is_some_and(|(date, node)| is_date(date) && !node.contains(char::is_whitespace))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_tells_its_node() {
        assert_eq!(entered(&entry("2026-01-31", "design")), Some("design"));
        for title in
            ["Review cycles", "forged — entry design", "2026-02-30 — entry design", "20260131 — entry design"]
        {
            assert_eq!(entered(title), None, "{title}");
        }
    }

    #[test]
    fn only_an_entry_of_the_process_is_one() {
        assert!(is_checkpoint(&format!("### {}", entry("2026-01-31", "design"))));
        for line in
            ["", "### 2026-01-31 — entry design, and more", "### Round 1", "2026-01-31 — entry design"]
        {
            assert!(!is_checkpoint(line), "{line:?}");
        }
    }
}
