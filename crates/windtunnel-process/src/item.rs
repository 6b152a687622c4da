//! A work item, and where it is discussed.

use std::fmt;

/// Where a work item is discussed: `github:<owner>/<repo>#<number>`.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ItemRef {
    /// Who owns the repository.
    pub owner: String,
    /// The repository.
    pub repo: String,
    /// The number.
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
