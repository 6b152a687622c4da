//! What an artifact says of itself, before its text.

use windtunnel_doc::{At, Document, Fault, Format, Limits, Node, NodeValue, Path};

use super::ArtifactError;

/// What the front matter of an artifact that is locked says: a person approved it.
pub(crate) const LOCK: (&str, &str) = ("status", "approved");

/// The line before and after it.
const FENCE: &str = "---";

/// A line that ends YAML as well.
const END: &str = "...";

const LIMITS: Limits = Limits { max_bytes: 64 * 1024, max_depth: 16, max_nodes: 2_000 };

/// What an artifact says of itself: YAML after a first line `---`, up to the next line `---` or `...`.
#[derive(Debug, Clone)]
pub struct FrontMatter {
    document: Document,
}

impl FrontMatter {
    pub(super) fn read(file: &str, text: &str) -> Result<Option<Self>, ArtifactError> {
        let Some(yaml) = opened(text) else { return Ok(None) };
        let Some((yaml, _)) = closed(yaml) else {
            return Err(ArtifactError::Unclosed { file: file.to_owned() });
        };
        // An empty line stands for the fence, so that lines are counted as they are in the file.
        let document = Document::parse(file, format!("\n{yaml}"), Format::Yaml, &LIMITS)?;
        if !matches!(document.root().value, NodeValue::Map(_) | NodeValue::Null) {
            let message = "this is no map; expected lines as in \"status: approved\"";
            document.diagnose(vec![Fault::new(Path::root(), message)])?;
        }
        Ok(Some(Self { document }))
    }

    /// The value of a key.
    pub fn get(&self, key: &str) -> Option<&Node> {
        self.document.root().get(key)
    }

    /// The text of a key, if it has one.
    pub fn text(&self, key: &str) -> Option<&str> {
        self.get(key)?.as_str()
    }

    /// The line in the file that a key's value stands in; without such a key, the first.
    pub fn line(&self, key: &str) -> usize {
        if self.get(key).is_none() {
            return 1;
        }
        self.line_at(self.document.span(&Path::root().then(key), At::Value).start)
    }

    /// The line in the file that one of its values stands in.
    pub(crate) fn line_of(&self, value: &Node) -> usize {
        self.line_at(value.span.start)
    }

    fn line_at(&self, byte: usize) -> usize {
        self.document.text().get(..byte).unwrap_or_default().matches('\n').count() + 1
    }
}

/// Where the front matter ends and the Markdown begins, in bytes.
pub(super) fn end(text: &str) -> usize {
    match opened(text).and_then(closed) {
        Some((_, rest)) => text.len() - rest.len(),
        None => text.len() - without_mark(text).len(),
    }
}

/// What follows the opening fence, if there is one.
fn opened(text: &str) -> Option<&str> {
    let (first, rest) = without_mark(text).split_once('\n')?;
    (first.trim_end() == FENCE).then_some(rest)
}

/// What stands before the closing fence, and what after it.
fn closed(text: &str) -> Option<(&str, &str)> {
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        if matches!(line.trim_end(), FENCE | END) {
            return Some((text.get(..start)?, text.get(start + line.len()..)?));
        }
        start += line.len();
    }
    None
}

/// A text without its byte order mark.
fn without_mark(text: &str) -> &str {
    text.strip_prefix('\u{feff}').unwrap_or(text)
}

#[cfg(test)]
mod tests {
    use super::super::Artifact;
    use super::*;

    fn of(text: &str) -> Result<Option<FrontMatter>, String> {
        Artifact::of_text("a.md", text).front_matter().map_err(|error| error.to_string())
    }

    #[test]
    fn front_matter_is_read_where_the_file_begins_with_it() {
        let table = [
            ("", None),
            ("# A\n\n---\nstatus: approved\n---\n", None),
            ("\n---\nstatus: approved\n---\n", None),
            ("----\nstatus: approved\n----\n", None),
            ("---\n---\n", Some(None)),
            ("---\n# a comment\n---\n", Some(None)),
            ("---\nstatus: approved\n---\n", Some(Some("approved"))),
            ("---\nstatus: approved\n---", Some(Some("approved"))),
            ("---  \r\nstatus: approved\r\n---\t\r\nText\r\n", Some(Some("approved"))),
            ("\u{feff}---\nstatus: approved\n---\n", Some(Some("approved"))),
            ("\u{feff}---\r\nstatus: \"approved\"\r\n---\r\n", Some(Some("approved"))),
            ("---\nother: 1\n...\nstatus: approved\n---\n", Some(None)),
            ("---\n...\n---\nstatus: approved\n---\n", Some(None)),
            ("---\nother: 1\n---\n\n---\nstatus: approved\n---\n", Some(None)),
        ];
        for (text, expected) in table {
            let read = of(text).unwrap();
            assert_eq!(read.as_ref().map(|front| front.text("status")), expected, "{text:?}");
        }
    }

    #[test]
    fn malformed_front_matter_is_named_with_its_line() {
        let table = [
            (
                "---\nstatus: approved\n# A\n",
                "a.md:1: the front matter has no end; expected a second line ---",
            ),
            ("---\nstatus: [approved\n---\n", "a.md:2:9: unclosed bracket '['"),
            (
                "---\nstatus: a\nstatus: b\n---\n",
                "a.md:3:1: the key \"status\" is already given above; keep one of the two",
            ),
            ("---\n- approved\n---\n", "a.md:2:1: this is no map; expected lines as in \"status: approved\""),
        ];
        let read = table.map(|(text, _)| of(text).unwrap_err());
        assert_eq!(read, table.map(|(_, expected)| expected));
    }

    #[test]
    fn lines_are_those_of_the_file() {
        for text in
            ["---\nid: 1\n\nstatus: x\n---\n# A\n", "\u{feff}---\r\nid: 1\r\n\r\nstatus: x\r\n---\r\n# A\r\n"]
        {
            let artifact = Artifact::of_text("a.md", text);
            let front = artifact.front_matter().unwrap().unwrap();
            assert_eq!((front.line("status"), front.line("absent")), (4, 1), "{text:?}");
            assert_eq!(artifact.outline().sections[0].line, 6, "{text:?}");
        }
    }
}
