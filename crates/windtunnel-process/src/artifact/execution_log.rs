//! The execution log: what was done to an item, in the order it was done.

/// Its file in the item's folder.
pub(crate) const EXECUTION_LOG: &str = "execution-log.md";

/// What stands between the day and the node of an entry.
const ENTRY: &str = " — entry ";

/// The title of the section that says that a node was entered.
pub(crate) fn entry(date: &str, node: &str) -> String {
    format!("{date}{ENTRY}{node}")
}

/// The node that a section of this title says was entered.
pub(crate) fn entered(title: &str) -> Option<&str> {
    title.split_once(ENTRY).map(|(_, node)| node.trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_tells_its_node() {
        assert_eq!(entered(&entry("2026-01-31", "design")), Some("design"));
        assert_eq!(entered("Review cycles"), None);
    }
}
