//! The rows of a checklist.

use crate::artifact::TaskBox;

/// A row of a checklist.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Row {
    /// What its first word is: a node or a set of nodes, if it is a row of ours.
    pub(super) name: String,
    pub(super) ticked: bool,
}

impl Row {
    /// Reads a box; none if nothing stands behind it.
    pub(super) fn read(task: &TaskBox) -> Option<Self> {
        let rest = task.text.trim_start_matches(|c: char| c.is_whitespace() || matches!(c, '`' | '*' | '_'));
        let end = |c: char| c.is_whitespace() || matches!(c, '`' | '*' | ':' | ',' | ';' | '(' | '—' | '–');
        let name = rest.split(end).next().unwrap_or_default().trim_end_matches(['_', '.']);
        (!name.is_empty()).then(|| Self { name: name.to_owned(), ticked: task.ticked })
    }

    /// The row as a line.
    pub(super) fn line(&self, note: &str) -> String {
        let mark = if self.ticked { 'x' } else { ' ' };
        let dash = if note.is_empty() { "" } else { " — " };
        format!("- [{mark}] `{}`{dash}{note}\n", self.name)
    }
}

#[cfg(test)]
mod tests {
    use super::super::Checklist;

    #[test]
    fn rows_are_read_as_people_write_them() {
        let table = [
            ("- [x] design", Some(("design", true))),
            ("- [ ] `design` — the design", Some(("design", false))),
            ("* [X] **design**: yes", Some(("design", true))),
            ("+ [ ] design, please not", Some(("design", false))),
            ("  - [ ] **`spec-chain`** — brainstorming … tasks-breakdown", Some(("spec-chain", false))),
            ("- [ ] __design__.", Some(("design", false))),
            ("1. [x] design", Some(("design", true))),
            ("- [x]design", None),
            ("-[ ]design", None),
            ("-[ ] design", None),
            ("- [x] design\r", Some(("design", true))),
            ("- [y] design", None),
            ("- [] design", None),
            ("- [ ]", None),
            ("- [ ] `", None),
            ("- design", None),
            ("[ ] design", None),
            ("> - [ ] design", None),
            ("1. > - [ ] design", None),
            ("<pre>\n- [ ] design\n</pre>", None),
            ("", None),
        ];
        for (line, expected) in table {
            let read = Checklist::read(line).rows.pop().map(|row| (row.name, row.ticked));
            assert_eq!(read.as_ref().map(|(name, ticked)| (name.as_str(), *ticked)), expected, "{line:?}");
        }
    }
}
