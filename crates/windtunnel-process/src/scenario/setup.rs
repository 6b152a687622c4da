//! What a scenario is played with.

use std::fmt;
use std::sync::Arc;

use camino::Utf8PathBuf;
use windtunnel_spi::Seam;

use crate::graph::Graph;

/// What a scenario is played with: the graph, and where things are put.
#[derive(Clone)]
pub struct Setup {
    pub(super) graph: Arc<Graph>,
    pub(super) runs_dir: Option<Utf8PathBuf>,
    pub(super) seam: Seam,
    pub(super) temporary_dir: Option<Utf8PathBuf>,
    pub(super) keep_worlds: bool,
}

impl Setup {
    /// Plays over this graph, with the system's clock, and keeps nothing.
    pub fn new(graph: Arc<Graph>) -> Self {
        Self { graph, runs_dir: None, seam: Seam::system(), temporary_dir: None, keep_worlds: false }
    }

    /// Keeps the event log of each play below this folder, as
    /// `process/<name>/<YYYYMMDDTHHMMSSffffffZ>_<id, 8>.events.jsonl`.
    #[must_use]
    pub fn runs_dir(mut self, folder: impl Into<Utf8PathBuf>) -> Self {
        self.runs_dir = Some(folder.into());
        self
    }

    /// Takes time and ids from here.
    #[must_use]
    pub fn seam(mut self, seam: Seam) -> Self {
        self.seam = seam;
        self
    }

    /// Makes worlds in this folder instead of the system's for temporary files.
    #[must_use]
    pub fn temporary_dir(mut self, folder: impl Into<Utf8PathBuf>) -> Self {
        self.temporary_dir = Some(folder.into());
        self
    }

    /// Whether the world of each play stays when the play is over.
    #[must_use]
    pub fn keep_worlds(mut self, keep: bool) -> Self {
        self.keep_worlds = keep;
        self
    }

    /// The graph that is walked.
    pub fn graph(&self) -> &Arc<Graph> {
        &self.graph
    }
}

impl fmt::Debug for Setup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Setup")
            .field("graph", &self.graph.id())
            .field("runs_dir", &self.runs_dir)
            .field("temporary_dir", &self.temporary_dir)
            .field("keep_worlds", &self.keep_worlds)
            .finish_non_exhaustive()
    }
}
