//! The words of an artifact, and where they stand.

use super::Artifact;
use super::prose::{GAP, Paragraph, View, paragraphs};

/// The words of each paragraph of an artifact's Markdown, as it is rendered, and the lines that they stand in.
#[derive(Debug, Default)]
pub(crate) struct Words {
    paragraphs: Vec<Vec<(String, usize)>>,
}

impl Words {
    pub(crate) fn of(artifact: &Artifact) -> Self {
        let lines = artifact.lines();
        let numbered = |paragraph: &Paragraph| {
            let words = split(&paragraph.text).into_iter();
            words.map(|(at, word)| (word, lines.number(paragraph.source(at)))).collect()
        };
        Self { paragraphs: paragraphs(artifact.body(), View::Shown).iter().map(numbered).collect() }
    }

    /// The line of the first place where these words stand, one behind the other in one paragraph: whatever their case, and
    /// be they plurals.
    pub(crate) fn line_of(&self, words: &str) -> Option<usize> {
        let wanted: Vec<String> = split(words).into_iter().map(|(_, word)| word).collect();
        let stand_here = |place: &&[(String, usize)]| place.iter().map(|(word, _)| word).eq(&wanted);
        let mut places = self.paragraphs.iter().flat_map(|paragraph| paragraph.windows(wanted.len().max(1)));
        places.find(stand_here)?.first().map(|(_, line)| *line)
    }
}

/// A text in lower case, with one space between two of its words.
pub(crate) fn folded(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    words.join(" ").to_lowercase()
}

/// The words of a text, each with where it begins. A punctuation mark is one as well, so that none goes on over it; a hyphen is a
/// space.
fn split(text: &str) -> Vec<(usize, String)> {
    let mut words: Vec<(usize, String)> = Vec::new();
    let mut inside = false;
    for (at, c) in text.char_indices() {
        let goes_on = inside && c.is_alphanumeric();
        inside = c.is_alphanumeric();
        match words.last_mut() {
            _ if c.is_whitespace() || c == GAP || is_hyphen(c) => {}
            Some((_, word)) if goes_on => word.extend(c.to_lowercase()),
            _ => words.push((at, c.to_lowercase().collect())),
        }
    }
    for (_, word) in &mut words {
        singular(word);
    }
    words
}

fn is_hyphen(c: char) -> bool {
    matches!(c, '-' | '\u{2010}'..='\u{2013}')
}

/// Makes `cases` the same word as `case`, and `boundaries` the same as `boundary`.
fn singular(word: &mut String) {
    if word.ends_with("ies") {
        word.truncate(word.len() - "ies".len());
        word.push('y');
    } else if word.len() > 1 && word.ends_with('s') && !word.ends_with("ss") {
        word.pop();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_found_as_they_are_rendered() {
        let table = [
            ("a trust boundary", Some(1)),
            ("---\nid: trust boundary\n---\n\nEach Trust Boundary.", Some(5)),
            ("one\ntwo trust\n  boundary", Some(2)),
            ("## Trust\tboundary", Some(1)),
            ("```\ntrust boundary\n```", Some(2)),
            ("| trust boundary |\n|---|", Some(1)),
            ("<!-- trust boundary -->", None),
            ("<!--\ntrust boundary\n-->\n\ntrust boundary", Some(5)),
            ("a <!-- trust boundary --> b", None),
            ("<!-- a --> trust boundary", None),
            ("<!-- a -->\ntrust boundary", Some(2)),
            ("trust <!-- a --> boundary", Some(1)),
            ("trust\n\nboundary", None),
            ("- trust\n- boundary", None),
            ("trust boundaries", Some(1)),
            ("Trust-boundary", Some(1)),
            ("**trust** `boundary`", Some(1)),
            ("tr**us**t&#32;boundary", Some(1)),
            ("\n\nfirst\n[trust\nboundary](https://example.com)", Some(4)),
            ("```\na\nb\ntrust boundary\n```", Some(4)),
            ("> trust\n> boundary", Some(1)),
            ("entrust boundary", None),
            ("trust boundaryless", None),
            ("trust. Boundary", None),
            ("~~trust boundary~~", None),
            ("[a](https://example.com 'trust boundary')", None),
            ("[a]: https://example.com 'trust boundary'", None),
            ("![trust boundary](a.png)", None),
            ("<p hidden>trust boundary</p>", None),
            ("", None),
        ];
        for (text, expected) in table {
            let words = Words::of(&Artifact::of_text("a.md", text));
            assert_eq!(words.line_of("trust boundary"), expected, "{text:?}");
        }
    }
}
