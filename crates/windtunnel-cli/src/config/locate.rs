//! Finding `wt.toml`.

use camino::{Utf8Path, Utf8PathBuf};

/// The name of the configuration file.
pub(crate) const FILE: &str = "wt.toml";

/// The nearest `wt.toml` in this folder, or that of this file, or above. One in the working folder goes by its bare name.
pub(crate) fn nearest(path: &Utf8Path) -> Option<Utf8PathBuf> {
    let here = Utf8Path::new(".").canonicalize_utf8().ok()?;
    let absolute = path.canonicalize_utf8().ok()?;
    let file = absolute.ancestors().map(|folder| folder.join(FILE)).find(|file| file.is_file())?;
    Some(if file.parent() == Some(&here) { FILE.into() } else { file })
}
