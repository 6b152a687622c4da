//! What stands in an artifact: its sections and boxes.

use std::ops::Range;

use pulldown_cmark::{Event, OffsetIter, Options, Parser, Tag, TagEnd};

use super::Artifact;
use super::lines::Lines;

/// What stands in an artifact.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Outline {
    /// Its headings and what stands below each, from top to bottom. Headings in code, quotes and lists are none.
    pub sections: Vec<Section>,
    /// The boxes of its task lists, from top to bottom. Those in quotes are somebody else's.
    pub boxes: Vec<TaskBox>,
}

/// A heading and what stands below it, up to the next one of its level or a higher one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Section {
    /// The heading's text, without markup.
    pub title: String,
    /// The heading's level, from 1.
    pub level: u8,
    /// The heading's line in the file.
    pub line: usize,
    /// Whether there is anything below it, its subsections included. Headings and HTML comments are nothing.
    pub filled: bool,
    /// From the heading's first byte to the section's last, in the file.
    pub(crate) range: Range<usize>,
}

/// A box of a task list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TaskBox {
    /// Its line in the file.
    pub line: usize,
    /// Whether it is ticked.
    pub ticked: bool,
    /// What follows it in its line.
    pub text: String,
}

impl Section {
    /// Whether this is its title: compared whole, whatever the case, without spaces around it and a colon after it.
    pub fn is_titled(&self, title: &str) -> bool {
        folded(&self.title) == folded(title)
    }
}

impl Outline {
    pub(super) fn of(artifact: &Artifact) -> Self {
        Walk::new(artifact).run()
    }

    /// The section of this title: of several, the first that has something in it.
    pub fn section(&self, title: &str) -> Option<&Section> {
        let mut titled = self.sections.iter().filter(|section| section.is_titled(title));
        let first = titled.next()?;
        if first.filled { Some(first) } else { titled.find(|section| section.filled).or(Some(first)) }
    }
}

/// The events of a Markdown text.
pub(crate) fn events(text: &str) -> OffsetIter<'_> {
    let options = Options::ENABLE_TABLES | Options::ENABLE_TASKLISTS | Options::ENABLE_STRIKETHROUGH;
    Parser::new_ext(text, options).into_offset_iter()
}

fn folded(title: &str) -> String {
    let words: Vec<&str> = title.trim().trim_end_matches(':').split_whitespace().collect();
    words.join(" ").to_lowercase()
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
            Event::End(TagEnd::HtmlBlock) => {
                if self.html.take().is_some_and(|html| shows_something(&html)) {
                    self.fill();
                }
            }
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
            section.title = title.trim().to_owned();
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

/// Whether HTML shows anything: text outside of tags and comments, or a picture.
fn shows_something(html: &str) -> bool {
    let mut rest = html;
    loop {
        let Some(at) = rest.find('<') else { return !rest.trim().is_empty() };
        let (before, tag) = rest.split_at(at);
        if !before.trim().is_empty() || tag.get(..4).is_some_and(|name| name.eq_ignore_ascii_case("<img")) {
            return true;
        }
        let end = if tag.starts_with("<!--") { "-->" } else { ">" };
        // `<!-->` is a comment as well: its end may overlap its beginning.
        let from = if end == "-->" { 2 } else { 1 };
        match tag.get(from..).and_then(|inner| inner.find(end)) {
            Some(length) => rest = tag.get(from + length + end.len()..).unwrap_or_default(),
            None => return false,
        }
    }
}
