//! The files of a scenario's `artifacts/`, and nothing outside of it.

use std::fs::File;
use std::io::{self, Read as _};
use std::sync::Arc;

use camino::{Utf8Path, Utf8PathBuf};
use indexmap::IndexMap;
use windtunnel_doc::nearest;

use super::ARTIFACTS;
use crate::artifact::MAX_NAME_BYTES;
use crate::state::STATE_FILE;

/// Bytes that one fixture may have.
const MAX_BYTES: u64 = 1024 * 1024;

/// Bytes that all fixtures of a scenario may have.
const MAX_TOTAL: usize = 32 * 1024 * 1024;

/// Entries of a folder tree that are looked at for a file that is not there.
const MAX_ENTRIES: usize = 500;

/// What is wrong with a path, and what may be done about it.
pub(super) struct PathFault {
    pub(super) message: String,
    pub(super) help: Option<String>,
}

impl PathFault {
    fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), help: None }
    }
}

/// The fixtures of a scenario. Each is read and kept once.
pub(super) struct Fixtures {
    folder: Utf8PathBuf,
    read: IndexMap<String, Content>,
    total: usize,
}

/// What a fixture contains.
#[derive(Clone)]
pub(super) enum Content {
    Text(Arc<str>),
    /// It is no UTF-8.
    Bytes(Arc<[u8]>),
}

impl Content {
    fn len(&self) -> usize {
        match self {
            Self::Text(text) => text.len(),
            Self::Bytes(bytes) => bytes.len(),
        }
    }
}

impl From<Vec<u8>> for Content {
    fn from(bytes: Vec<u8>) -> Self {
        match String::from_utf8(bytes) {
            Ok(text) => Self::Text(text.into()),
            Err(error) => Self::Bytes(error.into_bytes().into()),
        }
    }
}

/// The bytes of a text are the text's own.
impl From<Content> for Arc<[u8]> {
    fn from(content: Content) -> Self {
        match content {
            Content::Text(text) => text.into(),
            Content::Bytes(bytes) => bytes,
        }
    }
}

impl Fixtures {
    pub(super) fn of(scenario: &Utf8Path) -> Self {
        Self { folder: scenario.join(ARTIFACTS), read: IndexMap::new(), total: 0 }
    }

    /// What a fixture contains.
    pub(super) fn read(&mut self, name: &str) -> Result<Content, PathFault> {
        if let Some(content) = self.read.get(name) {
            return Ok(content.clone());
        }
        plain(name).map_err(PathFault::new)?;
        let content: Content = read_regular(&self.locate(name)?, name)?.into();
        self.total += content.len();
        if self.total > MAX_TOTAL {
            return Err(PathFault::new(format!(
                "with {name:?} the fixtures of this scenario have more than {MAX_TOTAL} bytes"
            )));
        }
        self.read.insert(name.to_owned(), content.clone());
        Ok(content)
    }

    /// The file itself, where links lead to it and it is inside of the folder.
    fn locate(&self, name: &str) -> Result<Utf8PathBuf, PathFault> {
        let path = self.folder.join(name);
        let real = path.canonicalize_utf8().map_err(|error| match error.kind() {
            io::ErrorKind::NotFound if path.is_symlink() => {
                PathFault::new(format!("{path} is a link to nothing"))
            }
            io::ErrorKind::NotFound => self.absent(&path, name),
            _ => PathFault::new(format!("cannot read {path}: {error}")),
        })?;
        let scenario = self.folder.parent().unwrap_or(&self.folder);
        let inside = |root: &Utf8Path| root.canonicalize_utf8().is_ok_and(|root| real.starts_with(root));
        if inside(&self.folder) && inside(scenario) {
            Ok(real)
        } else {
            Err(PathFault::new(format!(
                "{path} leads out of the scenario's folder: links may only lead to files below its {ARTIFACTS}/"
            )))
        }
    }

    fn absent(&self, path: &Utf8Path, name: &str) -> PathFault {
        let present = self.present();
        let names = || present.iter().map(String::as_str);
        let same_file = || names().find(|known| known.rsplit('/').next() == name.rsplit('/').next());
        let help = match nearest(name, names()).or_else(same_file) {
            Some(near) => format!("did you mean {near:?}?"),
            None if present.is_empty() => format!("there are no files in {}", self.folder),
            None => format!("there are {}", listed(&present)),
        };
        PathFault { message: format!("there is no file {path}"), help: Some(help) }
    }

    /// The files that there are, by their paths below the folder.
    fn present(&self) -> Vec<String> {
        let (mut found, mut folders, mut seen) = (Vec::new(), vec![Utf8PathBuf::new()], 0);
        while let Some(below) = folders.pop() {
            let entries = self.folder.join(&below).read_dir_utf8().into_iter().flatten().flatten();
            for entry in entries.take(MAX_ENTRIES - seen) {
                seen += 1;
                let path = below.join(entry.file_name());
                match entry.file_type() {
                    Ok(kind) if kind.is_dir() => folders.push(path),
                    Ok(_) => found.push(path.as_str().replace('\\', "/")),
                    Err(_) => {}
                }
            }
        }
        found.sort();
        found
    }
}

/// Where an artifact may be put: a plain path in the item's folder, and no file of the runtime's own.
pub(super) fn target(name: &str) -> Result<(), String> {
    plain(name)?;
    if name.split('/').any(|part| part.eq_ignore_ascii_case(STATE_FILE)) {
        return Err(format!(
            "{STATE_FILE} is the runtime's own file and no artifact; the step inner-loop says where an inner loop stands"
        ));
    }
    if name.split('/').any(|part| part.starts_with('.')) {
        return Err(format!("{name:?} is hidden, as the runtime's own files are, and no artifact"));
    }
    Ok(())
}

/// A relative path that leads down and nowhere else, on every platform.
fn plain(name: &str) -> Result<(), String> {
    let wanted = "expected a plain relative path as in \"design.md\"";
    let reason = if name.is_empty() {
        "is empty"
    } else if name.starts_with('/') {
        "is an absolute path"
    } else if name.split('/').any(|part| part == "..") {
        "leads out of the folder"
    } else if name.split('/').any(|part| matches!(part, "" | ".")) || name.contains(['\\', ':', '\0']) {
        "is no plain path"
    } else if name.split('/').any(|part| part.len() > MAX_NAME_BYTES) {
        return Err(format!("a name in this path is longer than {MAX_NAME_BYTES} bytes; {wanted}"));
    } else {
        return Ok(());
    };
    Err(format!("{name:?} {reason}; {wanted}"))
}

/// Reads a file that is one: a pipe or a device is not even opened.
fn read_regular(path: &Utf8Path, name: &str) -> Result<Vec<u8>, PathFault> {
    let unreadable = |error: io::Error| PathFault::new(format!("cannot read {path}: {error}"));
    let metadata = path.metadata().map_err(unreadable)?;
    if !metadata.is_file() {
        let kind = if metadata.is_dir() { "a folder" } else { "no regular file" };
        return Err(PathFault::new(format!("{name:?} is {kind}; a fixture is a file")));
    }
    let mut content = Vec::new();
    File::open(path)
        .and_then(|file| file.take(MAX_BYTES + 1).read_to_end(&mut content))
        .map_err(unreadable)?;
    if content.len() as u64 > MAX_BYTES {
        return Err(PathFault::new(format!("{path} is larger than {MAX_BYTES} bytes")));
    }
    Ok(content)
}

fn listed(names: &[String]) -> String {
    const SHOWN: usize = 8;
    let shown: Vec<&str> = names.iter().take(SHOWN).map(String::as_str).collect();
    match names.len().saturating_sub(SHOWN) {
        0 => shown.join(", "),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}
