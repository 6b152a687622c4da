//! Changing an artifact in place.

use std::fs::File;
use std::io::{self, Write as _};

use camino::Utf8Path;

use super::Artifact;

/// Replaces the text of an artifact: whole, or not at all. Its file keeps its permissions.
///
/// What only adds to its end is added to the file in one write, which is much cheaper than another file in its place.
pub(crate) fn replace(folder: &Utf8Path, artifact: &Artifact, text: &str) -> io::Result<()> {
    let path = folder.join(artifact.file());
    if let Some(addition) = text.strip_prefix(artifact.text()) {
        return File::options().append(true).open(path)?.write_all(addition.as_bytes());
    }
    let mut temporary = tempfile::Builder::new().prefix(".artifact-").tempfile_in(folder)?;
    temporary.write_all(text.as_bytes())?;
    temporary.as_file().set_permissions(path.metadata()?.permissions())?;
    temporary.persist(&path)?;
    Ok(())
}

/// The text with a paragraph at its end.
pub(crate) fn appended(artifact: &Artifact, paragraph: &str) -> String {
    inserted(artifact, artifact.text().len(), paragraph)
}

/// The text with a paragraph at the end of a section, which is made if there is none. None if it ends with it already.
pub(crate) fn appended_to_section(artifact: &Artifact, title: &str, paragraph: &str) -> Option<String> {
    let outline = artifact.outline();
    let Some(section) = outline.section(title) else {
        return Some(appended(artifact, &format!("## {title}\n\n{paragraph}")));
    };
    let text = artifact.text().get(section.range.clone()).unwrap_or_default();
    let ends_with_it = text.replace("\r\n", "\n").trim_end().ends_with(paragraph);
    (!ends_with_it).then(|| inserted(artifact, section.range.end, paragraph))
}

/// The text with a paragraph at this place, which is the beginning of a line or the end; with the line ends of the file.
fn inserted(artifact: &Artifact, at: usize, paragraph: &str) -> String {
    let (before, after) = artifact.text().split_at_checked(at).unwrap_or((artifact.text(), ""));
    let end = if before.split_inclusive('\n').next().is_some_and(|line| line.ends_with("\r\n")) {
        "\r\n"
    } else {
        "\n"
    };
    let before = before.trim_end();
    let gap = if before.is_empty() { String::new() } else { end.repeat(2) };
    let paragraph = paragraph.replace('\n', end);
    let rest = if after.is_empty() { String::new() } else { format!("{end}{after}") };
    format!("{before}{gap}{paragraph}{end}{rest}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn recorded(text: &str) -> Option<String> {
        appended_to_section(&Artifact::of_text("a.md", text), "Review comments", "- entry\n\n  > text")
    }

    #[test]
    fn a_paragraph_goes_to_the_end_of_its_section() {
        let table = [
            ("", "## Review comments\n\n- entry\n\n  > text\n"),
            ("# A\n\ntext", "# A\n\ntext\n\n## Review comments\n\n- entry\n\n  > text\n"),
            ("## Review comments\n", "## Review comments\n\n- entry\n\n  > text\n"),
            (
                "## Review comments\n\n- old\n\n### Round 1\n\n\n## Next\n",
                "## Review comments\n\n- old\n\n### Round 1\n\n- entry\n\n  > text\n\n## Next\n",
            ),
            (
                "# A\r\n\r\ntext\r\n",
                "# A\r\n\r\ntext\r\n\r\n## Review comments\r\n\r\n- entry\r\n\r\n  > text\r\n",
            ),
        ];
        for (text, expected) in table {
            assert_eq!(recorded(text).as_deref(), Some(expected), "{text:?}");
            assert_eq!(recorded(expected), None, "written twice: {expected:?}");
        }
    }
}
