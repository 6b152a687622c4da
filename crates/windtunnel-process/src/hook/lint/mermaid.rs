//! Diagrams that cannot be drawn.

use std::ops::Range;

use pulldown_cmark::{CodeBlockKind, Event, Tag, TagEnd};
use windtunnel_doc::nearest;

use crate::artifact::Artifact;
use crate::artifact::prose::events;

/// What a diagram begins with.
const KINDS: [&str; 33] = [
    "graph",
    "flowchart",
    "flowchart-elk",
    "sequenceDiagram",
    "classDiagram",
    "classDiagram-v2",
    "stateDiagram",
    "stateDiagram-v2",
    "erDiagram",
    "journey",
    "gantt",
    "pie",
    "quadrantChart",
    "requirementDiagram",
    "gitGraph",
    "C4Context",
    "C4Container",
    "C4Component",
    "C4Dynamic",
    "C4Deployment",
    "mindmap",
    "timeline",
    "zenuml",
    "sankey-beta",
    "xychart-beta",
    "block-beta",
    "packet-beta",
    "kanban",
    "architecture-beta",
    "radar-beta",
    "treemap-beta",
    "info",
    "block",
];

/// Kinds whose brackets are all of shapes: elsewhere they stand in free text, or are half of an arrow.
const BRACKETED: [&str; 3] = ["graph", "flowchart", "flowchart-elk"];

/// A finding for each diagram that is empty, of no known kind, or has brackets that do not match.
pub(in crate::hook) fn mermaid(artifact: &Artifact) -> Vec<String> {
    let lines = artifact.lines();
    let blocks = blocks(artifact.body());
    let faults = blocks.iter().filter_map(|block| {
        let first = lines.number(block.start);
        let (line, fault) = fault(&block.text)?;
        Some(format!("{}:{}: {fault}", artifact.file(), first + line))
    });
    faults.collect()
}

struct Block {
    start: usize,
    text: String,
}

/// The blocks of the language `mermaid`.
fn blocks(body: &str) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut open: Option<Block> = None;
    for (event, Range { start, .. }) in events(body) {
        match event {
            Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(info))) if is_mermaid(&info) => {
                open = Some(Block { start, text: String::new() });
            }
            Event::Text(text) => {
                if let Some(block) = &mut open {
                    block.text.push_str(&text);
                }
            }
            Event::End(TagEnd::CodeBlock) => blocks.extend(open.take()),
            _ => {}
        }
    }
    blocks
}

fn is_mermaid(info: &str) -> bool {
    let word =
        info.split(|c: char| c.is_whitespace() || matches!(c, '{' | ',')).find(|word| !word.is_empty());
    word.is_some_and(|word| word.eq_ignore_ascii_case("mermaid"))
}

/// What is wrong with a diagram, and in which line, counted from its fence.
fn fault(text: &str) -> Option<(usize, String)> {
    let mut lines = diagram_lines(text);
    let Some((line, first)) = lines.next() else {
        return Some((0, "this mermaid block is empty; expected a diagram".to_owned()));
    };
    let word = first.split(|c: char| c.is_whitespace() || matches!(c, ':' | ';')).next().unwrap_or_default();
    if !KINDS.contains(&word) {
        let near = nearest(word, KINDS).map(|near| format!("; did you mean {near}?"));
        let near = near.unwrap_or_else(|| format!("; expected one as in {} or {}", KINDS[1], KINDS[3]));
        return Some((line, format!("{word:?} is no kind of mermaid diagram{near}")));
    }
    if !BRACKETED.contains(&word) {
        return None;
    }
    brackets(lines)
}

/// The lines of a diagram that draw something, numbered from 1: without comments, directives and a configuration before it.
fn diagram_lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut lines = text.lines().zip(1..).map(|(line, number)| (number, line.trim())).peekable();
    while lines.next_if(|(_, line)| line.is_empty()).is_some() {}
    if lines.next_if(|(_, line)| *line == "---").is_some() {
        for (_, line) in lines.by_ref() {
            if line == "---" {
                break;
            }
        }
    }
    lines.filter(|(_, line)| !line.is_empty() && !line.starts_with("%%"))
}

/// The first bracket that has no partner. Text in quotes and HTML tags has none.
fn brackets<'a>(lines: impl Iterator<Item = (usize, &'a str)>) -> Option<(usize, String)> {
    let mut open: Vec<(usize, char)> = Vec::new();
    let mut quoted: Option<usize> = None;
    for (number, line) in lines {
        let mut before = ' ';
        let mut rest = line.chars();
        while let Some(c) = rest.next() {
            match c {
                '"' => quoted = if quoted.is_some() { None } else { Some(number) },
                _ if quoted.is_some() => {}
                '<' => skip_tag(&mut rest),
                '(' | '[' | '{' => open.push((number, c)),
                // `id>text]` is a shape as well.
                '>' if before.is_alphanumeric() && rest.as_str().contains(']') => open.push((number, c)),
                ')' | ']' | '}' => match open.pop() {
                    Some((_, opening)) if closes(opening, c) => {}
                    Some((line, opening)) => {
                        return Some((
                            number,
                            format!("\"{c}\" does not close the \"{opening}\" {}", of_line(number, line)),
                        ));
                    }
                    None => return Some((number, format!("\"{c}\" closes nothing in this diagram"))),
                },
                _ => {}
            }
            before = c;
        }
    }
    if let Some(number) = quoted {
        return Some((number, "a quotation mark is not closed in this diagram".to_owned()));
    }
    open.pop().map(|(number, opening)| (number, format!("\"{opening}\" is not closed in this diagram")))
}

fn of_line(here: usize, line: usize) -> String {
    if here == line { "before it".to_owned() } else { format!("{} lines before it", here - line) }
}

fn closes(opening: char, closing: char) -> bool {
    matches!((opening, closing), ('(', ')') | ('[' | '>', ']') | ('{', '}'))
}

/// Goes past an HTML tag, as in `<br/>`.
fn skip_tag(rest: &mut std::str::Chars<'_>) {
    let text = rest.as_str();
    let is_tag = text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '/');
    if let Some(end) = text.find('>').filter(|_| is_tag) {
        *rest = text.get(end + 1..).unwrap_or_default().chars();
    }
}
