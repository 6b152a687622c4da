//! One artifact, read.

use std::fs::{self, File, FileType};
use std::io::{self, Read as _};

use camino::Utf8Path;

use super::lines::Lines;
use super::{ArtifactError, FrontMatter, Outline, front_matter, outline};

/// The size that an artifact may have.
pub const MAX_BYTES: u64 = 1024 * 1024;

/// One artifact, as it stands in an item's folder.
#[derive(Debug, Clone)]
pub struct Artifact {
    file: String,
    text: String,
}

impl Artifact {
    /// Reads a file of an item's folder; none if there is none.
    ///
    /// Only a regular file is opened: a link may lead out of the item's folder, and a pipe has no end.
    ///
    /// # Errors
    /// It is no regular file, larger than [`MAX_BYTES`], no UTF-8, or cannot be read.
    pub fn read(folder: &Utf8Path, file: &str) -> Result<Option<Self>, ArtifactError> {
        let path = folder.join(file);
        let failed = |source| ArtifactError::Io { file: file.to_owned(), source };
        let kind = match fs::symlink_metadata(&path) {
            Ok(metadata) => metadata.file_type(),
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(failed(error)),
        };
        if !kind.is_file() {
            return Err(ArtifactError::NotAFile { file: file.to_owned(), found: name_of(kind) });
        }
        let mut bytes = Vec::new();
        File::open(&path)
            .and_then(|opened| opened.take(MAX_BYTES + 1).read_to_end(&mut bytes))
            .map_err(failed)?;
        if bytes.len() as u64 > MAX_BYTES {
            return Err(ArtifactError::TooLarge { file: file.to_owned(), limit: MAX_BYTES });
        }
        match String::from_utf8(bytes) {
            Ok(text) => Ok(Some(Self::of_text(file, text))),
            Err(error) => {
                let valid = error.as_bytes().iter().take(error.utf8_error().valid_up_to());
                let line = valid.filter(|byte| **byte == b'\n').count() + 1;
                Err(ArtifactError::NotText { file: file.to_owned(), line })
            }
        }
    }

    /// An artifact of this text.
    pub fn of_text(file: impl Into<String>, text: impl Into<String>) -> Self {
        Self { file: file.into(), text: text.into() }
    }

    /// Its file's name.
    pub fn file(&self) -> &str {
        &self.file
    }

    /// All of its text, with the front matter and as it stands in the file.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Its front matter; none if it has none.
    ///
    /// # Errors
    /// The front matter is not closed, no YAML, or no map.
    pub fn front_matter(&self) -> Result<Option<FrontMatter>, ArtifactError> {
        FrontMatter::read(&self.file, &self.text)
    }

    /// Its sections and boxes.
    pub fn outline(&self) -> Outline {
        outline::outline(self)
    }

    /// Its Markdown: what follows the front matter.
    pub fn body(&self) -> &str {
        self.text.get(self.body_start()..).unwrap_or_default()
    }

    /// Where the Markdown begins, in bytes.
    pub(crate) fn body_start(&self) -> usize {
        front_matter::end(&self.text)
    }

    /// The lines of its Markdown.
    pub(crate) fn lines(&self) -> Lines {
        let before = self.text.get(..self.body_start()).unwrap_or_default();
        Lines::of(self.body(), before.matches('\n').count() + 1)
    }
}

fn name_of(kind: FileType) -> &'static str {
    if kind.is_dir() {
        "a folder"
    } else if kind.is_symlink() {
        "a symbolic link"
    } else {
        "no regular file"
    }
}
