//! Words that somebody has to say.

use std::fmt;

use serde::Deserialize;

use super::statement::{after, is_courtesy, without_courtesy};
use crate::artifact::prose::{View, paragraphs};
use crate::artifact::words::folded;

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

    /// Whether a comment says it: in a paragraph that has nothing else but courtesy in it, and perhaps a `/` before it.
    pub(super) fn is_said_in(&self, body: &str) -> bool {
        let said = paragraphs(body, View::Said);
        said.iter().any(|paragraph| self.is_all_of(&paragraph.text.to_lowercase()))
    }

    fn is_all_of(&self, paragraph: &str) -> bool {
        let says = |text: &str| after(text, &self.0).is_some_and(is_courtesy);
        let mut rest = paragraph;
        loop {
            // Its own words may be courtesy as well.
            if says(rest) || rest.strip_prefix('/').is_some_and(says) {
                return true;
            }
            let Some(shorter) = without_courtesy(rest) else { return false };
            rest = shorter;
        }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_keyword_is_said_in_a_paragraph_of_its_own() {
        let table = [
            ("the-loop execute", true),
            ("The-Loop  EXECUTE.", true),
            ("the-loop\nexecute", true),
            ("**the-loop execute**", true),
            ("/the-loop execute, please 🚀", true),
            ("@bot the-loop execute", true),
            ("@bot, @other: /the-loop execute", true),
            ("- [ ] design\n\nthe-loop execute", true),
            ("the-loop execute\n- [ ] design", true),
            ("Fine with me.\n\nthe-loop execute\n\nThank you.", true),
            ("> the-loop execute\n\nthe-loop execute", true),
            ("Please, the-loop execute", true),
            ("OK. @bot, please the-loop execute", true),
            ("the-loop: execute", false),
            ("the-loop execute?", false),
            ("the-loop execute ?", false),
            ("the-loop execute if the build is green", false),
            ("Do not the-loop execute yet", false),
            ("Do not\nthe-loop execute", false),
            ("the-loop execute\nbut not yet", false),
            ("the-loop executes", false),
            ("the-loop execute-later", false),
            ("not-the-loop execute", false),
            ("`the-loop execute`", false),
            ("`Do not` the-loop execute", false),
            ("> the-loop execute", false),
            ("> quote\nthe-loop execute", false),
            ("1. > the-loop execute", false),
            ("1. > quote\n   the-loop execute", false),
            ("```\nthe-loop execute\n```", false),
            ("<!-- the-loop execute -->", false),
            ("<div>\n\nthe-loop execute", false),
            ("~~the-loop execute~~", false),
            ("~~Do not~~ the-loop execute", false),
            ("![the-loop execute](a.png)", false),
            ("[a](b.png 'the-loop execute')", false),
            ("[a]: https://example.com '\nthe-loop execute\n'", false),
            ("- [ ] the-loop execute", false),
            ("- [x] the-loop execute", false),
            ("| the-loop execute |\n|---|", false),
            ("execute the-loop", false),
            ("", false),
        ];
        for (body, expected) in table {
            assert_eq!(ExecuteKeyword::default().0.is_said_in(body), expected, "{body:?}");
        }
    }

    #[test]
    fn a_keyword_may_be_a_sentence() {
        let table = [
            ("OK, go ahead.", "ok, go  ahead.", true),
            ("OK, go ahead.", "OK, go ahead. Thanks!", true),
            ("OK, go ahead.", "OK, go ahead", false),
            ("go ahead", "OK, go ahead.", true),
            ("go ahead", "Go ahead, go ahead!", true),
            ("go ahead", "do not go ahead", false),
            ("@bot run", "@bot run", true),
            ("@bot run", "@owner @bot run", true),
            ("/run", "/run", true),
            ("/run", "run", false),
            ("run", "/run", true),
        ];
        for (keyword, body, expected) in table {
            let keyword = Phrase::try_from(keyword.to_owned()).unwrap();
            assert_eq!(keyword.is_said_in(body), expected, "{keyword}: {body:?}");
        }
    }
}
