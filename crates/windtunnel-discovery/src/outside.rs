//! What a pack names on disk: it has to be there, and inside of the pack once symlinks are resolved.

use camino::{Utf8Path, Utf8PathBuf};
use thiserror::Error;
use windtunnel_api::PackManifest;
use windtunnel_doc::{Fault, Path};

/// What is wrong with the folder that workspaces start from.
pub(crate) fn workspace(manifest: &PackManifest, dir: &Utf8Path) -> Option<Fault> {
    let folder = manifest.workspace.as_ref()?.files.as_deref()?;
    let fault = |message: String, help: &str| {
        Some(Fault::new(Path::root().then("workspace").then("files"), message).with_help(help))
    };
    match inside(dir, folder) {
        Ok(path) if path.is_dir() => None,
        Ok(_) => fault(
            format!("{folder} is not a folder"),
            "name the folder whose contents the workspace starts from",
        ),
        Err(Outside::Unreadable(error)) => {
            fault(format!("cannot read the folder {folder}: {error}"), "make the folder, or correct its name")
        }
        Err(Outside::LeadsTo(path)) => {
            fault(format!("{folder} leads out of the pack, to {path}"), "copy the files into the pack")
        }
    }
}

/// Whether a file of the pack is one. A fault says nothing of the place that names it.
pub(crate) fn file(dir: &Utf8Path, file: &Utf8Path) -> Result<(), Fault> {
    let fault = |message: String, help: &str| Err(Fault::new(Path::root(), message).with_help(help));
    match inside(dir, file) {
        Ok(path) if path.is_file() => Ok(()),
        Ok(_) => fault(format!("{file} is not a file"), "name a file such as \"orders.universe.json\""),
        Err(Outside::Unreadable(error)) => {
            fault(format!("cannot read the file {file}: {error}"), "make the file, or correct its name")
        }
        Err(Outside::LeadsTo(path)) => {
            fault(format!("{file} leads out of the pack, to {path}"), "copy the file into the pack")
        }
    }
}

/// Why a path names nothing inside of a pack.
#[derive(Debug, Error)]
pub enum Outside {
    /// It, or the pack, cannot be looked at.
    #[error("cannot be read: {0}")]
    Unreadable(#[from] std::io::Error),
    /// It is this place elsewhere.
    #[error("leads out of the pack, to {0}")]
    LeadsTo(Utf8PathBuf),
}

/// Where a path of the pack in `dir` leads, once symbolic links are resolved.
///
/// # Errors
/// It leads nowhere, or out of the pack.
pub fn inside(dir: &Utf8Path, path: &Utf8Path) -> Result<Utf8PathBuf, Outside> {
    let (real, root) = (dir.join(path).canonicalize_utf8()?, dir.canonicalize_utf8()?);
    if real.starts_with(&root) { Ok(real) } else { Err(Outside::LeadsTo(real)) }
}
