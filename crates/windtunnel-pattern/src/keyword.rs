//! The reserved keys of the language.

/// A key that begins with `$`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Keyword {
    Eq,
    Re,
    Any,
    All,
    Not,
    Exists,
    Gt,
    Gte,
    Lt,
    Lte,
    While,
    Until,
    Never,
    Times,
}

/// The keys of the operand of `$times`.
pub(crate) const TIMES_KEYS: [&str; 3] = ["of", "min", "max"];

impl Keyword {
    pub(crate) const ALL: [Self; 14] = [
        Self::Eq,
        Self::Re,
        Self::Any,
        Self::All,
        Self::Not,
        Self::Exists,
        Self::Gt,
        Self::Gte,
        Self::Lt,
        Self::Lte,
        Self::While,
        Self::Until,
        Self::Never,
        Self::Times,
    ];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Eq => "$eq",
            Self::Re => "$re",
            Self::Any => "$any",
            Self::All => "$all",
            Self::Not => "$not",
            Self::Exists => "$exists",
            Self::Gt => "$gt",
            Self::Gte => "$gte",
            Self::Lt => "$lt",
            Self::Lte => "$lte",
            Self::While => "$while",
            Self::Until => "$until",
            Self::Never => "$never",
            Self::Times => "$times",
        }
    }

    pub(crate) fn parse(key: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|keyword| keyword.name() == key)
    }

    /// Whether it is an element of a sequence, rather than an operator on a value.
    pub(crate) fn is_sentinel(self) -> bool {
        matches!(self, Self::While | Self::Until | Self::Never | Self::Times)
    }

    /// The name most like an unknown key, if any is like it.
    pub(crate) fn nearest(key: &str) -> Option<&'static str> {
        nearest(key, Self::ALL.map(Self::name))
    }
}

pub(crate) fn is_reserved(key: &str) -> bool {
    key.starts_with('$')
}

/// The name most like `key`, if any is like it.
pub(crate) fn nearest<const N: usize>(key: &str, names: [&'static str; N]) -> Option<&'static str> {
    // The `$` that all names share would make any two of them alike.
    let bare = |name: &str| name.trim_start_matches('$').to_lowercase();
    let likeness = |name: &str| strsim::jaro_winkler(&bare(key), &bare(name));
    let like = names.map(|name| (likeness(name), name)).into_iter().filter(|(likeness, _)| *likeness >= 0.8);
    like.max_by(|(left, _), (right, _)| left.total_cmp(right)).map(|(_, name)| name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_keyword_is_found_by_its_name() {
        for keyword in Keyword::ALL {
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
        assert_eq!(Keyword::nearest("$where_clause"), None);
    }
}
