//! What a person says of a node's work.

use super::statement::{after, is_courtesy};
use crate::artifact::prose::{View, paragraphs};
use crate::artifact::words::folded;

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

/// Beside an approval these take it back, or make it depend on something.
const RESERVATIONS: [&str; 9] = ["not", "no", "never", "wait", "hold", "unless", "until", "if", "but"];

/// In the remarks of an approval these are no remarks.
const CONTRADICTIONS: [&str; 4] =
    ["not approved", "changes requested", "changes-requested", "request changes"];

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
    /// | paragraph                              | beside nothing yet, or `approved` | beside `approved with comments` | beside `changes requested` |
    /// |----------------------------------------|-----------------------------------|---------------------------------|----------------------------|
    /// | names a kind, and says no more of it   | that kind; undecided if another   | the same                        | the same                   |
    /// | names a kind, and goes on              | undecided                         | undecided                       | undecided                  |
    /// | anything else                          | undecided with a reservation      | undecided with a contradiction  | a remark                   |
    ///
    /// Nothing is read of quotes, code, boxes, tables, HTML and what is struck out.
    pub fn of_comment(body: &str) -> Option<Self> {
        let mut decided = None;
        for paragraph in paragraphs(body, View::Said) {
            let text = paragraph.text.to_lowercase();
            match of_paragraph(&text) {
                Said::Kind(kind) if decided.is_some_and(|decided| decided != kind) => return None,
                Said::Kind(kind) => decided = Some(kind),
                Said::Unclear => return None,
                Said::Remark => {
                    let undecided = match decided {
                        None | Some(Self::Approved) => has_reservation(&text),
                        Some(Self::ApprovedWithComments) => contradicts(&text),
                        Some(Self::ChangesRequested) => false,
                    };
                    if undecided {
                        return None;
                    }
                }
            }
        }
        decided
    }
}

/// What a paragraph says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Said {
    Kind(FeedbackKind),
    /// A kind is named, and then something is said that may take it back.
    Unclear,
    Remark,
}

fn of_paragraph(text: &str) -> Said {
    let Some((kind, rest)) = named(text) else { return Said::Remark };
    let clear = match kind {
        FeedbackKind::Approved => is_courtesy(rest),
        FeedbackKind::ApprovedWithComments => introduces(kind, rest) && !contradicts(rest),
        FeedbackKind::ChangesRequested => introduces(kind, rest),
    };
    if clear { Said::Kind(kind) } else { Said::Unclear }
}

/// The kind that a text begins with, and what follows it.
fn named(text: &str) -> Option<(FeedbackKind, &str)> {
    let text = text.trim_start();
    let text = text.strip_prefix('/').unwrap_or(text);
    NAMES.iter().find_map(|(name, kind)| after(text, name).map(|rest| (*kind, rest)))
}

/// Whether what follows a kind is nothing, or set off from it as remarks are; and no line of it names another kind.
fn introduces(kind: FeedbackKind, rest: &str) -> bool {
    let line = rest.trim_start_matches([' ', '\t']);
    let is_set_off = line.is_empty()
        || line.starts_with(['\n', '—', '–'])
        || rest.starts_with([':', '.', '!'])
        || (line.len() < rest.len() && line.starts_with("- "));
    is_set_off && rest.lines().filter_map(named).all(|(other, _)| other == kind)
}

fn has_reservation(text: &str) -> bool {
    let is_of_word = |c: char| c.is_alphanumeric() || matches!(c, '\'' | '’' | '_');
    text.split(|c| !is_of_word(c))
        .any(|word| RESERVATIONS.contains(&word) || word.ends_with("n't") || word.ends_with("n’t"))
}

fn contradicts(text: &str) -> bool {
    let text = folded(text);
    CONTRADICTIONS.iter().any(|contradiction| text.contains(contradiction))
}

#[cfg(test)]
mod tests {
    use super::*;

    const APPROVED: Option<FeedbackKind> = Some(FeedbackKind::Approved);
    const WITH_COMMENTS: Option<FeedbackKind> = Some(FeedbackKind::ApprovedWithComments);
    const CHANGES: Option<FeedbackKind> = Some(FeedbackKind::ChangesRequested);

    #[test]
    fn a_comment_decides() {
        let table = [
            ("approved", APPROVED),
            ("Approved.", APPROVED),
            ("Approved!", APPROVED),
            ("  APPROVED. 🎉", APPROVED),
            ("**approved** 👍", APPROVED),
            ("approved 👍🏽 ❤️", APPROVED),
            ("approved, thanks!", APPROVED),
            ("approved +1", APPROVED),
            ("Approved, ship it", APPROVED),
            ("**Approved** — ship it", APPROVED),
            ("/approved", APPROVED),
            ("- approved", APPROVED),
            ("1. approved", APPROVED),
            ("approved — looks good to me", APPROVED),
            ("## Approved; thank you @writer, great work", APPROVED),
            ("I read all of it.\n\napproved\n\nThank you.", APPROVED),
            ("approved\n\nNice work on the tests.", APPROVED),
            ("approved\nthanks", APPROVED),
            ("approved\r\n", APPROVED),
            ("approved\n\napproved", APPROVED),
            ("> changes requested\n\napproved", APPROVED),
            ("```\nchanges requested\n```\napproved", APPROVED),
            ("Approved <!-- if -->", APPROVED),
            ("approved\n\n<details>\n\nlog\n\n</details>", APPROVED),
            ("approved with comments", WITH_COMMENTS),
            ("approved with comments: rename x", WITH_COMMENTS),
            ("approved with comments - rename x, but not y", WITH_COMMENTS),
            ("approved-with-comments: rename it, if you like?", WITH_COMMENTS),
            ("Approved  With   Comments\n- one", WITH_COMMENTS),
            ("approved with comments\nrename x\n\nDo not forget y.", WITH_COMMENTS),
            ("changes requested", CHANGES),
            ("changes-requested", CHANGES),
            ("Changes-Requested: what if it fails?", CHANGES),
            ("changes requested: the design lacks x", CHANGES),
            ("request changes", CHANGES),
            ("Request changes\n\n- a\n- b", CHANGES),
            ("* changes requested — but nearly there", CHANGES),
            ("changes requested\nThis is not approved before that is done.", CHANGES),
        ];
        for (body, expected) in table {
            assert_eq!(FeedbackKind::of_comment(body), expected, "{body:?}");
        }
    }
    #[test]
    fn a_comment_leaves_it_undecided() {
        for body in [
            "",
            "not approved",
            "This is not\napproved",
            "I approved it",
            "unapproved",
            "approve",
            "approved-ish",
            "approvedly",
            "approved?",
            "approved\n?",
            "approved ⁇",
            "approved, right?",
            "approved？",
            "approved 👎",
            "approved if the tests pass",
            "approved\nif the tests pass",
            "approved once CI is green",
            "approved as soon as CI is green",
            "approved subject to legal",
            "approved conditionally",
            "approved apart from x",
            "approved never",
            "approved: no",
            "approved, no wait",
            "approved/rejected",
            "approved=false",
            "Approved with reservations",
            "approved with minor comments",
            "Approved, BUT rename it",
            "approved except for the diagram",
            "approved until tomorrow",
            "approved — isn’t it",
            "approved, notwithstanding the length",
            "approved ~~if~~",
            "approved `unless`",
            "approved ![no](no.png)",
            "approved or changes requested",
            "approved\napproved if the tests pass",
            "approved\nnot approved",
            "approved\n\nActually, no.",
            "approved\n\nThis isn't done.",
            "I can't say no more.\n\napproved",
            "approved\n\nchanges requested",
            "approved\n\napproved subject to legal",
            "approved\n\napproved with comments",
            "approved\n- not before Monday",
            "approved with comments, but not until x",
            "approved with comments?",
            "approved with comments: not\napproved",
            "approved with comments: changes requested",
            "approved with comments\n\nThat is, not approved.",
            "changes requested?",
            "changes requested are done",
            "changes requested\napproved",
            "- [ ] approved\n- [ ] changes requested",
            "- [x] approved",
            "`approved`",
            "> approved",
            "> is it\napproved",
            "- > quote\n  approved",
            "1. > approved",
            "```\napproved\n```",
            "    approved",
            "<!-- approved -->",
            "<del>approved</del>",
            "<del>\n\napproved\n\n</del>",
            "~~approved~~",
            "~~hold on\napproved~~",
            "[a]: https://x '\napproved\n'",
            "[a](https://x 'approved')",
            "| approved |\n|---|",
            "\"approved\" is what you would say",
            "looks good to me",
        ] {
            assert_eq!(FeedbackKind::of_comment(body), None, "{body:?}");
        }
    }
}
