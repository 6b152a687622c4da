//! The text of Markdown as it is rendered, paragraph by paragraph.

use std::ops::Range;

use pulldown_cmark::{Event, Tag, TagEnd};

use super::html::Html;
use super::outline::events;

/// Stands for something that is not read, so that what is around it does not join.
pub(crate) const GAP: char = '\u{fffc}';

/// Who reads a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum View {
    /// Somebody who wants to know what its author says. Quotes and blocks of code are left out; a gap stands for code,
    /// boxes, and HTML, and before what stands in a table or in HTML.
    Said,
    /// Somebody who wants to know what it is about. HTML and what it encloses is left out.
    Shown,
}

/// A paragraph, heading, item, cell or block of code: without markup, with a line for each of its lines. A gap stands for
/// what is struck out and for pictures.
#[derive(Debug, Default)]
pub(crate) struct Paragraph {
    pub(crate) text: String,
    /// Where in the text a piece begins, and where that stands in the Markdown.
    pieces: Vec<(usize, usize)>,
}

impl Paragraph {
    /// Where a byte of the text stands in the Markdown, about: in the same line.
    pub(crate) fn source(&self, byte: usize) -> usize {
        let after = self.pieces.partition_point(|(start, _)| *start <= byte);
        self.pieces
            .get(after.saturating_sub(1))
            .map_or(0, |(start, source)| source + byte.saturating_sub(*start))
    }
}

/// The paragraphs of a text.
pub(crate) fn paragraphs(markdown: &str, view: View) -> Vec<Paragraph> {
    let mut reader = Reader { view, ..Reader::new() };
    for (event, range) in events(markdown) {
        reader.step(event, range.start);
    }
    reader.end();
    reader.paragraphs
}

struct Reader {
    view: View,
    paragraphs: Vec<Paragraph>,
    open: Paragraph,
    html: Html,
    /// The HTML block that is read.
    block: String,
    /// How many things around this place are left out: quotes, code, what is struck out.
    left_out: usize,
}

impl Reader {
    fn new() -> Self {
        Self {
            view: View::Said,
            paragraphs: Vec::new(),
            open: Paragraph::default(),
            html: Html::default(),
            block: String::new(),
            left_out: 0,
        }
    }

    fn step(&mut self, event: Event<'_>, at: usize) {
        match event {
            Event::Start(tag) => self.enter(&tag, at),
            Event::End(tag) => self.leave(tag),
            Event::Code(_) | Event::TaskListMarker(_) if self.view == View::Said => self.gap(at),
            Event::Text(text) | Event::Code(text) => self.push(&text, at),
            Event::SoftBreak | Event::HardBreak => self.push("\n", at),
            Event::InlineHtml(html) => self.inline_html(&html, at),
            Event::Html(html) => self.block.push_str(&html),
            _ => {}
        }
    }

    fn inline_html(&mut self, html: &str, at: usize) {
        if self.html.read(html) {
            self.gap(at);
        }
    }

    fn enter(&mut self, tag: &Tag<'_>, at: usize) {
        match tag {
            Tag::Strikethrough | Tag::Image { .. } => self.gap(at),
            Tag::Emphasis | Tag::Strong | Tag::Link { .. } => {}
            _ => self.end(),
        }
        if matches!(tag, Tag::TableCell) && self.view == View::Said {
            self.gap(at);
        }
        self.left_out += usize::from(self.leaves_out(tag.to_end()));
    }

    fn leave(&mut self, tag: TagEnd) {
        self.left_out -= usize::from(self.leaves_out(tag));
        match tag {
            TagEnd::Strikethrough | TagEnd::Image | TagEnd::Emphasis | TagEnd::Strong | TagEnd::Link => {}
            TagEnd::HtmlBlock => {
                self.html.read(&std::mem::take(&mut self.block));
            }
            _ => self.end(),
        }
    }

    fn leaves_out(&self, tag: TagEnd) -> bool {
        match tag {
            TagEnd::Strikethrough | TagEnd::Image => true,
            TagEnd::BlockQuote(_) | TagEnd::CodeBlock => self.view == View::Said,
            _ => false,
        }
    }

    fn gap(&mut self, at: usize) {
        self.push(GAP.encode_utf8(&mut [0; 4]), at);
    }

    fn push(&mut self, text: &str, at: usize) {
        if self.left_out > 0 || (self.html.encloses() && self.view == View::Shown) {
            return;
        }
        if self.html.encloses() && self.open.text.is_empty() {
            self.open.text.push(GAP);
        }
        self.open.pieces.push((self.open.text.len(), at));
        self.open.text.push_str(text);
    }

    /// The paragraph ends here, if one is open.
    fn end(&mut self) {
        let paragraph = std::mem::take(&mut self.open);
        if !paragraph.text.trim().is_empty() {
            self.paragraphs.push(paragraph);
        }
    }
}

/// A text with blanks in place of these parts, which come in order.
pub(crate) fn blanked(text: &str, parts: impl IntoIterator<Item = Range<usize>>) -> String {
    let mut parts = parts.into_iter().peekable();
    let blank = |(at, c): (usize, char)| {
        while parts.next_if(|part| part.end <= at).is_some() {}
        let inside = parts.peek().is_some_and(|part| part.contains(&at));
        if inside && c != '\n' { ' ' } else { c }
    };
    text.char_indices().map(blank).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str, view: View) -> Vec<String> {
        let texts = paragraphs(text, view).into_iter();
        texts.map(|paragraph| paragraph.text.trim().replace(GAP, "…")).collect()
    }

    #[test]
    fn quotes_code_and_html_are_not_said() {
        let table: [(&str, &[&str]); 27] = [
            ("a\nb\n\nc", &["a\nb", "c"]),
            ("> a\n\nb", &["b"]),
            ("> a\nb", &[]),
            ("- > a\n- b", &["b"]),
            ("- > a\n  b", &[]),
            ("1. > a\n2. b", &["b"]),
            ("```\na\n```\nb", &["b"]),
            ("~~~~\na\n```\n~~~~\nb", &["b"]),
            ("```\na", &[]),
            ("    a\n\nb", &["b"]),
            ("<!-- a\nb -->\nc <!-- d -->", &["c"]),
            ("> <!-- a\n> --> b", &[]),
            ("x `a` y", &["x … y"]),
            ("x ~~a\nb~~ y", &["x … y"]),
            ("![a](b 'c') d", &["… d"]),
            ("[a](b 'c') d", &["a d"]),
            ("[a]: b '\nc\n'", &[]),
            ("- [ ] a\n- [x] b\n- c", &["…a", "…b", "c"]),
            ("# a *b*\nc &amp; d", &["a b", "c & d"]),
            ("a\n===\n\n| b |\n|---|\n| c |", &["a", "…b", "…c"]),
            ("a <del>b</del>", &["a …b…"]),
            ("<del>\n\na\n\n</del>\n\nb", &["…a", "b"]),
            ("a <del> b\n\nc", &["a … b", "…c"]),
            ("<details>\n\na\n\n</details>", &["a"]),
            ("<div>\na\n</div>", &[]),
            ("- a\n  - b\n\n  c", &["a", "b", "c"]),
            ("", &[]),
        ];
        for (text, expected) in table {
            assert_eq!(read(text, View::Said), expected, "{text:?}");
        }
    }

    #[test]
    fn quotes_and_code_are_shown() {
        let text = "> a\n\n    b\n\n- [ ] c `d` ~~e~~\n\n<p hidden>f\n\ng\n\n</p>\n\n| h |\n|---|\n";
        assert_eq!(read(text, View::Shown), ["a", "b", "c d …", "h"]);
    }
}
