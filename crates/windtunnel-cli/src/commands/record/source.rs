//! The pack that a session was recorded with: the files that the recorded pack gets of it, and what it does without.

use std::fmt;
use std::fs;
use std::sync::Arc;

use camino::{Utf8Path, Utf8PathBuf};
use serde::Serialize;
use serde_json::Value;
use windtunnel_api::{Pack, PackManifest, Scenario};
use windtunnel_discovery::{Found, inside};
use windtunnel_report::line;
use windtunnel_runner::world::copy_files;

use crate::folder::NewFolder;

/// The folder of a recorded pack that its workspaces start from.
pub(super) const WORKSPACE: &str = "workspace";

/// The most bytes that are copied of a workspace: it is to be committed.
const MAX_WORKSPACE: u64 = 32 * 1024 * 1024;

/// The fields of a pack that are written anew.
const OF_PACK: [&str; 5] = ["name", "runtime", "tools", "workspace", "probe"];

/// The fields of a scenario that are written anew.
const OF_SCENARIO: [&str; 4] = ["name", "prompt", "user_turns", "permissions"];

/// The pack that a session was recorded with.
pub(super) struct Source {
    pub(super) pack: Arc<Pack>,
    /// Its folder, as it was called.
    dir: Utf8PathBuf,
    /// The scenario that was asked.
    asked: Option<Found>,
}

/// The files that a session began with.
pub(super) struct Workspace {
    /// Where they stand.
    pub(super) from: Utf8PathBuf,
    /// Those that were copied, or why none was.
    pub(super) copied: Result<Vec<Utf8PathBuf>, String>,
}

/// What a file has that was not taken over.
pub(super) struct NotTaken {
    /// The file, as it was called; none for what is built in Rust.
    file: Option<Utf8PathBuf>,
    fields: Vec<String>,
}

impl fmt::Display for NotTaken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let file = self.file.as_ref().map_or("the scenario in Rust", |file| file.as_str());
        write!(f, "{} has more, which is not taken over: {}", line(file), line(&self.fields.join(", ")))
    }
}

impl Source {
    /// A pack that was called by this path.
    pub(super) fn of_pack(path: &Utf8Path, pack: Arc<Pack>) -> Self {
        Self { dir: as_called(path, &pack.dir), pack, asked: None }
    }

    /// The pack of a scenario that was found by this path.
    pub(super) fn of_scenario(path: &Utf8Path, asked: Found) -> Self {
        Self { asked: Some(asked.clone()), ..Self::of_pack(path, asked.pack) }
    }

    /// Copies the files that the session began with, if there are any. What cannot be copied is told: the recording stands for itself.
    pub(super) fn copy_workspace(&self, folder: &NewFolder) -> Option<Workspace> {
        let files = self.pack.manifest.workspace.as_ref()?.files.as_deref()?;
        let copied = self.copy(files, folder);
        // A folder without files gets lost in a repository.
        let is_empty = copied.as_ref().is_ok_and(Vec::is_empty);
        (!is_empty).then(|| Workspace { from: self.dir.join(files), copied })
    }

    fn copy(&self, files: &Utf8Path, folder: &NewFolder) -> Result<Vec<Utf8PathBuf>, String> {
        let from = inside(&self.pack.dir, files).map_err(|error| format!("{files} {error}"))?;
        let staging = folder.staging().ok_or("the new folder is not UTF-8")?;
        if staging.starts_with(&from) {
            return Err(format!("the new folder is inside of {files}"));
        }
        let to = staging.join(WORKSPACE);
        fs::create_dir(&to).map_err(|error| format!("cannot make the folder {to}: {error}"))?;
        let copied = copy_files(&from, &to, MAX_WORKSPACE).map_err(|error| error.to_string());
        if !matches!(&copied, Ok(copied) if !copied.is_empty()) {
            // Part of a workspace is none.
            fs::remove_dir_all(&to).map_err(|error| format!("cannot remove {to}: {error}"))?;
        }
        copied
    }

    /// What the pack has besides the servers whose calls were recorded.
    pub(super) fn left_of_pack(&self, servers: &[(Option<&str>, &str)]) -> Option<NotTaken> {
        let manifest = &self.pack.manifest;
        let mut fields = beyond(manifest, &PackManifest::default(), &OF_PACK);
        let is_recorded = |name: &String| servers.iter().any(|(server, _)| *server == Some(name.as_str()));
        let tools = manifest.tools.keys().filter(|name| !is_recorded(name));
        fields.extend(tools.map(|name| format!("tools.{name}")));
        fields.extend(manifest.probe.keys().map(|name| format!("probe.{name}")));
        let file = self.dir.join("pack.toml");
        (!fields.is_empty()).then_some(NotTaken { file: Some(file), fields })
    }

    /// What the scenario that was asked has besides what it asks: its gate, and what has to hold before.
    pub(super) fn left_of_scenario(&self) -> Option<NotTaken> {
        let found = self.asked.as_ref()?;
        let mut fields = beyond(found.scenario().as_ref(), &Scenario::default(), &OF_SCENARIO);
        if !found.preconditions.is_empty() {
            fields.push("its preconditions in Rust".to_owned());
        }
        let file = found.file.as_ref().map(|file| {
            let real = file.canonicalize_utf8().ok();
            let within = real.as_ref().and_then(|real| real.strip_prefix(&self.pack.dir).ok());
            within.map_or_else(|| file.clone(), |within| self.dir.join(within))
        });
        (!fields.is_empty()).then_some(NotTaken { file, fields })
    }
}

/// The fields of a value that are not as they are without a word, but for those that are written anew.
fn beyond<T: Serialize>(value: &T, plain: &T, written: &[&str]) -> Vec<String> {
    let fields = |value: &T| match serde_json::to_value(value) {
        Ok(Value::Object(fields)) => fields,
        Ok(_) | Err(_) => serde_json::Map::new(),
    };
    let plain = fields(plain);
    let said = fields(value).into_iter().filter(|(key, value)| plain.get(key) != Some(value));
    said.map(|(key, _)| key).filter(|key| !written.contains(&key.as_str())).collect()
}

/// The folder of a pack by the path that led to it, so that no path of this machine gets into a file.
fn as_called(path: &Utf8Path, dir: &Utf8Path) -> Utf8PathBuf {
    let below = |called: &Utf8Path| {
        let real = called.canonicalize_utf8().ok()?;
        let within = dir.strip_prefix(real).ok()?;
        Some(if within.as_str().is_empty() { called.to_owned() } else { called.join(within) })
    };
    below(path)
        .or_else(|| below(path.parent()?))
        .or_else(|| dir.file_name().map(Utf8PathBuf::from))
        .unwrap_or_else(|| path.to_owned())
}
