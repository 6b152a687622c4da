//! Which folders are tests.

use camino::Utf8Path;

/// Which folders are tests.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FolderRule {
    /// The file that makes a folder a test.
    pub manifest: &'static str,
    /// The folder that a test keeps its other files in.
    pub contents: &'static str,
}

impl FolderRule {
    /// Whether a folder is a test. A manifest that cannot be read counts, so that somebody says so.
    pub fn is_test(&self, folder: &Utf8Path) -> bool {
        folder.join(self.manifest).symlink_metadata().is_ok()
    }

    /// Whether a folder looks like a test without its manifest.
    pub(super) fn has_contents(&self, folder: &Utf8Path) -> bool {
        folder.join(self.contents).is_dir()
    }
}
