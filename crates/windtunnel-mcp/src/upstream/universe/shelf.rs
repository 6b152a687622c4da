//! The universe files that were read, each once.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

use camino::{Utf8Path, Utf8PathBuf};
use windtunnel_api::universe::Universe;
use windtunnel_doc::{Document, Format};
use windtunnel_spi::ToolError;

use super::library::Library;

/// Libraries by their files, read again only where a file has changed.
#[derive(Debug, Default)]
pub(crate) struct Shelf(Mutex<HashMap<Utf8PathBuf, (Edition, Arc<Library>)>>);

/// What tells that a file has changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Edition {
    modified: Option<SystemTime>,
    bytes: u64,
}

impl Shelf {
    /// The library of a pack's file.
    ///
    /// # Errors
    /// It is not there, leads out of the pack, or is malformed.
    pub(crate) fn library(
        &self,
        server: &str,
        pack: &Utf8Path,
        file: &Utf8Path,
    ) -> Result<Arc<Library>, ToolError> {
        let failed = |why: String| ToolError::new(server, why);
        let unreadable = |error: std::io::Error| failed(format!("file {file} cannot be read: {error}"));
        let path = pack.join(file).canonicalize_utf8().map_err(unreadable)?;
        if !path.starts_with(pack.canonicalize_utf8().map_err(unreadable)?) {
            return Err(failed(format!(
                "file {file} leads out of the pack, to {path}; copy it into the pack"
            )));
        }
        let metadata = path.metadata().map_err(unreadable)?;
        let edition = Edition { modified: metadata.modified().ok(), bytes: metadata.len() };
        let mut read = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((known, library)) = read.get(&path)
            && *known == edition
        {
            return Ok(Arc::clone(library));
        }
        let universe = Document::read_as(&path, Format::Json, &Universe::limits())
            .and_then(|document| Universe::of_document(&document))
            .map_err(|problems| failed(problems.to_string()))?;
        let library = Arc::new(Library::new(universe));
        read.insert(path, (edition, Arc::clone(&library)));
        Ok(library)
    }
}
