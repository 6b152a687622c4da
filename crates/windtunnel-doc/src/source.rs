//! The text of a file, and positions in it.

use std::fmt;
use std::ops::Range;

use miette::{MietteError, MietteSpanContents, SourceCode, SourceSpan, SpanContents};

/// Bytes of text around a mark, beyond which only a part of its line is shown: nobody reads more, and drawing it has limits.
const MAX_SHOWN: usize = 4096;

/// Bytes of a mark that are underlined.
const MAX_MARKED: usize = 100;

/// Bytes of a long line that are shown on each side of a mark.
const BESIDE: usize = 40;

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

    /// The part of `span` on its first line: what a code frame underlines. Of a long line it is the beginning.
    pub(crate) fn first_line(&self, span: &Range<usize>) -> Range<usize> {
        let start = self.boundary(span.start);
        let end = self.boundary(span.end).max(start);
        let end = end.min(self.boundary(start + MAX_MARKED));
        let line = self.text[start..end].lines().next().unwrap_or_default().trim_end();
        start..start + line.len()
    }

    /// The lines that `span` is on with as many before and after as they are asked for, without the last line break.
    fn lines_around(&self, span: &Range<usize>, before: usize, after: usize) -> Range<usize> {
        let breaks_before = self.text[..span.start].match_indices('\n').rev();
        let breaks_after = self.text[span.end..].match_indices('\n');
        let start = breaks_before.map(|(at, _)| at + 1).nth(before).unwrap_or(0);
        let end = breaks_after.map(|(at, _)| span.end + at).nth(after).unwrap_or(self.text.len());
        start..end
    }

    /// What is marked on a line, with so many bytes of the line on each side.
    fn part_of_line(&self, marked: &Range<usize>, beside: usize) -> Range<usize> {
        let line = self.lines_around(marked, 0, 0);
        let start = self.boundary(marked.start.saturating_sub(beside)).max(line.start);
        let end = self.boundary(marked.end.saturating_add(beside)).min(line.end);
        start..start + self.text[start..end].trim_end_matches('\r').len()
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
        let start = self.boundary(span.offset());
        let marked = start..self.boundary(span.offset().saturating_add(span.len())).max(start);
        let contents = if self.lines_around(&marked, lines_before, lines_after).len() <= MAX_SHOWN {
            let contents = self.text.read_span(span, lines_before, lines_after)?;
            let (line, column, lines) = (contents.line(), contents.column(), contents.line_count());
            MietteSpanContents::new_named(
                self.name.clone(),
                contents.data(),
                *contents.span(),
                line,
                column,
                lines,
            )
        } else {
            let part = self.part_of_line(&marked, if lines_before + lines_after > 0 { BESIDE } else { 0 });
            let Position { line, column } = self.position(part.start);
            let data = &self.text.as_bytes()[part.clone()];
            MietteSpanContents::new_named(
                self.name.clone(),
                data,
                (part.start, part.len()).into(),
                line - 1,
                column - 1,
                1,
            )
        };
        Ok(Box::new(contents))
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

    #[test]
    fn of_a_long_line_a_part_around_the_mark_is_shown() {
        let text = format!("short\n{}needle{}\r\nend", "ä".repeat(5_000), "z".repeat(5_000));
        let at = text.find("needle").unwrap();
        let source = Source::new("x".into(), text);
        let shown = |context| {
            let contents = source.read_span(&(at, 6).into(), context, context).unwrap();
            (String::from_utf8(contents.data().to_vec()).unwrap(), contents.line(), contents.column())
        };
        assert_eq!(shown(0), ("needle".to_owned(), 1, 5_000));
        assert_eq!(shown(1), (format!("{}needle{}", "ä".repeat(20), "z".repeat(40)), 1, 4_980));
        let all = source.first_line(&(6..source.text().len()));
        assert_eq!(all, 6..6 + MAX_MARKED);
        let end = source.text().len() - 6;
        let contents = source.read_span(&(end, 1).into(), 1, 1).unwrap();
        assert_eq!(contents.data(), "z".repeat(41).as_bytes(), "neither line break nor the next line");
    }
}
