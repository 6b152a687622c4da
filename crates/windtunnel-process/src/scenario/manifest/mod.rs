//! A scenario folder, read and checked.

mod events;
mod expectations;
mod fixture;
mod read_expectations;
mod read_steps;
mod reader;
mod shapes;
mod step;

pub(super) use expectations::{AtNode, Expectations};
pub(super) use step::Action;
pub use step::Step;

use camino::{Utf8Path, Utf8PathBuf};
use windtunnel_doc::{At, Document, Limits, Path};

use super::error::{Asked, ScenarioError};
use crate::artifact::ArtifactName;
use crate::graph::Graph;

/// The file that makes a folder a scenario.
pub const MANIFEST_FILE: &str = "scenario.yaml";

/// The folder of its fixtures.
pub(super) const ARTIFACTS: &str = "artifacts";

/// The node before which artifacts are locked.
pub(super) const IMPLEMENTATION: &str = "implementation";

/// How large a manifest may be.
const LIMITS: Limits = Limits { max_bytes: 256 * 1024, max_depth: 16, max_nodes: 100_000 };

/// More steps than this are refused.
const MAX_STEPS: usize = 2_000;

/// Bytes that all comments of a scenario may have.
const MAX_SENT: usize = 8 * 1024 * 1024;

/// A scenario folder: its steps, what is expected, and its fixtures, all read and checked.
#[derive(Debug, Clone)]
pub struct Scenario {
    name: String,
    description: String,
    folder: Utf8PathBuf,
    tier: Option<i64>,
    work_item: String,
    steps: Vec<Step>,
    expect: Expectations,
    /// For the places of what it asks for.
    document: Document,
}

impl Scenario {
    /// Reads a scenario folder that is played over this graph.
    ///
    /// # Errors
    /// [`ScenarioError::Format`] with all that is wrong with it: there is no manifest, a field is unknown, missing or mistyped,
    /// a node or a fixture does not exist, a path leads out of the folder.
    pub fn load(folder: &Utf8Path, graph: &Graph) -> Result<Self, ScenarioError> {
        reader::read(folder, graph).map_err(ScenarioError::Format)
    }

    /// Its name, which is also its folder's.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What it shows.
    pub fn description(&self) -> &str {
        &self.description
    }

    /// Its folder, as it was given.
    pub fn folder(&self) -> &Utf8Path {
        &self.folder
    }

    /// Its tier, for information only.
    pub fn tier(&self) -> Option<i64> {
        self.tier
    }

    /// The folder of the item that is walked, as in `issue-42`.
    pub fn work_item(&self) -> &str {
        &self.work_item
    }

    /// Its steps.
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// What is expected at the end.
    pub(super) fn expect(&self) -> &Expectations {
        &self.expect
    }

    /// All artifacts that some expectation wants locked before the implementation.
    pub(super) fn locked(&self) -> impl Iterator<Item = &ArtifactName> {
        let mid_run = self.steps.iter().filter_map(|step| match &step.action {
            Action::Expect(expectations) => Some(&**expectations),
            _ => None,
        });
        mid_run.chain([&self.expect]).filter_map(|expectations| expectations.locked.as_ref()).flatten()
    }

    /// Who asks: the value at this path of the manifest.
    pub(super) fn asked(&self, step: Option<usize>, kind: &'static str, path: &Path) -> Asked {
        let position = self.document.position(path, At::Key);
        Asked {
            file: self.folder.join(MANIFEST_FILE),
            line: position.line,
            column: position.column,
            step,
            kind,
        }
    }
}
