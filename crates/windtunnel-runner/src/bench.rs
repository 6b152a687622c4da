//! What a suite works with, wired together once.

use std::fmt;
use std::sync::Arc;

use tokio_util::sync::CancellationToken;
use windtunnel_api::Pack;
use windtunnel_api::secret::Redactor;
use windtunnel_spi::world::Limits;
use windtunnel_spi::{CaseWorld, Hook, Judge, ProbeFactory, Seam, ToolFactory};
use windtunnel_store::RunStore;

use crate::blocking::blocking;
use crate::world::{Workspace, WorkspaceError, Workspaces};

/// Makes the probe factory of a pack; `None` for a pack without probes.
pub type ProbesOf = dyn Fn(&Pack) -> Option<Arc<dyn ProbeFactory>> + Send + Sync;

/// What scenarios are run with: how tool servers and probes are made, where runs go, the limits, the clock.
///
/// One bench serves one suite: [`Bench::close`] removes the workspaces of all its cases.
#[derive(Clone)]
pub struct Bench {
    pub(crate) tools: Arc<dyn ToolFactory>,
    pub(crate) store: Arc<RunStore>,
    pub(crate) probes: Arc<ProbesOf>,
    pub(crate) judge: Option<Arc<dyn Judge>>,
    pub(crate) hooks: Vec<Arc<dyn Hook>>,
    pub(crate) seam: Seam,
    pub(crate) limits: Limits,
    pub(crate) redactor: Redactor,
    workspaces: Arc<Workspaces>,
}

impl Bench {
    /// A bench without probes, judge and hooks, with the default limits and the system's clock.
    pub fn new(tools: Arc<dyn ToolFactory>, store: Arc<RunStore>) -> Self {
        Self {
            tools,
            store,
            probes: Arc::new(|_| None),
            judge: None,
            hooks: Vec::new(),
            seam: Seam::system(),
            limits: Limits::default(),
            redactor: Redactor::default(),
            workspaces: Arc::default(),
        }
    }

    /// Where the probes of a pack come from.
    #[must_use]
    pub fn with_probes(
        mut self,
        probes: impl Fn(&Pack) -> Option<Arc<dyn ProbeFactory>> + Send + Sync + 'static,
    ) -> Self {
        self.probes = Arc::new(probes);
        self
    }

    /// The model behind `llm_judge`.
    #[must_use]
    pub fn with_judge(mut self, judge: Arc<dyn Judge>) -> Self {
        self.judge = Some(judge);
        self
    }

    /// Adds a hook; hooks are called in the order they were added.
    #[must_use]
    pub fn with_hook(mut self, hook: Arc<dyn Hook>) -> Self {
        self.hooks.push(hook);
        self
    }

    /// The clock and the ids.
    #[must_use]
    pub fn with_seam(mut self, seam: Seam) -> Self {
        self.seam = seam;
        self
    }

    /// The time limits.
    #[must_use]
    pub fn with_limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Takes these secrets out of everything that is stored or reported.
    #[must_use]
    pub fn with_redactor(mut self, redactor: Redactor) -> Self {
        self.redactor = redactor;
        self
    }

    /// Whether workspaces outlive their cases.
    #[must_use]
    pub fn keep_workspaces(mut self, keep: bool) -> Self {
        self.workspaces = Arc::new(Workspaces::new(keep));
        self
    }

    /// The run store.
    pub fn store(&self) -> &RunStore {
        &self.store
    }

    /// A fresh workspace, seeded from the pack's files, and the world around it. `name` says in its path which case it is.
    pub async fn site(
        &self,
        pack: &Pack,
        name: &str,
        cancel: CancellationToken,
    ) -> Result<CaseSite, WorkspaceError> {
        let files = pack.manifest.workspace.as_ref().and_then(|workspace| workspace.files.as_ref());
        let files = files.map(|files| pack.dir.join(files));
        let workspace = if files.is_some() {
            let (workspaces, name) = (Arc::clone(&self.workspaces), name.to_owned());
            blocking(move || workspaces.open(&name, files)).await?
        } else {
            self.workspaces.open(name, None)?
        };
        let world = CaseWorld {
            case_id: workspace.case_id().to_owned(),
            pack_dir: pack.dir.clone(),
            workspace: workspace.path().to_owned(),
            limits: self.limits,
            cancel,
            redactor: self.redactor.clone(),
        };
        Ok(CaseSite { world, workspace: Arc::new(workspace) })
    }

    /// Removes all workspaces, unless they are kept.
    pub fn close(&self) {
        self.workspaces.close();
    }
}

impl fmt::Debug for Bench {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Bench")
            .field("limits", &self.limits)
            .field("workspaces", &self.workspaces)
            .finish_non_exhaustive()
    }
}

/// Where one case happens: its world, and the workspace that goes when this is dropped.
#[derive(Debug)]
pub struct CaseSite {
    /// What the agent, the tools and the probe are told of it.
    pub world: CaseWorld,
    pub(crate) workspace: Arc<Workspace>,
}

impl CaseSite {
    /// Brings the workspace back to what it was seeded with.
    pub(crate) async fn reseed(&self) -> Result<(), WorkspaceError> {
        let workspace = Arc::clone(&self.workspace);
        blocking(move || workspace.reseed()).await
    }
}
