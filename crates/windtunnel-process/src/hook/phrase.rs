//! Words that somebody has to say.

use std::fmt;

use serde::Deserialize;

use crate::artifact::prose::{InlineCode, spoken_lines};

/// A word or more, compared whatever their case and the space between them.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub(super) struct Phrase(String);

/// What a comment has to say so that the selection of phases is taken.
#[derive(Debug, Clone, Deserialize)]
#[serde(transparent)]
pub(super) struct ExecuteKeyword(pub(super) Phrase);

impl Default for ExecuteKeyword {
    fn default() -> Self {
        Self(Phrase("the-loop execute".to_owned()))
    }
}

impl TryFrom<String> for Phrase {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        let words = folded(&text);
        if words.is_empty() { Err("expected a word or more") } else { Ok(Self(words)) }
    }
}

impl Phrase {
    /// Its words in lower case, with one space between two of them.
    pub(super) fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether a comment says it: in one line, as whole words, outside of quotes and code.
    pub(super) fn is_said_in(&self, body: &str) -> bool {
        let lines = spoken_lines(body, InlineCode::Dropped);
        lines.iter().any(|line| contains_whole(&folded(line), &self.0))
    }
}

impl fmt::Display for Phrase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Display for ExecuteKeyword {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

fn folded(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    words.join(" ").to_lowercase()
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
            assert_eq!(ExecuteKeyword::default().0.is_said_in(body), expected, "{body:?}");
        }
    }
}
