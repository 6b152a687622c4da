//! From Markdown to an outline.

use std::ops::Range;

use pulldown_cmark::{Event, OffsetIter, Options, Parser, Tag, TagEnd};

use super::html::shows_something;
use super::{Outline, Section, TaskBox};
use crate::artifact::Artifact;
use crate::artifact::lines::Lines;

/// The outline of an artifact.
pub(in crate::artifact) fn outline(artifact: &Artifact) -> Outline {
    Walk::new(artifact).run()
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
    html: Option<String>,
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
    fn new(artifact: &'a Artifact) -> Self {
        Self {
            body: artifact.body(),
            start: artifact.body_start(),
            lines: artifact.lines(),
            outline: Outline::default(),
            open: Vec::new(),
            containers: 0,
            quotes: 0,
            heading: Heading::None,
            html: None,
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
            Event::Start(Tag::HtmlBlock) => self.html = Some(String::new()),
            Event::End(TagEnd::HtmlBlock) => self.end_html(),
            Event::Html(html) => {
                if let Some(block) = &mut self.html {
                    block.push_str(&html);
                }
            }
            Event::Start(Tag::Image { .. }) => self.fill(),
            Event::Start(tag) => self.enter(&tag),
            Event::End(tag) => self.leave(tag),
            Event::Text(text) | Event::Code(text) => self.text(&text),
            Event::SoftBreak | Event::HardBreak => self.text(" "),
            Event::TaskListMarker(ticked) if self.quotes == 0 => self.task(ticked, &range),
            _ => {}
        }
    }

    fn enter(&mut self, tag: &Tag<'_>) {
        self.quotes += usize::from(matches!(tag, Tag::BlockQuote(_)));
        self.containers += usize::from(matches!(tag, Tag::BlockQuote(_) | Tag::List(_)));
    }

    fn leave(&mut self, tag: TagEnd) {
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

    fn end_html(&mut self) {
        if self.html.take().is_some_and(|html| shows_something(&html)) {
            self.fill();
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
        match &mut self.heading {
            Heading::Section(title) => title.push_str(text),
            Heading::Nested => {}
            Heading::None if text.trim().is_empty() => {}
            Heading::None => self.fill(),
        }
    }

    fn fill(&mut self) {
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
            "<p>text</p>",
            "<img src=\"picture.png\">",
            "<!-- a --> text",
            "<details>\n<summary>Log</summary>\n</details>",
            "https://example.com",
        ] {
            assert_eq!(sections(&format!("## A\n\n{text}\n")), ["1: 2 A"], "{text:?}");
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
    fn an_empty_text_has_nothing() {
        for text in ["", "\n", "\u{feff}", "---\nstatus: approved\n---\n"] {
            assert_eq!(outline(text), Outline::default(), "{text:?}");
        }
    }
}
