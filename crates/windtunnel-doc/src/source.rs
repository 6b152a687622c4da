//! The text of a file, and positions in it.

use std::fmt;
use std::ops::Range;

use miette::{MietteError, MietteSpanContents, SourceCode, SourceSpan, SpanContents};

/// A place in a file as editors count it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position {
    /// Line, counted from 1.
    pub line: usize,
    /// Column, counted from 1 in characters (not bytes, not screen cells).
    pub column: usize,
}

/// A named text. Spans into it are byte ranges; any range is accepted and pulled inside the text.
pub(crate) struct Source {
    name: String,
    text: String,
}

impl fmt::Debug for Source {
    /// The name alone: a text may hold secrets.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Source").field(&self.name).finish()
    }
}

impl Source {
    pub(crate) fn new(name: String, text: String) -> Self {
        Self { name, text }
    }

    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    pub(crate) fn position(&self, offset: usize) -> Position {
        let before = &self.text[..self.boundary(offset)];
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        Position { line: before.matches('\n').count() + 1, column: before[line_start..].chars().count() + 1 }
    }

    /// The part of `span` on its first line: what a code frame underlines.
    pub(crate) fn first_line(&self, span: &Range<usize>) -> Range<usize> {
        let start = self.boundary(span.start);
        let end = self.boundary(span.end).max(start);
        let line = self.text[start..end].lines().next().unwrap_or_default().trim_end();
        start..start + line.len()
    }

    fn boundary(&self, offset: usize) -> usize {
        let offset = offset.min(self.text.len());
        (0..=offset).rev().find(|at| self.text.is_char_boundary(*at)).unwrap_or(0)
    }
}

impl SourceCode for Source {
    fn read_span<'a>(
        &'a self,
        span: &SourceSpan,
        lines_before: usize,
        lines_after: usize,
    ) -> Result<Box<dyn SpanContents<'a> + 'a>, MietteError> {
        let contents = self.text.read_span(span, lines_before, lines_after)?;
        Ok(Box::new(MietteSpanContents::new_named(
            self.name.clone(),
            contents.data(),
            *contents.span(),
            contents.line(),
            contents.column(),
            contents.line_count(),
        )))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_count_characters_and_lines_end_at_a_line_feed() {
        let source = Source::new("x".into(), "a\r\nä€b = 1\n\n🌍z".into());
        let table = [
            ("a", (1, 1)),
            ("\r", (1, 2)),
            ("ä", (2, 1)),
            ("b", (2, 3)),
            ("1", (2, 7)),
            ("🌍", (4, 1)),
            ("z", (4, 2)),
        ];
        for (needle, (line, column)) in table {
            let offset = source.text().find(needle).unwrap();
            assert_eq!(source.position(offset), Position { line, column }, "{needle:?}");
        }
    }

    #[test]
    fn an_offset_outside_of_the_text_or_inside_a_character_is_pulled_back() {
        let source = Source::new("x".into(), "a€".into());
        assert_eq!(source.position(99), Position { line: 1, column: 3 });
        assert_eq!(source.position(2), Position { line: 1, column: 2 });
        assert_eq!(source.first_line(&(2..99)), 1..4);
    }

    #[test]
    fn a_frame_underlines_only_the_first_line_of_a_long_value() {
        let source = Source::new("x".into(), "a = [  \r\n 1,\n]".into());
        assert_eq!(source.first_line(&(4..14)), 4..5);
    }
}
