//! Finding `wt.toml`.

use camino::{Utf8Path, Utf8PathBuf};

/// The name of the configuration file.
pub(crate) const FILE: &str = "wt.toml";

/// The nearest `wt.toml` in this folder, or that of this file, or above.
pub(crate) fn nearest(path: &Utf8Path) -> Option<Utf8PathBuf> {
    let absolute = path.canonicalize_utf8().ok()?;
    absolute.ancestors().map(|folder| folder.join(FILE)).find(|file| file.is_file())
}
