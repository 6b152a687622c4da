//! Names of artifacts.

use std::fmt;

use serde::{Deserialize, Deserializer, de};

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
        match names.iter().find(|name| name.is_empty() || name.contains(['/', '\\']) || name.starts_with('.'))
        {
            Some(name) => Err(format!(
                "{name:?} is no name of an artifact; expected a plain file name as in \"design.md\", several joined by |"
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
