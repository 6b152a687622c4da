//! A work item, and where it is discussed.

use std::fmt;

use super::RepoName;

/// Where a work item is discussed: `github:<owner>/<repo>#<number>`.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ItemRef {
    /// The repository.
    pub repo: RepoName,
    /// The issue's number.
    pub number: u64,
}

impl fmt::Display for ItemRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "github:{}#{}", self.repo, self.number)
    }
}

/// A work item: its folder below the spec folder, and where it is discussed.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct WorkItem {
    /// The name of its folder, as in `issue-42`.
    pub id: String,
    /// Where it is discussed.
    pub reference: ItemRef,
}

impl WorkItem {
    /// The item of this id, discussed in a repository under the number that the id ends in.
    ///
    /// # Errors
    /// What is wrong with the id or the repository, as a sentence without a full stop.
    pub(crate) fn parse(id: &str, origin: Option<&RepoName>) -> Result<Self, String> {
        let number = number_of(id)?;
        let Some(repo) = origin.cloned() else {
            return Err("the config does not say where items are discussed (originRepo)".to_owned());
        };
        Ok(Self { id: id.to_owned(), reference: ItemRef { repo, number } })
    }
}

/// The longest name of an item's folder, in bytes.
const LONGEST_ID: usize = 100;

/// The number of the issue that an item of this id is discussed under.
pub(crate) fn number_of(id: &str) -> Result<u64, String> {
    check_id(id)?;
    let name = id.trim_end_matches(|letter: char| letter.is_ascii_digit());
    match id.strip_prefix(name).unwrap_or_default().parse() {
        Ok(number) if number > 0 => Ok(number),
        _ => Err("it must end in the number of an issue, as \"issue-42\" does".to_owned()),
    }
}

/// Whether an id is a plain name of a folder, on every system.
pub(crate) fn check_id(id: &str) -> Result<(), String> {
    let plain = |letter: char| letter.is_alphanumeric() || matches!(letter, '-' | '_' | '.');
    if id.len() > LONGEST_ID {
        return Err(format!("the name of a folder may have {LONGEST_ID} bytes at most"));
    }
    if id.is_empty() || id.starts_with('.') || id.ends_with('.') || !id.chars().all(plain) {
        return Err("the name of a folder was expected: letters, digits, -, _ and inner dots".to_owned());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn origin() -> RepoName {
        "e2e/e2e".parse().unwrap()
    }

    #[test]
    fn an_item_is_discussed_under_the_number_its_id_ends_in() {
        for (id, number) in [("issue-42", 42), ("42", 42), ("v2-issue-007", 7), ("höhe_3.1", 1)] {
            let item = WorkItem::parse(id, Some(&origin())).unwrap();
            assert_eq!(item.reference.to_string(), format!("github:e2e/e2e#{number}"), "{id}");
        }
    }

    #[test]
    fn what_is_no_plain_folder_name_is_no_item() {
        let long = format!("{}1", "a".repeat(LONGEST_ID));
        for id in ["", "..", ".issue-1", "a/1", "a\\1", "../1", "a b1", "a\u{0}1", "C:1", "issue-1.", &long] {
            assert!(WorkItem::parse(id, Some(&origin())).is_err(), "{id:?}");
        }
    }

    #[test]
    fn an_id_needs_a_number_that_an_issue_can_have() {
        for id in ["issue", "issue-0", "issue-99999999999999999999", "42-issue"] {
            let error = WorkItem::parse(id, Some(&origin())).unwrap_err();
            assert_eq!(error, "it must end in the number of an issue, as \"issue-42\" does", "{id}");
        }
    }

    #[test]
    fn an_item_is_discussed_somewhere() {
        let error = WorkItem::parse("issue-1", None).unwrap_err();
        assert_eq!(error, "the config does not say where items are discussed (originRepo)");
    }
}
