//! The three formats, and what each calls its collections.

use std::fmt;

use camino::Utf8Path;

/// A file format that a document can be written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Format {
    /// TOML 1.1. Dates and times are read as strings.
    Toml,
    /// YAML 1.2, one document per file. `yes`, `no`, `0755` and `1_000` are strings.
    Yaml,
    /// JSON as in RFC 8259: no comments, no trailing commas.
    Json,
}

impl Format {
    /// The format that a file name's extension stands for, in either case: `.toml`, `.yaml` or `.yml`, `.json`.
    pub fn from_path(path: &Utf8Path) -> Option<Self> {
        match path.extension()?.to_ascii_lowercase().as_str() {
            "toml" => Some(Self::Toml),
            "yaml" | "yml" => Some(Self::Yaml),
            "json" => Some(Self::Json),
            _ => None,
        }
    }

    /// What this format calls a map, with its article.
    pub(crate) fn map_noun(self) -> &'static str {
        match self {
            Self::Toml => "a table",
            Self::Yaml => "a mapping",
            Self::Json => "an object",
        }
    }

    /// What this format calls a list, with its article.
    pub(crate) fn list_noun(self) -> &'static str {
        match self {
            Self::Toml | Self::Json => "an array",
            Self::Yaml => "a list",
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Toml => "TOML",
            Self::Yaml => "YAML",
            Self::Json => "JSON",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_extension_decides_the_format() {
        let table = [
            ("pack.toml", Some(Format::Toml)),
            ("a.scenario.yaml", Some(Format::Yaml)),
            ("dir.json/a.yml", Some(Format::Yaml)),
            ("orders.universe.json", Some(Format::Json)),
            ("OMW.TOML", Some(Format::Toml)),
            ("notes.md", None),
            ("toml", None),
            ("", None),
        ];
        for (path, format) in table {
            assert_eq!(Format::from_path(Utf8Path::new(path)), format, "{path}");
        }
    }
}
