//! What a repository is called.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, de};
use thiserror::Error;

/// The longest name of an owner.
const LONGEST_OWNER: usize = 39;

/// The longest name of a repository, without its owner's.
const LONGEST_NAME: usize = 100;

/// A repository as GitHub names one: `<owner>/<repo>`.
///
/// A name that GitHub would not give is none: one with other characters, or one that leads elsewhere as a path.
///
/// ```
/// use windtunnel_process::item::RepoName;
///
/// let repo: RepoName = "wind/tunnel.rs".parse()?;
/// assert_eq!((repo.owner(), repo.name()), ("wind", "tunnel.rs"));
/// assert!("wind/..".parse::<RepoName>().is_err());
/// # Ok::<(), windtunnel_process::item::NoRepo>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct RepoName {
    owner: String,
    name: String,
}

/// A text that names no repository.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{0:?} is no repository; expected <owner>/<repo>")]
pub struct NoRepo(String);

impl RepoName {
    /// The repository of this owner.
    ///
    /// # Errors
    /// One of the two is no name.
    pub fn new(owner: &str, name: &str) -> Result<Self, NoRepo> {
        if is_owner(owner) && is_name(name) {
            Ok(Self { owner: owner.to_owned(), name: name.to_owned() })
        } else {
            Err(NoRepo(format!("{owner}/{name}")))
        }
    }

    /// Who owns it.
    pub fn owner(&self) -> &str {
        &self.owner
    }

    /// What it is called, without its owner.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Whether two names are of the same repository: GitHub compares them whatever their case.
    pub fn is(&self, other: &Self) -> bool {
        self.owner.eq_ignore_ascii_case(&other.owner) && self.name.eq_ignore_ascii_case(&other.name)
    }

    /// `<owner>/<repo>`, or the bare name of a repository of this owner.
    pub(crate) fn parse_within(owner: &str, text: &str) -> Result<Self, NoRepo> {
        if text.contains('/') { text.parse() } else { Self::new(owner, text) }
            .map_err(|_| NoRepo(text.to_owned()))
    }
}

impl FromStr for RepoName {
    type Err = NoRepo;

    fn from_str(text: &str) -> Result<Self, NoRepo> {
        let (owner, name) = text.split_once('/').ok_or_else(|| NoRepo(text.to_owned()))?;
        Self::new(owner, name)
    }
}

impl fmt::Display for RepoName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.owner, self.name)
    }
}

impl<'de> Deserialize<'de> for RepoName {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(de::Error::custom)
    }
}

/// Letters, digits and hyphens; accounts that an enterprise manages end in `_` and its short code. No two underscores follow each
/// other and none ends it, so that `<owner>__<repo>` can only be read in one way.
fn is_owner(owner: &str) -> bool {
    let plain = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '-' | '_');
    owner.len() <= LONGEST_OWNER
        && owner.starts_with(|letter: char| letter.is_ascii_alphanumeric())
        && owner.chars().all(plain)
        && !owner.contains("__")
        && !owner.ends_with('_')
}

fn is_name(name: &str) -> bool {
    let plain = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '-' | '_' | '.');
    !matches!(name, "" | "." | "..") && name.len() <= LONGEST_NAME && name.chars().all(plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_repository_has_an_owner_and_a_name() {
        for text in ["wind/tunnel.rs", "W1-nd/_", "octo_acme/a__b", "a/...", "wind-/.github"] {
            assert_eq!(text.parse::<RepoName>().unwrap().to_string(), text);
        }
    }

    #[test]
    fn what_github_names_nobody_is_no_repository() {
        let long = format!("{}/tunnel", "a".repeat(LONGEST_OWNER + 1));
        let longer = format!("wind/{}", "a".repeat(LONGEST_NAME + 1));
        for text in [
            "",
            "tunnel",
            "/tunnel",
            "wind/",
            "wind/tunnel/x",
            "wind/..",
            "wind/.",
            "../tunnel",
            "wi nd/tunnel",
            "wi.nd/tunnel",
            "-wind/tunnel",
            "wi__nd/tunnel",
            "wind_/tunnel",
            "wind/tun\r\nnel",
            "wind/x?y",
            "wind/höhe",
            &long,
            &longer,
        ] {
            let error = text.parse::<RepoName>().unwrap_err().to_string();
            assert_eq!(error, format!("{text:?} is no repository; expected <owner>/<repo>"));
        }
    }

    #[test]
    fn a_bare_name_is_of_the_same_owner() {
        let within = |text| RepoName::parse_within("wind", text);
        assert_eq!(within("other").unwrap().to_string(), "wind/other");
        assert_eq!(within("e2e/other").unwrap().to_string(), "e2e/other");
        for text in ["", "..", "a/b/c", "x y"] {
            assert_eq!(within(text), Err(NoRepo(text.to_owned())));
        }
    }

    #[test]
    fn names_are_compared_whatever_their_case() {
        let repo = |text: &str| text.parse::<RepoName>().unwrap();
        assert!(repo("Wind/Tunnel").is(&repo("wind/tunnel")));
        assert!(!repo("wind/tunnel").is(&repo("wind/tunnels")));
    }
}
