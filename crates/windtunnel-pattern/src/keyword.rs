//! The reserved keys of the language.

use crate::value::Bound;

/// A key that begins with `$`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Keyword {
    Operator(Operator),
    Sentinel(Sentinel),
}

/// Asks something of one value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Operator {
    Eq,
    Re,
    Any,
    All,
    Not,
    Exists,
    Order(Bound),
}

/// An element of a sequence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sentinel {
    While,
    Until,
    Never,
    Times,
}

/// The keys of the operand of `$times`.
pub(crate) const TIMES_KEYS: [&str; 3] = ["of", "min", "max"];

impl Operator {
    pub(crate) const ALL: [Self; 10] = [
        Self::Eq,
        Self::Re,
        Self::Any,
        Self::All,
        Self::Not,
        Self::Exists,
        Self::Order(Bound::Above),
        Self::Order(Bound::AtLeast),
        Self::Order(Bound::Below),
        Self::Order(Bound::AtMost),
    ];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Eq => "$eq",
            Self::Re => "$re",
            Self::Any => "$any",
            Self::All => "$all",
            Self::Not => "$not",
            Self::Exists => "$exists",
            Self::Order(Bound::Above) => "$gt",
            Self::Order(Bound::AtLeast) => "$gte",
            Self::Order(Bound::Below) => "$lt",
            Self::Order(Bound::AtMost) => "$lte",
        }
    }
}

impl Sentinel {
    pub(crate) const ALL: [Self; 4] = [Self::While, Self::Until, Self::Never, Self::Times];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::While => "$while",
            Self::Until => "$until",
            Self::Never => "$never",
            Self::Times => "$times",
        }
    }
}

impl Keyword {
    pub(crate) fn all() -> impl Iterator<Item = Self> {
        let operators = Operator::ALL.into_iter().map(Self::Operator);
        operators.chain(Sentinel::ALL.into_iter().map(Self::Sentinel))
    }

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Operator(operator) => operator.name(),
            Self::Sentinel(sentinel) => sentinel.name(),
        }
    }

    pub(crate) fn parse(key: &str) -> Option<Self> {
        Self::all().find(|keyword| keyword.name() == key)
    }

    /// The name most like an unknown key, if any is like it.
    pub(crate) fn nearest(key: &str) -> Option<&'static str> {
        nearest(key, Self::all().map(Self::name))
    }
}

/// Whether no candidate's field can be meant by this key.
pub(crate) fn is_reserved(key: &str) -> bool {
    key.starts_with('$')
}

/// The name most like `key`, if any is like it.
pub(crate) fn nearest(key: &str, names: impl IntoIterator<Item = &'static str>) -> Option<&'static str> {
    // The `$` that all names share would make any two of them alike.
    let bare = |name: &str| name.trim_start_matches('$').to_lowercase();
    let key = bare(key);
    names
        .into_iter()
        .map(|name| (strsim::jaro_winkler(&key, &bare(name)), name))
        .filter(|(likeness, _)| *likeness >= 0.8)
        .max_by(|(left, _), (right, _)| left.total_cmp(right))
        .map(|(_, name)| name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_keyword_is_found_by_its_name() {
        for keyword in Keyword::all() {
            assert_eq!(Keyword::parse(keyword.name()), Some(keyword));
            assert!(is_reserved(keyword.name()));
        }
        assert_eq!(Keyword::parse("while"), None);
    }

    #[test]
    fn a_slip_suggests_the_key_that_was_meant() {
        for (slip, meant) in [
            ("$whlie", "$while"),
            ("$untill", "$until"),
            ("$regex", "$re"),
            ("$GTE", "$gte"),
            ("$exist", "$exists"),
            ("$time", "$times"),
            ("$nevr", "$never"),
        ] {
            assert_eq!(Keyword::nearest(slip), Some(meant), "{slip}");
        }
        assert_eq!(Keyword::nearest("$"), None);
        assert_eq!(Keyword::nearest("$contains"), None);
    }
}
