//! `post-phase-selection`: asks which phases are walked.

use async_trait::async_trait;
use serde::Deserialize;

use crate::artifact::prose::{InlineCode, spoken_lines};
use crate::graph::Graph;
use crate::hook::checklist::Checklist;
use crate::hook::{Effort, Hook, HookContext, HookError, Outcome};
use crate::transport::{Comment, is_marked, marked};

/// Posts the checklist, once.
///
/// If the comments cannot be listed nothing is posted: a second checklist would leave people to guess which one counts, and
/// without any the defaults can still be executed.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct PostPhaseSelection {
    keyword: Keyword,
}

/// What a comment has to say so that the selection is taken.
#[derive(Debug, Clone, Deserialize)]
#[serde(try_from = "String")]
pub(super) struct Keyword(Vec<String>);

impl Default for Keyword {
    fn default() -> Self {
        Self(["the-loop", "execute"].map(str::to_owned).to_vec())
    }
}

impl TryFrom<String> for Keyword {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        let words: Vec<String> = text.split_whitespace().map(str::to_lowercase).collect();
        if words.is_empty() {
            Err("expected a word or more, as in \"the-loop execute\"")
        } else {
            Ok(Self(words))
        }
    }
}

impl Keyword {
    pub(super) fn as_str(&self) -> String {
        self.0.join(" ")
    }

    /// Whether a comment says it: in one line, as whole words, outside of quotes and code.
    pub(super) fn is_said_in(&self, body: &str) -> bool {
        let keyword = self.as_str();
        spoken_lines(body, InlineCode::Dropped).iter().any(|line| {
            let words: Vec<&str> = line.split_whitespace().collect();
            contains_whole(&words.join(" ").to_lowercase(), &keyword)
        })
    }
}

/// Whether a text has this part, with no word going on before or after it.
fn contains_whole(text: &str, part: &str) -> bool {
    let in_word = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_');
    text.match_indices(part).any(|(at, _)| {
        let before = text.get(..at).and_then(|before| before.chars().next_back());
        let after = text.get(at + part.len()..).and_then(|after| after.chars().next());
        !before.is_some_and(in_word) && !after.is_some_and(in_word)
    })
}

/// The checklist that was posted last.
pub(super) fn posted_checklist(comments: &[Comment], graph: &Graph) -> Option<Checklist> {
    let marked = comments.iter().rev().filter(|comment| is_marked(&comment.body));
    marked.map(|comment| Checklist::read(&comment.body)).find(|checklist| checklist.is_about(graph))
}

#[async_trait]
impl Hook for PostPhaseSelection {
    fn effort(&self) -> Effort {
        Effort::BestEffort
    }

    async fn run(&self, context: &mut HookContext<'_>) -> Result<Outcome, HookError> {
        let reference = &context.item.reference;
        let listed = context
            .control
            .list_comments(reference)
            .await
            .map_err(|error| HookError(format!("{error}; the checklist was not posted")))?;
        if posted_checklist(&listed, context.graph).is_some() {
            return Ok(Outcome::Skip);
        }
        let body = format!(
            "Which phases does {} walk? Untick what is to be skipped, and tick what else is wanted; then answer with a \
             comment that says `{}`.\n\n{}",
            context.item.id,
            self.keyword.as_str(),
            Checklist::render(context.graph)
        );
        context
            .control
            .add_comment(reference, &marked(&body))
            .await
            .map_err(|error| HookError(error.to_string()))?;
        Ok(Outcome::pass())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_keyword_is_said_in_whole_words_outside_of_quotes_and_code() {
        let table = [
            ("the-loop execute", true),
            ("Please, The-Loop  EXECUTE.", true),
            ("**the-loop execute**", true),
            ("/the-loop execute now", true),
            ("- [ ] design\n\nthe-loop execute", true),
            ("> the-loop execute\n\nthe-loop execute", true),
            ("the-loop executes", false),
            ("the-loop execute-later", false),
            ("not-the-loop execute", false),
            ("the-loop\nexecute", false),
            ("`the-loop execute`", false),
            ("> the-loop execute", false),
            ("```\nthe-loop execute\n```", false),
            ("<!-- the-loop execute -->", false),
            ("execute the-loop", false),
            ("", false),
        ];
        for (body, expected) in table {
            assert_eq!(Keyword::default().is_said_in(body), expected, "{body:?}");
        }
    }
}
