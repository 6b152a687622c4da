//! Names of artifacts, and what is found under them.

use std::fmt;

use camino::Utf8Path;
use serde::{Deserialize, Deserializer, de};

use super::{Artifact, ArtifactError};

/// A file name of more bytes than this is none on the usual file systems.
pub(crate) const MAX_NAME_BYTES: usize = 255;

/// One artifact under one of several names, as in `requirements.md|bugfix.md`.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ArtifactName(Vec<String>);

impl ArtifactName {
    /// Reads a name.
    ///
    /// # Errors
    /// One of the names is empty or no plain file name.
    pub fn parse(text: &str) -> Result<Self, String> {
        let names: Vec<String> = text.split('|').map(|name| name.trim().to_owned()).collect();
        match names.iter().find(|name| !is_plain(name)) {
            Some(name) => Err(format!(
                "{name:?} is no name of an artifact; expected a plain file name as in \"design.md\", of at most \
                 {MAX_NAME_BYTES} bytes, several joined by |"
            )),
            None => Ok(Self(names)),
        }
    }

    /// The names it may stand under.
    pub fn alternatives(&self) -> &[String] {
        &self.0
    }

    /// Whether one of its names is also one of the other's.
    pub fn shares_a_name(&self, other: &Self) -> bool {
        self.0.iter().any(|name| other.0.contains(name))
    }

    /// What stands under its names in an item's folder; none if nothing does.
    ///
    /// # Errors
    /// Something stands under several of them, or it cannot be read.
    pub fn find(&self, folder: &Utf8Path) -> Result<Option<Artifact>, ArtifactError> {
        let is_there = |name: &&String| folder.join(name).symlink_metadata().is_ok();
        let there: Vec<&String> = self.0.iter().filter(is_there).collect();
        match there.as_slice() {
            [] => Ok(None),
            [name] => Artifact::read(folder, name),
            _ => Err(ArtifactError::Ambiguous { files: there.into_iter().cloned().collect() }),
        }
    }

    /// Its names as a sentence has them: `requirements.md or bugfix.md`.
    pub(crate) fn in_words(&self) -> String {
        self.0.join(" or ")
    }
}

/// Whether this is the name of a file on every platform, and of no hidden one.
fn is_plain(name: &str) -> bool {
    let strange = |c: char| c.is_control() || matches!(c, '/' | '\\' | ':');
    (1..=MAX_NAME_BYTES).contains(&name.len()) && !name.starts_with('.') && !name.contains(strange)
}

impl fmt::Display for ArtifactName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.join("|"))
    }
}

impl<'de> Deserialize<'de> for ArtifactName {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::parse(&String::deserialize(deserializer)?).map_err(de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_a_plain_file_name() {
        for name in ["design.md", "requirements.md | bugfix.md", "Entwurf ä.md"] {
            assert!(ArtifactName::parse(name).is_ok(), "{name}");
        }
        for name in ["", "a.md|", "../a.md", "/etc/passwd", ".", "..", ".git", "C:a.md", "a\\b.md", "a\0.md"]
        {
            assert!(ArtifactName::parse(name).is_err(), "{name:?}");
        }
        assert!(ArtifactName::parse(&"ä".repeat(127)).is_ok());
        assert!(ArtifactName::parse(&"ä".repeat(128)).is_err());
    }
}
