//! The words of an artifact, and where they stand.

use std::ops::Range;

use pulldown_cmark::{Event, Tag};

use super::Artifact;
use super::outline::events;
use super::prose::blanked;

/// The words of an artifact's Markdown, in lower case, and the lines that they stand in. HTML comments have none.
#[derive(Debug, Default)]
pub(crate) struct Words {
    text: String,
    /// Where each word begins, and its line.
    starts: Vec<(usize, usize)>,
}

impl Words {
    pub(crate) fn of(artifact: &Artifact) -> Self {
        let body = artifact.body();
        let comment = |(event, range): (Event<'_>, Range<usize>)| match event {
            Event::Start(Tag::HtmlBlock) | Event::InlineHtml(_) => {
                let html = body.get(range.clone()).filter(|html| html.starts_with("<!--"))?;
                let length = html.find("-->").map_or(html.len(), |end| end + "-->".len());
                Some(range.start..range.start + length)
            }
            _ => None,
        };
        let shown = blanked(body, events(body).filter_map(comment));
        let first = artifact.lines().number(0);
        let mut words = Self::default();
        for (line, number) in shown.lines().zip(first..) {
            for word in line.split_whitespace() {
                words.starts.push((words.text.len(), number));
                words.text.push_str(&word.to_lowercase());
                words.text.push(' ');
            }
        }
        words
    }

    /// The line of the first place where this stands: words in lower case, with one space between two of them.
    pub(crate) fn line_of(&self, words: &str) -> Option<usize> {
        let at = self.text.find(words)?;
        let word = self.starts.partition_point(|(start, _)| *start <= at);
        self.starts.get(word.checked_sub(1)?).map(|(_, line)| *line)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_found_across_lines_and_not_in_comments() {
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
            ("<!-- a --> trust boundary", Some(1)),
            ("trust <!-- a --> boundary", Some(1)),
            ("trust\n\nboundary", Some(1)),
            ("trust boundaries", None),
            ("", None),
        ];
        for (text, expected) in table {
            let words = Words::of(&Artifact::of_text("a.md", text));
            assert_eq!(words.line_of("trust boundary"), expected, "{text:?}");
        }
    }
}
