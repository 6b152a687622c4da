//! From Markdown to an outline.

use std::ops::Range;

use pulldown_cmark::{Event, OffsetIter, Options, Parser, Tag, TagEnd};

use super::{Outline, Section, TaskBox};
use crate::artifact::html::Html;
use crate::artifact::lines::Lines;
use crate::artifact::{Artifact, execution_log};

/// The outline of an artifact.
pub(in crate::artifact) fn outline(artifact: &Artifact) -> Outline {
    let mut outline = Walk::new(artifact.body(), artifact.body_start(), artifact.lines()).run();
    let before = artifact.text().get(..artifact.body_start()).unwrap_or_default();
    outline.boxes.splice(..0, boxes_of_yaml(before));
    outline
}

impl Outline {
    /// The outline of a text that is all Markdown.
    pub(crate) fn of_markdown(text: &str) -> Self {
        Walk::new(text, 0, Lines::of(text, 1)).run()
    }
}

/// The boxes of front matter, where Markdown has none: they are no more done than others.
fn boxes_of_yaml(yaml: &str) -> Vec<TaskBox> {
    let read = |(line, number): (&str, usize)| {
        let (before, rest) = line.split_once('[')?;
        let (mark, text) = rest.split_once(']')?;
        let is_item = before.trim_end().ends_with(['-', '*', '+', '.', ')']);
        let ticked = !mark.trim().is_empty();
        (is_item && mark.chars().count() == 1).then(|| TaskBox {
            line: number,
            ticked,
            text: text.trim().to_owned(),
        })
    };
    yaml.lines().zip(1..).filter_map(read).collect()
}

/// The events of a Markdown text.
pub(crate) fn events(text: &str) -> OffsetIter<'_> {
    let options = Options::ENABLE_TABLES | Options::ENABLE_TASKLISTS | Options::ENABLE_STRIKETHROUGH;
    Parser::new_ext(text, options).into_offset_iter()
}

/// One pass over the Markdown.
struct Walk<'a> {
    body: &'a str,
    start: usize,
    lines: Lines,
    outline: Outline,
    /// The sections that are not closed yet, by their place in the outline.
    open: Vec<usize>,
    /// Quotes, lists and their like around this place.
    containers: usize,
    quotes: usize,
    heading: Heading,
    html: Html,
    /// The HTML block that is read.
    block: String,
    /// Pictures and what is struck out around this place: their text is none.
    left_out: usize,
}

/// Whether the text is a heading's.
#[derive(PartialEq)]
enum Heading {
    None,
    /// Of a section: its text so far.
    Section(String),
    /// In a container.
    Nested,
}

impl<'a> Walk<'a> {
    /// A walk over Markdown that begins at this byte of its file.
    fn new(body: &'a str, start: usize, lines: Lines) -> Self {
        Self {
            body,
            start,
            lines,
            outline: Outline::default(),
            open: Vec::new(),
            containers: 0,
            quotes: 0,
            heading: Heading::None,
            html: Html::default(),
            block: String::new(),
            left_out: 0,
        }
    }

    fn run(mut self) -> Outline {
        for (event, range) in events(self.body) {
            self.step(event, range);
        }
        self.close_to(0, self.body.len());
        self.outline
    }

    fn step(&mut self, event: Event<'_>, range: Range<usize>) {
        match event {
            Event::Start(Tag::Heading { level, .. }) => self.begin_heading(level as u8, range.start),
            Event::End(TagEnd::Heading(_)) => self.end_heading(),
            Event::End(TagEnd::HtmlBlock) => {
                self.html.read(&std::mem::take(&mut self.block));
            }
            Event::Html(html) => self.block.push_str(&html),
            Event::InlineHtml(html) => {
                self.html.read(&html);
            }
            Event::Start(tag) => self.enter(&tag),
            Event::End(tag) => self.leave(tag),
            Event::Text(text) | Event::Code(text) => self.text(&text),
            Event::SoftBreak | Event::HardBreak => self.text(" "),
            Event::TaskListMarker(ticked) if self.quotes == 0 => self.task(ticked, &range),
            _ => {}
        }
    }

    fn enter(&mut self, tag: &Tag<'_>) {
        if matches!(tag, Tag::Image { dest_url, .. } if !dest_url.trim().is_empty()) {
            self.fill();
        }
        self.left_out += usize::from(matches!(tag, Tag::Image { .. } | Tag::Strikethrough));
        self.quotes += usize::from(matches!(tag, Tag::BlockQuote(_)));
        self.containers += usize::from(matches!(tag, Tag::BlockQuote(_) | Tag::List(_)));
    }

    fn leave(&mut self, tag: TagEnd) {
        self.left_out -= usize::from(matches!(tag, TagEnd::Image | TagEnd::Strikethrough));
        self.quotes -= usize::from(matches!(tag, TagEnd::BlockQuote(_)));
        self.containers -= usize::from(matches!(tag, TagEnd::BlockQuote(_) | TagEnd::List(_)));
    }

    fn begin_heading(&mut self, level: u8, at: usize) {
        if self.containers > 0 {
            self.heading = Heading::Nested;
            return;
        }
        self.close_to(level, at);
        self.open.push(self.outline.sections.len());
        self.outline.sections.push(Section {
            title: String::new(),
            level,
            line: self.lines.number(at),
            filled: false,
            range: self.start + at..self.start + self.body.len(),
        });
        self.heading = Heading::Section(String::new());
    }

    fn end_heading(&mut self) {
        if let Heading::Section(title) = std::mem::replace(&mut self.heading, Heading::None)
            && let Some(section) = self.outline.sections.last_mut()
        {
            title.trim().clone_into(&mut section.title);
        }
    }

    /// Closes the sections that do not go on at a heading of this level.
    fn close_to(&mut self, level: u8, at: usize) {
        while let Some(section) = self.open.last().and_then(|last| self.outline.sections.get_mut(*last)) {
            if section.level < level {
                break;
            }
            section.range.end = self.start + at;
            self.open.pop();
        }
    }

    fn text(&mut self, text: &str) {
        if self.left_out > 0 {
            return;
        }
        match &mut self.heading {
            Heading::Section(title) => title.push_str(text),
            Heading::None if says_something(text) => self.fill(),
            Heading::None | Heading::Nested => {}
        }
    }

    fn fill(&mut self) {
        if self.heading != Heading::None || self.left_out > 0 || self.html.encloses() {
            return;
        }
        self.outline.filled = true;
        for open in self.open.iter().rev() {
            match self.outline.sections.get_mut(*open) {
                // Then so are those around it.
                Some(section) if section.filled => break,
                Some(section) => section.filled = true,
                None => {}
            }
        }
    }

    fn task(&mut self, ticked: bool, range: &Range<usize>) {
        let rest = self.body.get(range.end..).unwrap_or_default();
        let text = rest.lines().next().unwrap_or_default().trim().to_owned();
        self.outline.boxes.push(TaskBox { line: self.lines.number(range.start), ticked, text });
    }
}

/// Whether a text has a line with a letter or a digit in it, other than the process's own.
fn says_something(text: &str) -> bool {
    // These count as letters, and show nothing.
    let is_filler = |c: char| matches!(c, '\u{115f}' | '\u{1160}' | '\u{3164}' | '\u{ffa0}');
    let says = |line: &str| line.contains(|c: char| c.is_alphanumeric() && !is_filler(c));
    text.lines().any(|line| says(line) && !execution_log::is_checkpoint(line))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outline(text: &str) -> Outline {
        super::outline(&Artifact::of_text("a.md", text))
    }

    /// Each section as `<line>: <level> <title>`, with `(empty)` behind it if it is.
    fn sections(text: &str) -> Vec<String> {
        let shown = |section: &Section| {
            let empty = if section.filled { "" } else { " (empty)" };
            format!("{}: {} {}{empty}", section.line, section.level, section.title)
        };
        outline(text).sections.iter().map(shown).collect()
    }

    #[test]
    fn a_section_counts_with_its_subsections() {
        let text =
            "# Design\n\n## Architecture\n\n### Store\n\ntext\n\n## Testing\n\n### Unit\n\n# Next\n\ntext\n";
        let expected = [
            "1: 1 Design",
            "3: 2 Architecture",
            "5: 3 Store",
            "9: 2 Testing (empty)",
            "11: 3 Unit (empty)",
            "13: 1 Next",
        ];
        assert_eq!(sections(text), expected);
    }

    #[test]
    fn a_level_may_be_left_out() {
        assert_eq!(
            sections("### A\n\n# B\n\n#### C\n\ntext\n\n## D\n"),
            ["1: 3 A (empty)", "3: 1 B", "5: 4 C", "9: 2 D (empty)"]
        );
    }

    #[test]
    fn headings_in_code_quotes_lists_and_comments_are_none() {
        for text in [
            "```\n## A\n```\n",
            "~~~md\n## A\n~~~\n",
            "```\n## A\n",
            "    ## A\n",
            "> ## A\n",
            "- ## A\n",
            "1. text\n\n   ## A\n",
            "<!--\n## A\n-->\n",
            "<div>\n## A\n</div>\n",
            "#A\n",
            "####### A\n",
            "\\## A\n",
        ] {
            assert_eq!(sections(text), [""; 0], "{text:?}");
        }
    }

    #[test]
    fn headings_are_read_as_they_are_rendered() {
        let table = [
            ("## A ##\n", "A"),
            ("  ## A\n", "A"),
            ("A\n===\n", "A"),
            ("A\nB\n---\n", "A B"),
            ("## **Security** review `(gate)`\n", "Security review (gate)"),
            ("## [A](https://example.com)\n", "A"),
            ("## A <!-- b -->\n", "A"),
            ("## A &amp; B\r\n", "A & B"),
            ("##\n", ""),
            ("## ![A](picture.png)\n", ""),
            ("## ~~A~~\n", ""),
            ("## A ~~B~~\n", "A"),
        ];
        for (text, title) in table {
            let outline = outline(text);
            assert_eq!(outline.sections.len(), 1, "{text:?}");
            assert_eq!(outline.sections[0].title, title, "{text:?}");
        }
    }

    #[test]
    fn something_below_a_heading_fills_it() {
        for text in [
            "text",
            "- item",
            "- [ ] box",
            "> quote",
            "`code`",
            "```\ncode\n```",
            "    code",
            "| a |\n|---|",
            "![](picture.png)",
            "<!-- a -->\ntext",
            "<details>\n<summary>Log</summary>\n\ntext\n\n</details>",
            "<div hidden>\n\ntext\n\n</div>\n\ntext",
            "text<br>",
            "### 2026-01-31 — entry design\n\ntext",
            "N/A",
            "1",
            "https://example.com",
        ] {
            assert_eq!(sections(&format!("## A\n\n{text}\n"))[0], "1: 2 A", "{text:?}");
        }
    }

    #[test]
    fn comments_headings_and_space_do_not_fill_a_section() {
        for text in [
            "",
            " \t\n\n",
            "<!-- text -->",
            "<!--\n\ntext\n\n-->",
            "<!-- a --><!-- b -->",
            "<!-- unclosed\n\ntext",
            "<!-->",
            "### B",
            "> ### B",
            "- ### B",
            "-",
            "***",
            "```\n```",
            "&nbsp;",
            "\u{200b}\u{2060}\u{ad}\u{feff}\u{2800}\u{3164}\u{115f}\u{1160}\u{ffa0}\u{7}\u{e0041}",
            "&#x200b;",
            "\\",
            "—",
            "![]()",
            "![text]()",
            "~~text~~",
            "~~![text](picture.png)~~",
            "### ![text](picture.png)",
            "<p>text</p>",
            "<img src=\"picture.png\">",
            "<!-- a --> text",
            "<style>p { color: red }</style>",
            "<style>\n\ntext",
            "<div hidden>\n\ntext\n\n</div>",
            "<div>\n\n- text\n\n```\ncode\n```\n",
            "<b>text</b>",
            "### 2026-01-31 — entry design",
            "```\n\n### 2026-01-31 — entry design\n\n### 2026-02-01 — entry tasks-breakdown\n",
            "~~~md\n### 2026-01-31 — entry design\n~~~",
            "    ### 2026-01-31 — entry design",
            "> ```\n> ### 2026-01-31 — entry design",
            "<pre>\n\n### 2026-01-31 — entry design",
            "<script>\n\n### 2026-01-31 — entry design",
            "<!--\n\n### 2026-01-31 — entry design",
            "<br>",
            "<details>\n</details>",
            "[a]: https://example.com",
            "## B\n\ntext",
        ] {
            let found = sections(&format!("## A\n\n{text}\n"));
            assert_eq!(found[0], "1: 2 A (empty)", "{text:?}");
        }
    }

    #[test]
    fn boxes_are_found_wherever_a_list_can_stand() {
        let text = "# Tasks\n\n- [x] one\n- [ ] two\r\n  * [X] three\n1. [ ] four\n\n> - [ ] quoted\n\n```\n- [ ] code\n```\n\
                    <!--\n- [ ] comment\n-->\n- [ ]\n- [] none\n- [-] none\n[ ] none\n";
        let boxes: Vec<_> = outline(text).boxes;
        let boxes: Vec<_> = boxes.iter().map(|task| (task.line, task.ticked, task.text.as_str())).collect();
        assert_eq!(
            boxes,
            [(3, true, "one"), (4, false, "two"), (5, true, "three"), (6, false, "four"), (16, false, "")]
        );
    }

    #[test]
    fn boxes_of_front_matter_are_boxes() {
        for (text, lines) in [
            (
                "---\nnote: |\n    - [ ] one\n  1. [x] two\nrepos: [ ]\nlist: []\n---\n- [ ] three\n",
                vec![(3, false), (4, true), (8, false)],
            ),
            ("---\nstatus: [\n- [ ] one\n---\n", vec![(3, false)]),
            ("---\nstatus: approved\n\n- [ ] one\n", vec![(4, false)]),
        ] {
            let found: Vec<_> = outline(text).boxes.iter().map(|task| (task.line, task.ticked)).collect();
            assert_eq!(found, lines, "{text:?}");
        }
    }

    #[test]
    fn a_text_with_nothing_but_headings_is_not_filled() {
        for (text, filled) in [("", false), ("# A\n\n<!-- b -->\n", false), ("a", true), ("# A\n\nb\n", true)]
        {
            assert_eq!(outline(text).filled, filled, "{text:?}");
        }
    }

    #[test]
    fn an_empty_text_has_nothing() {
        for text in ["", "\n", "\u{feff}", "---\nstatus: approved\n---\n"] {
            assert_eq!(outline(text), Outline::default(), "{text:?}");
        }
    }
}
