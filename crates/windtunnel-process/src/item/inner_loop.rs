//! Where the inner loops of an item are kept: one per pull request, each in a folder of its own below the item's.
//!
//! `pr-loops/pr-<n>` is a pull request of the origin repository, `pr-loops/<owner>__<repo>/pr-<n>` one of another.

use super::RepoName;

/// The folder of the loops, in the item's.
pub(crate) const LOOPS: &str = "pr-loops";

/// What stands between an owner and a repository.
const SCOPE: &str = "__";

/// The name of a loop: of its folder, and of the item that walks there.
pub(crate) fn name(pr: u64) -> String {
    format!("pr-{pr}")
}

/// Whether this is the name of a loop.
pub(crate) fn is_name(folder: &str) -> bool {
    folder.strip_prefix("pr-").and_then(|number| number.parse().ok()).is_some_and(|pr| name(pr) == folder)
}

/// The name of the folder that has the loops of a repository which is not the origin.
pub(crate) fn scope(repo: &RepoName) -> String {
    format!("{}{SCOPE}{}", repo.owner(), repo.name())
}

/// The repository whose loops are in a folder of this name.
pub(crate) fn repo_of(scope: &str) -> Option<RepoName> {
    let (owner, name) = scope.split_once(SCOPE)?;
    RepoName::new(owner, name).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_folder_of_a_repository_tells_which_one_it_is() {
        for repo in ["e2e/other", "octo_acme/a__b", "wind/_", "wind/__"] {
            let repo: RepoName = repo.parse().unwrap();
            assert_eq!(repo_of(&scope(&repo)), Some(repo));
        }
        for folder in ["pr-1", "other", "__other", "e2e__", "e2e__.."] {
            assert_eq!(repo_of(folder), None, "{folder}");
        }
    }

    #[test]
    fn a_loop_is_named_for_the_number_of_its_pull_request() {
        assert!(is_name(&name(7)));
        for folder in ["pr-", "pr-x", "pr-7.bak", "pr-07", "pr-+7", "7"] {
            assert!(!is_name(folder), "{folder}");
        }
    }
}
