//! Diagrams that cannot be drawn.

use std::iter;
use std::ops::Range;

use pulldown_cmark::{CodeBlockKind, Event, Tag, TagEnd};
use windtunnel_doc::nearest;

use crate::artifact::{Artifact, events};

/// What a diagram begins with. A kind may also be named with `-beta` behind it.
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
    "sankey",
    "xychart",
    "block",
    "packet",
    "kanban",
    "architecture",
    "radar",
    "treemap",
    "venn",
    "info",
];

/// Kinds whose brackets are all of shapes: elsewhere they stand in free text, or are half of an arrow.
const BRACKETED: [&str; 3] = ["graph", "flowchart", "flowchart-elk"];

/// A finding for each diagram that is empty, of no known kind, or has brackets that do not match.
pub(in crate::hook) fn mermaid(artifact: &Artifact) -> Vec<String> {
    let lines = artifact.lines();
    let blocks = blocks(artifact.body());
    let faults = blocks.iter().filter_map(|block| fault(&block.text, lines.number(block.start)));
    faults.map(|Fault { line, message }| format!("{}:{line}: {message}", artifact.file())).collect()
}

struct Fault {
    line: usize,
    message: String,
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

/// What is wrong with a diagram whose fence is in this line.
fn fault(text: &str, fence: usize) -> Option<Fault> {
    let mut lines = diagram_lines(text, fence + 1);
    let Some((line, first)) = lines.next() else {
        return Some(Fault {
            line: fence,
            message: "this mermaid block is empty; expected a diagram".to_owned(),
        });
    };
    let kind = first.split(|c: char| c.is_whitespace() || matches!(c, ':' | ';')).next().unwrap_or_default();
    let known = kind.strip_suffix("-beta").unwrap_or(kind);
    if !KINDS.contains(&known) {
        let near = nearest(known, KINDS).map(|near| format!("; did you mean {near}?"));
        let hint = near.unwrap_or_else(|| "; expected one as in flowchart or sequenceDiagram".to_owned());
        return Some(Fault { line, message: format!("{kind:?} is no kind of mermaid diagram{hint}") });
    }
    if BRACKETED.contains(&known) {
        Brackets::default().run(iter::once((line, first)).chain(lines))
    } else {
        None
    }
}

/// The numbered lines that draw something: without comments, directives and a configuration before them.
fn diagram_lines(text: &str, first: usize) -> impl Iterator<Item = (usize, &str)> {
    let mut lines = (first..).zip(text.lines().map(str::trim)).peekable();
    while lines.next_if(|(_, line)| line.is_empty()).is_some() {}
    if lines.next_if(|(_, line)| *line == "---").is_some() {
        lines.by_ref().find(|(_, line)| *line == "---");
    }
    lines.filter(|(_, line)| !line.is_empty() && !line.starts_with("%%"))
}

/// Looks for a bracket that has no partner. Text in quotes and HTML tags has none.
#[derive(Default)]
struct Brackets {
    /// Those that are not closed yet, and their lines.
    open: Vec<(usize, char)>,
    /// The line of a quotation mark that is not closed yet.
    quoted: Option<usize>,
}

impl Brackets {
    fn run<'a>(mut self, lines: impl Iterator<Item = (usize, &'a str)>) -> Option<Fault> {
        for (number, line) in lines {
            if let Some(message) = self.line(number, line) {
                return Some(Fault { line: number, message });
            }
        }
        let (line, what) = match (self.quoted, self.open.pop()) {
            (Some(line), _) => (line, "a quotation mark".to_owned()),
            (None, Some((line, opening))) => (line, format!("\"{opening}\"")),
            (None, None) => return None,
        };
        Some(Fault { line, message: format!("{what} is not closed in this diagram") })
    }

    fn line(&mut self, number: usize, line: &str) -> Option<String> {
        // Looked up once: a line may have very many openings, and no end of them.
        let (last_angle, last_square) = (line.rfind('>'), line.rfind(']'));
        let mut before = ' ';
        let mut rest = line.char_indices();
        while let Some((at, c)) = rest.next() {
            match c {
                '"' => self.quoted = if self.quoted.is_some() { None } else { Some(number) },
                _ if self.quoted.is_some() => {}
                '<' if last_angle > Some(at) && begins_tag(rest.as_str()) => {
                    rest.find(|(_, c)| *c == '>');
                }
                '(' | '[' | '{' => self.open.push((number, c)),
                // `id>text]` is a shape as well.
                '>' if self.open.is_empty() && before.is_alphanumeric() && last_square > Some(at) => {
                    self.open.push((number, c));
                }
                ')' | ']' | '}' => match self.open.pop() {
                    Some((_, opening)) if closes(opening, c) => {}
                    Some((line, opening)) => {
                        return Some(format!("\"{c}\" does not close the \"{opening}\" of line {line}"));
                    }
                    None => return Some(format!("\"{c}\" closes nothing in this diagram")),
                },
                _ => {}
            }
            before = c;
        }
        // It was no shape, but a character of some text.
        self.open.pop_if(|(_, opening)| *opening == '>');
        None
    }
}

fn closes(opening: char, closing: char) -> bool {
    matches!((opening, closing), ('(', ')') | ('[' | '>', ']') | ('{', '}'))
}

/// Whether what follows a `<` makes an HTML tag of it, as in `<br/>`.
fn begins_tag(rest: &str) -> bool {
    rest.starts_with(|c: char| c.is_ascii_alphabetic() || c == '/')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn findings(diagram: &str) -> Vec<String> {
        mermaid(&Artifact::of_text("a.md", format!("# A\n\n```mermaid\n{diagram}\n```\n")))
    }

    #[test]
    fn diagrams_that_can_be_drawn_are_not_found() {
        for diagram in [
            "flowchart TB\n  A[one] --> B(two) --> C{three}",
            "graph LR; A-->B",
            "flowchart LR\n  A([a]) --> B[[b]] --> C[(c)] --> D((d)) --> E{{e}} --> F[/f\\] --> G>g]",
            "flowchart LR\n  A[\"a (b\"] -->|yes| B[c<br/>d] <--> C",
            "flowchart LR\n  subgraph one [One]\n    A\n  end\n  %% a ) comment\n  A@{ shape: circle }",
            "flowchart LR\n  A[\"two\nlines\"] --> B[over\ntwo]",
            "%%{init: {'theme': 'dark'}}%%\nsequenceDiagram\n  A-)B: hello :)",
            "---\ntitle: A\n---\nerDiagram\n  CUSTOMER ||--o{ ORDER : places",
            "\n\npie title Pets\n  \"Dogs\" : 3",
            "gitGraph:\n  commit",
            "mindmap\n  root)cloud(",
            "stateDiagram-v2\n  [*] --> Still",
            "sankey-beta\na,b,1",
            "sankey\na,b,1",
            "flowchart LR\n  A -->|a>b| B[x>y] --> C",
        ] {
            assert_eq!(findings(diagram), [""; 0], "{diagram}");
        }
    }

    #[test]
    fn diagrams_that_cannot_be_drawn_are_found() {
        let table = [
            ("", "a.md:3: this mermaid block is empty; expected a diagram"),
            ("%% only a comment", "a.md:3: this mermaid block is empty; expected a diagram"),
            ("---\ntitle: A", "a.md:3: this mermaid block is empty; expected a diagram"),
            ("flowhcart TB", "a.md:4: \"flowhcart\" is no kind of mermaid diagram; did you mean flowchart?"),
            (
                "\nA --> B",
                "a.md:5: \"A\" is no kind of mermaid diagram; expected one as in flowchart or sequenceDiagram",
            ),
            ("flowchart TB\n  A[one --> B", "a.md:5: \"[\" is not closed in this diagram"),
            ("graph LR; A[one --> B", "a.md:4: \"[\" is not closed in this diagram"),
            ("flowchart TB\n  A --> B]", "a.md:5: \"]\" closes nothing in this diagram"),
            ("flowchart TB\n  A[one) --> B", "a.md:5: \")\" does not close the \"[\" of line 5"),
            ("flowchart TB\n  A[one\n  B(two) --> C}", "a.md:6: \"}\" does not close the \"[\" of line 5"),
            ("flowchart TB\n  A[\"one] --> B", "a.md:5: a quotation mark is not closed in this diagram"),
        ];
        for (diagram, expected) in table {
            assert_eq!(findings(diagram), [expected], "{diagram}");
        }
    }

    #[test]
    fn a_diagram_of_the_largest_artifact_is_read_in_one_pass() {
        let started = std::time::Instant::now();
        for piece in ["<", "<a", "a>", "<a>", "a>]", "a<b[", "\"", "("] {
            findings(&format!("flowchart LR\n{}", piece.repeat(1_000_000 / piece.len())));
        }
        assert!(started.elapsed() < std::time::Duration::from_secs(20), "{:?}", started.elapsed());
    }

    #[test]
    fn only_fenced_blocks_of_this_language_are_diagrams() {
        let of = |text: &str| mermaid(&Artifact::of_text("a.md", text)).len();
        assert_eq!(of("```\nnothing\n```\n\n```text\nnothing\n```\n\n    mermaid\n"), 0);
        assert_eq!(of("~~~ Mermaid title=\"a\"\nnothing\n~~~\n"), 1);
        assert_eq!(of("- item\n\n  ```mermaid\n  nothing\n  ```\n\n```mermaid\n"), 2);
    }
}
