//! What somebody says in a Markdown text, as opposed to what is quoted or shown in it.

use std::ops::Range;

use pulldown_cmark::{Event, Tag};

use super::outline::events;

/// What becomes of code in a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum InlineCode {
    /// It is read, with its backticks.
    Kept,
    /// It is shown, not said.
    Dropped,
}

/// The lines of a text that its author says: none of a quote, and without code blocks and HTML.
pub(crate) fn spoken_lines(text: &str, code: InlineCode) -> Vec<String> {
    let is_shown = |event: &Event<'_>| match event {
        Event::Start(Tag::CodeBlock(_) | Tag::HtmlBlock) | Event::InlineHtml(_) => true,
        Event::Code(_) => code == InlineCode::Dropped,
        _ => false,
    };
    let shown = events(text).filter(|(event, _)| is_shown(event)).map(|(_, range)| range);
    let said = blanked(text, shown);
    // What is blanked may span the mark of a quote.
    let lines = text.lines().zip(said.lines());
    lines.filter(|(line, _)| !is_quote(line)).map(|(_, said)| said.to_owned()).collect()
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

/// Whether a line is quoted, be it in a list.
fn is_quote(line: &str) -> bool {
    line.trim_start_matches(|c: char| c.is_whitespace() || matches!(c, '-' | '*' | '+')).starts_with('>')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spoken(text: &str) -> Vec<String> {
        let lines = spoken_lines(text, InlineCode::Kept).into_iter();
        lines.map(|line| line.trim().to_owned()).filter(|line| !line.is_empty()).collect()
    }

    #[test]
    fn quotes_code_and_html_are_not_said() {
        let table: [(&str, &[&str]); 11] = [
            ("a\nb", &["a", "b"]),
            ("> a\n\nb", &["b"]),
            ("> a\nb", &["b"]),
            ("- > a\n- b", &["- b"]),
            ("```\na\n```\nb", &["b"]),
            ("~~~~\na\n```\n~~~~\nb", &["b"]),
            ("```\na", &[]),
            ("    a\n\nb", &["b"]),
            ("<!-- a\nb -->\nc <!-- d -->", &["c"]),
            ("> <!-- a\n> --> b", &[]),
            ("x `a` y", &["x `a` y"]),
        ];
        for (text, expected) in table {
            assert_eq!(spoken(text), expected, "{text:?}");
        }
    }

    #[test]
    fn code_in_a_line_can_be_dropped() {
        let lines = spoken_lines("say `the-loop execute` now", InlineCode::Dropped);
        assert_eq!(lines[0].split_whitespace().collect::<Vec<_>>(), ["say", "now"]);
    }
}
