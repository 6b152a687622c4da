//! What a person says of a node's work.

use crate::artifact::prose::{InlineCode, spoken_lines};

/// What a person says of a node's work.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum FeedbackKind {
    /// It is good.
    Approved,
    /// It is good, and something is to be said about it.
    ApprovedWithComments,
    /// It is to be done again.
    ChangesRequested,
}

/// What names a kind. A longer name stands before one that it begins with.
const NAMES: [(&str, FeedbackKind); 6] = [
    ("approved with comments", FeedbackKind::ApprovedWithComments),
    ("approved-with-comments", FeedbackKind::ApprovedWithComments),
    ("approved", FeedbackKind::Approved),
    ("changes requested", FeedbackKind::ChangesRequested),
    ("changes-requested", FeedbackKind::ChangesRequested),
    ("request changes", FeedbackKind::ChangesRequested),
];

/// After `approved` these take it back, or make it depend on something.
const RESERVATIONS: [&str; 14] = [
    "if", "once", "when", "but", "except", "unless", "pending", "after", "until", "provided", "assuming",
    "although", "however", "not",
];

impl FeedbackKind {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Approved, Self::ApprovedWithComments, Self::ChangesRequested];

    /// Its name, which is also the outcome that edges are on.
    pub fn name(self) -> &'static str {
        match self {
            Self::Approved => "approved",
            Self::ApprovedWithComments => "approved-with-comments",
            Self::ChangesRequested => "changes-requested",
        }
    }

    /// What a comment says, if it is decisive.
    ///
    /// It is if exactly one kind is named at the beginning of one of its lines, or of several. Nothing is read of quotes,
    /// code, and boxes that are not ticked. An approval with a reservation is none, and takes back a plain one beside it.
    pub fn of_comment(body: &str) -> Option<Self> {
        let lines = spoken_lines(body, InlineCode::Kept);
        let said: Vec<Said> = lines.iter().filter_map(|line| of_line(line)).collect();
        let mut kinds = said.iter().filter_map(|said| match said {
            Said::Plainly(kind) => Some(*kind),
            Said::WithReservation => None,
        });
        let first = kinds.next()?;
        let agree = kinds.all(|kind| kind == first);
        let taken_back = first == Self::Approved && said.contains(&Said::WithReservation);
        (agree && !taken_back).then_some(first)
    }
}

/// What a line says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Said {
    Plainly(FeedbackKind),
    /// A kind is named, and then questioned.
    WithReservation,
}

fn of_line(line: &str) -> Option<Said> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let line = words.join(" ").to_lowercase();
    let line = undecorated(&line)?;
    let (rest, kind) = NAMES.iter().find_map(|(name, kind)| {
        let rest = line.strip_prefix(name)?;
        let ends = !rest.starts_with(|c: char| c.is_alphanumeric() || matches!(c, '-' | '_'));
        ends.then_some((rest, *kind))
    })?;
    let questioned = match kind {
        FeedbackKind::Approved => rest.contains(is_question) || has_reservation(rest) || names_a_kind(rest),
        FeedbackKind::ApprovedWithComments | FeedbackKind::ChangesRequested => {
            rest.trim_start_matches(is_decoration).starts_with(is_question)
        }
    };
    Some(if questioned { Said::WithReservation } else { Said::Plainly(kind) })
}

/// A line without the Markdown before its first word; none if that is a box that is not ticked.
fn undecorated(line: &str) -> Option<&str> {
    let numbered = line.trim_start_matches(|c: char| c.is_ascii_digit());
    let line = if numbered.starts_with(['.', ')']) && numbered != line { numbered.get(1..)? } else { line };
    let line = line.trim_start_matches(is_decoration);
    if line.starts_with("[ ]") {
        return None;
    }
    let line = line.strip_prefix("[x]").unwrap_or(line).trim_start_matches(is_decoration);
    Some(line.strip_prefix('/').unwrap_or(line))
}

/// Headings, lists, emphasis, code.
fn is_decoration(c: char) -> bool {
    c.is_whitespace() || matches!(c, '#' | '*' | '_' | '-' | '+' | '`')
}

fn is_question(c: char) -> bool {
    matches!(c, '?' | '？')
}

fn has_reservation(rest: &str) -> bool {
    let is_word = |c: char| c.is_alphanumeric() || matches!(c, '\'' | '’' | '_');
    rest.split(|c| !is_word(c))
        .any(|word| RESERVATIONS.contains(&word) || word.ends_with("n't") || word.ends_with("n’t"))
}

fn names_a_kind(rest: &str) -> bool {
    NAMES.iter().any(|(name, _)| rest.contains(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    const APPROVED: Option<FeedbackKind> = Some(FeedbackKind::Approved);
    const WITH_COMMENTS: Option<FeedbackKind> = Some(FeedbackKind::ApprovedWithComments);
    const CHANGES: Option<FeedbackKind> = Some(FeedbackKind::ChangesRequested);

    #[test]
    fn a_comment_decides_or_does_not() {
        let table = [
            ("approved", APPROVED),
            ("Approved!", APPROVED),
            ("  APPROVED. 🎉", APPROVED),
            ("**Approved** — ship it", APPROVED),
            ("`approved`", APPROVED),
            ("/approved", APPROVED),
            ("- [x] approved", APPROVED),
            ("## Approved, thanks to everybody", APPROVED),
            ("I read all of it.\n\napproved\n\nThank you.", APPROVED),
            ("approved\r\n", APPROVED),
            ("approved\napproved", APPROVED),
            ("> changes requested\n\napproved", APPROVED),
            ("> is it\napproved", APPROVED),
            ("```\nchanges requested\n```\napproved", APPROVED),
            ("Approved <!-- if -->", APPROVED),
            ("approved, notwithstanding the length", APPROVED),
            ("approved with minor comments", APPROVED),
            ("approved with comments", WITH_COMMENTS),
            ("approved-with-comments: rename it, if you like?", WITH_COMMENTS),
            ("Approved  With   Comments\n- one", WITH_COMMENTS),
            ("changes requested", CHANGES),
            ("Changes-Requested: what if it fails?", CHANGES),
            ("request changes", CHANGES),
            ("* changes requested, but nearly there", CHANGES),
            ("changes requested\napproved once that is done", CHANGES),
            // Indecisive.
            ("", None),
            ("not approved", None),
            ("I approved it", None),
            ("unapproved", None),
            ("approve", None),
            ("approved-ish", None),
            ("approvedly", None),
            ("approved?", None),
            ("approved, right?", None),
            ("approved？", None),
            ("approved if the tests pass", None),
            ("approved once CI is green", None),
            ("approved when merged", None),
            ("Approved, BUT rename it", None),
            ("approved except for the diagram", None),
            ("approved unless somebody objects", None),
            ("approved pending review", None),
            ("approved after lunch", None),
            ("approved until tomorrow", None),
            ("approved — isn’t it", None),
            ("approved or changes requested", None),
            ("approved\napproved if the tests pass", None),
            ("approved\n\nchanges requested", None),
            ("approved\napproved with comments", None),
            ("changes requested?", None),
            ("- [ ] approved\n- [ ] changes requested", None),
            ("> approved", None),
            ("```\napproved\n```", None),
            ("    approved", None),
            ("<!-- approved -->", None),
            ("~~approved~~", None),
            ("\"approved\" is what you would say", None),
            ("looks good to me", None),
        ];
        for (body, expected) in table {
            assert_eq!(FeedbackKind::of_comment(body), expected, "{body:?}");
        }
    }
}
