//! Text from outside, made fit to be shown: an agent's output must neither paint the terminal nor break a file.

use std::borrow::Cow;
use std::fmt::Write as _;

/// Text from outside that is fit to be shown: line breaks and tabs stay, every other control character is written out.
pub fn block(text: &str) -> Cow<'_, str> {
    escape(text, |c| c == '\n' || c == '\t')
}

/// Text from outside as one line that is fit to be shown: control characters are written out, line breaks and tabs as well.
pub fn line(text: &str) -> Cow<'_, str> {
    escape(text, |_| false)
}

/// Several lines of XML text. Tabs become spaces, because [`quick_junit::XmlString`] drops them.
pub(crate) fn xml(text: &str) -> String {
    block(text).replace('\t', "    ").replace(['\u{fffe}', '\u{ffff}'], "\u{fffd}")
}

/// Several lines, those that are too long continued on further ones with a deeper indent. Text breaks at spaces and behind commas;
/// what has neither stays whole.
pub(crate) fn wrapped(text: &str, width: usize) -> String {
    let mut wrapped = String::with_capacity(text.len() + 64);
    for line in text.lines() {
        let indent: String = line.chars().take_while(|c| *c == ' ').chain("    ".chars()).collect();
        let mut rest = line.trim_end();
        let mut room = width;
        while let Some(at) = break_within(rest, room) {
            let (head, tail) = rest.split_at(at);
            wrapped.push_str(head.trim_end());
            wrapped.push('\n');
            wrapped.push_str(&indent);
            (rest, room) = (tail.trim_start(), width.saturating_sub(indent.len()));
        }
        wrapped.push_str(rest);
        wrapped.push('\n');
    }
    wrapped
}

/// Where a line that is longer than so many characters is broken; none for one that is not, or cannot be.
fn break_within(line: &str, width: usize) -> Option<usize> {
    line.char_indices().nth(width)?;
    let start = line.len() - line.trim_start().len();
    let ends = line.char_indices().filter(|(at, _)| *at >= start).filter_map(|(at, c)| match c {
        ' ' => Some(at),
        ',' => Some(at + 1),
        _ => None,
    });
    let fits = |end: &usize| line.get(..*end).is_some_and(|head| head.chars().count() <= width);
    let mut ends = ends.filter(|end| *end > start && *end < line.len());
    let first = ends.next()?;
    Some(ends.take_while(fits).last().unwrap_or(first))
}

fn escape(text: &str, kept: impl Fn(char) -> bool) -> Cow<'_, str> {
    let shown = |c: char| kept(c) || !(c.is_control() || is_invisible(c));
    if text.chars().all(shown) {
        return Cow::Borrowed(text);
    }
    let mut escaped = String::with_capacity(text.len() + 16);
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            c if shown(c) => escaped.push(c),
            // The line break of another platform.
            '\r' if kept('\n') && chars.peek() == Some(&'\n') => {}
            '\n' => escaped.push_str("\\n"),
            '\r' => escaped.push_str("\\r"),
            '\t' => escaped.push_str("\\t"),
            // Writing to a String cannot fail.
            c if c.is_ascii() => drop(write!(escaped, "\\x{:02x}", u32::from(c))),
            c => drop(write!(escaped, "\\u{{{:x}}}", u32::from(c))),
        }
    }
    Cow::Owned(escaped)
}

/// Characters that change the order in which others are shown, or that no one sees.
fn is_invisible(c: char) -> bool {
    matches!(c, '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}')
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn control_characters_are_written_out() {
        for (text, expected) in [
            ("plain – ü 😀", "plain – ü 😀"),
            ("\u{1b}[31mred\u{1b}[0m", "\\x1b[31mred\\x1b[0m"),
            ("a\tb\r\nc\rd", "a\tb\nc\\rd"),
            ("bell\u{7} del\u{7f} csi\u{9b}2J", "bell\\x07 del\\x7f csi\\u{9b}2J"),
            ("abc\u{202e}cba", "abc\\u{202e}cba"),
        ] {
            assert_eq!(block(text), expected);
        }
        assert_eq!(line("two\nlines\tand a tab"), "two\\nlines\\tand a tab");
    }

    #[test]
    fn long_lines_go_on_below_with_a_deeper_indent() {
        for (text, expected) in [
            ("short\n  lines", "short\n  lines\n"),
            ("one two three four", "one two\n    three\n    four\n"),
            ("  a {\"b\":1,\"c\":2}", "  a\n      {\"b\":1,\n      \"c\":2}\n"),
            ("unbreakable-text", "unbreakable-text\n"),
            ("unbreakable-text then", "unbreakable-text\n    then\n"),
            ("exactly 10\n", "exactly 10\n"),
            ("ends here       ", "ends here\n"),
        ] {
            assert_eq!(wrapped(text, 10), expected, "{text:?}");
        }
    }

    proptest! {
        #[test]
        fn wrapping_only_moves_text(text in "[a-c, \n]{0,60}") {
            let plain = |text: &str| text.split_whitespace().collect::<String>();
            prop_assert_eq!(plain(&wrapped(&text, 7)), plain(&text));
        }

        #[test]
        fn nothing_that_moves_the_cursor_is_left(text in any::<String>()) {
            prop_assert!(!line(&text).chars().any(char::is_control));
            prop_assert!(!block(&text).chars().any(|c| c.is_control() && c != '\n' && c != '\t'));
        }
    }
}
