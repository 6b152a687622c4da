//! What was found out about an endpoint.

use serde::Serialize;

/// What an endpoint keeps of the contract.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Conformance {
    /// The endpoint's address, without what may be secret.
    pub url: String,
    /// One finding per rule; only the first ones where the endpoint does not answer at all.
    pub rules: Vec<Finding>,
}

impl Conformance {
    /// How many rules stand so.
    pub fn count(&self, standing: Standing) -> usize {
        self.rules.iter().filter(|finding| finding.standing == standing).count()
    }
}

/// How an endpoint stands to one rule.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// The rule's name.
    pub rule: &'static str,
    /// What it demands.
    pub demands: &'static str,
    /// Whether it is kept.
    pub standing: Standing,
    /// What was seen, or why nothing was.
    pub seen: String,
}

/// Whether a rule is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Standing {
    /// It is, as far as could be seen.
    Kept,
    /// It is not.
    Broken,
    /// It could not be seen.
    NotChecked,
}

/// A rule beyond those for every single answer.
#[derive(Debug, Clone, Copy)]
pub(super) struct Rule {
    pub(super) name: &'static str,
    pub(super) demands: &'static str,
}

impl Rule {
    pub(super) fn kept(self, seen: impl Into<String>) -> Finding {
        self.found(Standing::Kept, seen)
    }

    pub(super) fn broken(self, seen: impl Into<String>) -> Finding {
        self.found(Standing::Broken, seen)
    }

    pub(super) fn not_checked(self, why: impl Into<String>) -> Finding {
        self.found(Standing::NotChecked, why)
    }

    fn found(self, standing: Standing, seen: impl Into<String>) -> Finding {
        Finding { rule: self.name, demands: self.demands, standing, seen: seen.into() }
    }
}
