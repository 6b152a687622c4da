//! The programs under test.

use std::path::{Path, PathBuf};

/// A program under test.
#[derive(Debug, Clone)]
pub struct Program {
    name: String,
    path: PathBuf,
}

impl Program {
    /// The program of this name; `path` is what cargo says of it: `env!("CARGO_BIN_EXE_<name>")`.
    pub fn new(name: &str, path: impl Into<PathBuf>) -> Self {
        Self { name: name.to_owned(), path: path.into() }
    }

    /// Another program of the workspace, which was built beside this one.
    ///
    /// # Panics
    /// It was not built.
    #[must_use]
    pub fn beside(&self, name: &str) -> Self {
        let path = self.path.with_file_name(name);
        assert!(path.is_file(), "{} is not there; cargo build --workspace --bins", path.display());
        Self::new(name, path)
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The variable that holds its path in a line of `sh`: `WT` for `wt`, `OMW_TEST` for `omw-test`.
    pub fn variable(&self) -> String {
        self.name.to_uppercase().replace('-', "_")
    }
}
