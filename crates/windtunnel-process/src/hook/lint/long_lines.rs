//! Lines that nobody reads to their end.

use std::ops::Range;

use pulldown_cmark::{Event, Tag};

use crate::artifact::prose::blanked;
use crate::artifact::{Artifact, events};

/// A finding for each line with more characters than this. Code, tables, HTML and lines that are only a link may have more.
pub(in crate::hook) fn long_lines(artifact: &Artifact, most: usize) -> Vec<String> {
    let exempt = |(event, range): (Event<'_>, Range<usize>)| {
        matches!(event, Event::Start(Tag::CodeBlock(_) | Tag::Table(_) | Tag::HtmlBlock)).then_some(range)
    };
    let body = artifact.body();
    let outside = blanked(body, events(body).filter_map(exempt));
    let lines = artifact.lines();
    let mut start = 0;
    let mut findings = Vec::new();
    for (line, prose) in body.split_inclusive('\n').zip(outside.split_inclusive('\n')) {
        let length = line.trim_end().chars().count();
        if length > most && !prose.trim().is_empty() && !is_only_a_link(prose) {
            let number = lines.number(start);
            findings.push(format!(
                "{}:{number}: this line has {length} characters; expected {most} at most",
                artifact.file()
            ));
        }
        start += line.len();
    }
    findings
}

/// Whether a line is one link, be it an entry of a list or a definition of a reference.
fn is_only_a_link(line: &str) -> bool {
    let mut words = line.split_whitespace().filter(|word| !matches!(*word, "-" | "*" | "+" | ">")).peekable();
    words.next_if(|word| word.starts_with('[') && word.ends_with("]:"));
    words.next().is_some_and(|word| word.contains("://")) && words.next().is_none()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_prose_has_a_longest_line() {
        let long = "word ".repeat(10);
        let url = format!("https://example.com/{}", "x".repeat(40));
        let table = [
            ("short\n".to_owned(), None),
            (format!("a\n\n{long}\n"), Some(3)),
            (format!("---\na: 1\n---\n{long}\n"), Some(4)),
            (format!("---\na: {long}\n---\nb\n"), None),
            (format!("# {long}\n"), Some(1)),
            (format!("- a\n- {long}\n"), Some(2)),
            (format!("> {long}\r\n"), Some(1)),
            (format!("```text\n{long}\n```\n"), None),
            (format!("    {long}\n"), None),
            (format!("| a | b |\n|---|---|\n| {long} | c |\n"), None),
            (format!("<!-- {long} -->\n"), None),
            (format!("{url}\n"), None),
            (format!("- <{url}>\n"), None),
            (format!("[a]: {url}\n"), None),
            (format!("see {url}\n"), Some(1)),
            ("ä".repeat(20), None),
            ("ä".repeat(21), Some(1)),
        ];
        for (text, line) in table {
            let findings = long_lines(&Artifact::of_text("a.md", text.as_str()), 20);
            let places: Vec<String> = line.map(|line| format!("a.md:{line}: ")).into_iter().collect();
            assert_eq!(findings.len(), places.len(), "{text:?}: {findings:?}");
            assert!(
                findings.iter().zip(&places).all(|(found, place)| found.starts_with(place)),
                "{findings:?}"
            );
        }
    }
}
