//! The world of one play.

mod folders;
mod runs;
mod template;

use std::io;
use std::sync::Arc;

use camino::{Utf8Path, Utf8PathBuf};
use tempfile::TempDir;

use super::doubles::{FakeControlPlane, FakeSession};
use super::error::ScenarioError;
use super::manifest::Scenario;
use super::setup::Setup;
use crate::config::ProcessConfig;
use crate::event::JsonlLog;
use crate::runtime::ProcessRuntime;
use template::{AUTHOR, SPEC_DIR};
pub(super) use template::{LABEL_PREFIX, OWNER};

/// The world of one play: a checkout and what stands at its transports. It ends when this is dropped.
pub(super) struct World {
    /// The checkout.
    root: Utf8PathBuf,
    /// The event log.
    log: Utf8PathBuf,
    /// Whether the event log outlives the world.
    keeps_log: bool,
    /// Where all of it is, if it outlives the play.
    kept: Option<Utf8PathBuf>,
    pub(super) control: Arc<FakeControlPlane>,
    pub(super) session: Arc<FakeSession>,
    /// Where the checkout is. Last, so that nothing of the world is open any more when it goes.
    _folder: TempDir,
}

/// Makes what all worlds are copied from, unless that was done before. To be awaited to its end: while git works, its folder has to stay.
pub(super) async fn prepare() -> Result<(), ScenarioError> {
    template::get().await.map(drop)
}

impl World {
    /// Makes the world of a scenario.
    pub(super) async fn make(scenario: &Scenario, setup: &Setup) -> Result<Self, ScenarioError> {
        let template = template::get().await?;
        let mut folder = setup.make_folder().map_err(ScenarioError::io("cannot make a temporary folder"))?;
        let path = folder
            .path()
            .canonicalize()
            .and_then(|path| Utf8PathBuf::try_from(path).map_err(camino::FromPathBufError::into_io_error))
            .map_err(ScenarioError::io("cannot use the temporary folder"))?;
        folder.disable_cleanup(setup.keep_worlds);
        let root = path.join("checkout");
        template
            .copy_to(&root)
            .and_then(|()| std::fs::create_dir_all(root.join(SPEC_DIR).join(scenario.work_item())))
            .map_err(ScenarioError::io(format!("cannot make the checkout {root}")))?;
        let log = match &setup.runs_dir {
            Some(runs) => runs::reserve(runs, scenario.name(), &setup.seam)
                .map_err(ScenarioError::io(format!("cannot make an event log below {runs}")))?,
            None => path.join("events.jsonl"),
        };
        Ok(Self {
            root,
            log,
            keeps_log: setup.runs_dir.is_some(),
            kept: setup.keep_worlds.then_some(path),
            control: Arc::new(FakeControlPlane::new(AUTHOR)),
            session: Arc::new(FakeSession::new()),
            _folder: folder,
        })
    }

    /// A runtime over the checkout as it stands. Nothing of an earlier one is in it.
    pub(super) fn runtime(&self, setup: &Setup) -> Result<ProcessRuntime, ScenarioError> {
        let config = ProcessConfig::load(&self.root)?;
        let log = JsonlLog::open(&self.log)
            .map_err(ScenarioError::io(format!("cannot open the event log {}", self.log)))?;
        let runtime = ProcessRuntime::new(&self.root, config, Arc::clone(&self.control) as _, Arc::new(log))?;
        Ok(runtime
            .with_graph(Arc::clone(&setup.graph))
            .with_session(Arc::clone(&self.session) as _)
            .with_clock(Arc::clone(&setup.seam.clock)))
    }

    /// The event log.
    pub(super) fn log(&self) -> &Utf8Path {
        &self.log
    }

    /// The event log, if it outlives the world.
    pub(super) fn kept_log(&self) -> Option<&Utf8Path> {
        self.keeps_log.then_some(&*self.log)
    }

    /// Where it is, if it outlives the play.
    pub(super) fn kept(&self) -> Option<&Utf8Path> {
        self.kept.as_deref()
    }
}

impl Setup {
    fn make_folder(&self) -> io::Result<TempDir> {
        let kind = if self.keep_worlds { folders::KEPT } else { folders::WORLD };
        folders::make(kind, self.temporary_dir.as_deref().map(Utf8Path::as_std_path))
    }
}
