//! Sections and boxes.

use std::ops::Range;

use crate::artifact::words::folded;

/// What stands in an artifact.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Outline {
    /// Its headings and what stands below each, from top to bottom. Headings in code, quotes and lists are none.
    pub sections: Vec<Section>,
    /// The boxes of its task lists, from top to bottom, those in its front matter included. Those in quotes are somebody else's.
    pub boxes: Vec<TaskBox>,
    /// Whether there is anything in it, as in a [`Section`].
    pub filled: bool,
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
    /// Whether there is anything below it, its subsections included: a picture, or text with a letter or a digit in it. Headings,
    /// what is struck out, HTML, what it encloses, and checkpoints of the process are nothing.
    pub filled: bool,
    /// From the heading's first byte to the section's last, in the file.
    pub(in crate::artifact) range: Range<usize>,
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
        plain(&self.title) == plain(title)
    }
}

impl Outline {
    /// The section of this title: of several, the first that has something in it.
    pub fn section(&self, title: &str) -> Option<&Section> {
        let mut titled = self.sections.iter().filter(|section| section.is_titled(title));
        let first = titled.next()?;
        if first.filled { Some(first) } else { titled.find(|section| section.filled).or(Some(first)) }
    }
}

fn plain(title: &str) -> String {
    folded(title.trim().trim_end_matches(':'))
}

#[cfg(test)]
mod tests {
    use crate::artifact::{Artifact, Outline};

    fn outline(text: &str) -> Outline {
        Artifact::of_text("a.md", text).outline()
    }

    #[test]
    fn a_title_is_compared_whole() {
        let table = [
            ("Review cycles", true),
            ("review  CYCLES", true),
            ("Review cycles:", true),
            ("Review cycles (2)", false),
            ("1. Review cycles", false),
            ("Review", false),
            ("", false),
        ];
        for (title, expected) in table {
            let outline = outline(&format!("## {title}\n"));
            assert_eq!(outline.section("Review cycles").is_some(), expected, "{title:?}");
        }
    }

    #[test]
    fn of_several_sections_of_a_title_the_first_filled_one_counts() {
        let outline = outline("## A\n\n## A\n\ntext\n\n## A\n\ntext\n");
        assert_eq!(outline.section("a").map(|section| section.line), Some(3));
    }
}
