//! A work item, and where it is discussed.

use std::fmt;

/// Where a work item is discussed: `github:<owner>/<repo>#<number>`.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ItemRef {
    /// Who owns the repository.
    pub owner: String,
    /// The repository.
    pub repo: String,
    /// The issue's number.
    pub number: u64,
}

impl fmt::Display for ItemRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "github:{}/{}#{}", self.owner, self.repo, self.number)
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
    pub(crate) fn parse(id: &str, origin: Option<&str>) -> Result<Self, String> {
        check_id(id)?;
        let digits = id.len() - id.trim_end_matches(|letter: char| letter.is_ascii_digit()).len();
        let number = match id[id.len() - digits..].parse() {
            Ok(number) if number > 0 => number,
            _ => return Err("it must end in the number of an issue, as \"issue-42\" does".to_owned()),
        };
        let Some(origin) = origin else {
            return Err("the config does not say where items are discussed (originRepo)".to_owned());
        };
        let (owner, repo) = origin_parts(origin)?;
        let reference = ItemRef { owner: owner.to_owned(), repo: repo.to_owned(), number };
        Ok(Self { id: id.to_owned(), reference })
    }
}

/// The longest name of an item's folder, in bytes.
const LONGEST_ID: usize = 100;

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

/// Owner and name of a repository that is written as `<owner>/<repo>`.
pub(crate) fn origin_parts(origin: &str) -> Result<(&str, &str), String> {
    let plain = |part: &str| {
        !part.is_empty()
            && part != "."
            && part != ".."
            && part.chars().all(|letter| letter.is_ascii_alphanumeric() || matches!(letter, '-' | '_' | '.'))
    };
    match origin.split_once('/') {
        Some((owner, repo)) if plain(owner) && plain(repo) => Ok((owner, repo)),
        _ => Err(format!("{origin:?} is no repository; expected <owner>/<repo>")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_item_is_discussed_under_the_number_its_id_ends_in() {
        for (id, number) in [("issue-42", 42), ("42", 42), ("v2-issue-007", 7), ("höhe_3.1", 1)] {
            let item = WorkItem::parse(id, Some("e2e/e2e")).unwrap();
            assert_eq!(item.reference.to_string(), format!("github:e2e/e2e#{number}"), "{id}");
        }
    }

    #[test]
    fn what_is_no_plain_folder_name_is_no_item() {
        let long = format!("{}1", "a".repeat(LONGEST_ID));
        for id in ["", "..", ".issue-1", "a/1", "a\\1", "../1", "a b1", "a\u{0}1", "C:1", "issue-1.", &long] {
            assert!(WorkItem::parse(id, Some("e2e/e2e")).is_err(), "{id:?}");
        }
    }

    #[test]
    fn an_id_needs_a_number_that_an_issue_can_have() {
        for id in ["issue", "issue-0", "issue-99999999999999999999", "42-issue"] {
            let error = WorkItem::parse(id, Some("e2e/e2e")).unwrap_err();
            assert_eq!(error, "it must end in the number of an issue, as \"issue-42\" does", "{id}");
        }
    }

    #[test]
    fn a_repository_has_an_owner_and_a_name() {
        assert_eq!(origin_parts("wind/tunnel.rs"), Ok(("wind", "tunnel.rs")));
        for origin in ["", "tunnel", "/tunnel", "wind/", "wind/tunnel/x", "wind/..", "wi nd/tunnel"] {
            assert!(origin_parts(origin).is_err(), "{origin:?}");
        }
        let error = WorkItem::parse("issue-1", None).unwrap_err();
        assert_eq!(error, "the config does not say where items are discussed (originRepo)");
    }
}
