//! Reading traces with their scores.

use std::collections::VecDeque;
use std::fs::{self, File};
use std::io::{ErrorKind, Read as _};

use camino::{Utf8Path, Utf8PathBuf};
use windtunnel_api::artifact::score::ScoreSidecar;
use windtunnel_api::artifact::trace::Trace;

use super::warning::{Artifact, Reason, Warning, decode};
use crate::{MAX_FILE_BYTES, name};

/// Folders deeper than this below the runs folder are not entered; runs are five deep.
const MAX_DEPTH: usize = 16;

/// A run that was read.
#[derive(Debug, Clone, PartialEq)]
pub struct SavedRun {
    /// The trace's file.
    pub trace_path: Utf8PathBuf,
    /// The trace.
    pub trace: Trace,
    /// The score beside it; none where there is none, or none that can be read.
    pub score: Option<ScoreSidecar>,
}

impl SavedRun {
    /// Whether it is the run of a reference case. Ordinary aggregates leave such runs out.
    pub fn is_selftest(&self) -> bool {
        let origin = self.score.as_ref().and_then(|score| score.origin.as_ref());
        origin.is_some_and(|origin| origin.kind == "selftest")
    }
}

/// All runs below a folder, by path, which means by time within one scenario, agent, variant and model.
///
/// Links to folders are not followed.
pub fn read_runs(folder: impl Into<Utf8PathBuf>) -> Runs {
    Runs { open: vec![Step::Folder { path: folder.into(), depth: 0 }], ready: VecDeque::new() }
}

/// The runs below a folder, and warnings for the files that are none.
#[derive(Debug)]
pub struct Runs {
    /// What is still to be looked at; the next one last.
    open: Vec<Step>,
    /// What was found and not yet handed out.
    ready: VecDeque<Result<SavedRun, Warning>>,
}

#[derive(Debug)]
enum Step {
    Folder { path: Utf8PathBuf, depth: usize },
    Trace { path: Utf8PathBuf },
}

impl Step {
    fn path(&self) -> &Utf8Path {
        match self {
            Self::Folder { path, .. } | Self::Trace { path } => path,
        }
    }
}

impl Iterator for Runs {
    type Item = Result<SavedRun, Warning>;

    fn next(&mut self) -> Option<Self::Item> {
        while self.ready.is_empty() {
            match self.open.pop()? {
                Step::Folder { path, depth } => self.enter(&path, depth),
                Step::Trace { path } => self.read(path),
            }
        }
        self.ready.pop_front()
    }
}

impl Runs {
    fn enter(&mut self, folder: &Utf8Path, depth: usize) {
        let entries = match fs::read_dir(folder) {
            Ok(entries) => entries,
            Err(error) => return self.warn(folder, Reason::Unreadable(error)),
        };
        let mut steps = Vec::new();
        for entry in entries {
            let found = entry.and_then(|entry| Ok((entry.file_name(), entry.file_type()?)));
            let (file_name, kind) = match found {
                Ok(found) => found,
                Err(error) => {
                    self.warn(folder, Reason::Unreadable(error));
                    continue;
                }
            };
            let Some(file_name) = file_name.to_str() else {
                self.warn(&folder.join(&*file_name.to_string_lossy()), Reason::NotUtf8);
                continue;
            };
            let path = folder.join(file_name);
            if kind.is_dir() && depth < MAX_DEPTH {
                steps.push(Step::Folder { path, depth: depth + 1 });
            } else if !kind.is_dir() && name::is_trace(&path) {
                steps.push(Step::Trace { path });
            }
        }
        steps.sort_by(|a, b| b.path().cmp(a.path()));
        self.open.append(&mut steps);
    }

    fn read(&mut self, trace_path: Utf8PathBuf) {
        let trace = match read_artifact::<Trace>(&trace_path) {
            Ok(trace) => trace,
            Err(reason) => return self.warn(&trace_path, reason),
        };
        let score_path = trace_path.with_extension("score.json");
        let score = match read_artifact(&score_path) {
            Ok(score) => Some(score),
            Err(Reason::Unreadable(error)) if error.kind() == ErrorKind::NotFound => None,
            Err(reason) => {
                self.warn(&score_path, reason);
                None
            }
        };
        self.ready.push_back(Ok(SavedRun { trace_path, trace, score }));
    }

    fn warn(&mut self, path: &Utf8Path, reason: Reason) {
        self.ready.push_back(Err(Warning::file(path, reason)));
    }
}

fn read_artifact<T: Artifact>(path: &Utf8Path) -> Result<T, Reason> {
    let file = File::open(path).map_err(Reason::Unreadable)?;
    let mut bytes = Vec::new();
    file.take(MAX_FILE_BYTES + 1).read_to_end(&mut bytes).map_err(Reason::Unreadable)?;
    if bytes.len() as u64 > MAX_FILE_BYTES {
        return Err(Reason::TooLarge { limit: MAX_FILE_BYTES });
    }
    decode(&bytes)
}
