//! Setting up a run.

use std::sync::Arc;
use std::time::Duration;

use futures::future::join_all;

use crate::config::Config;
use crate::host::World;
use crate::host::seam::{Seam, SystemSeam};
use crate::host::trace::TraceSender;
use crate::registry::Registries;

use super::brains::{self, Loaded};
use super::life::Policy;
use super::scripts::Scripts;
use super::supervisor::Supervisor;
use super::{AgentEnd, Control, RunError, RunHandle, RunReport};

/// Where runs begin: [`Run::builder`].
pub enum Run {}

impl Run {
    /// A run of every agent, once, that nobody traces.
    pub fn builder(config: Arc<Config>, registries: &Registries) -> RunBuilder {
        RunBuilder {
            config,
            registries: registries.clone(),
            trace: None,
            control: Control::new(),
            watch: false,
            repeat: false,
            keep_everything: false,
            seam: Arc::new(SystemSeam),
        }
    }
}

/// What a run is to be like.
pub struct RunBuilder {
    config: Arc<Config>,
    registries: Registries,
    trace: Option<TraceSender>,
    control: Control,
    watch: bool,
    repeat: bool,
    keep_everything: bool,
    seam: Arc<dyn Seam>,
}

impl RunBuilder {
    /// Records what the agents see and do.
    #[must_use]
    pub fn trace(mut self, trace: impl Into<Option<TraceSender>>) -> Self {
        self.trace = trace.into();
        self
    }

    /// What will stop agents, or the run.
    #[must_use]
    pub fn control(mut self, control: Control) -> Self {
        self.control = control;
        self
    }

    /// Whether changed scripts replace running brains. Such a run goes on until it is shut down, so that an edit can start anew an agent that has
    /// ended.
    #[must_use]
    pub fn watch(mut self, watch: bool) -> Self {
        self.watch = watch;
        self
    }

    /// Whether agents that ended are started again: at once after a success, after a growing pause when they failed.
    #[must_use]
    pub fn repeat(mut self, repeat: bool) -> Self {
        self.repeat = repeat;
        self
    }

    /// Whether scripted back ends keep all that they were asked, for somebody who writes their snapshots out. Without it they keep the latest, so
    /// that a long run takes no more memory than a short one.
    #[must_use]
    pub fn keep_everything(mut self, keep_everything: bool) -> Self {
        self.keep_everything = keep_everything;
        self
    }

    /// Where the time of day and new ids come from, instead of from the system.
    #[must_use]
    pub fn seam(mut self, seam: Arc<dyn Seam>) -> Self {
        self.seam = seam;
        self
    }

    /// Loads every brain, makes the back ends, and starts the agents.
    ///
    /// # Errors
    /// What is wrong with the config, its scripts or its back ends. No agent has run then.
    pub async fn start(self) -> Result<RunHandle, RunError> {
        let Self { config, registries, trace, control, watch, repeat, keep_everything, seam } = self;
        let (brains, mut scripts) = prepare(&config, &registries, watch).await?;
        let world = World::build(Arc::clone(&config), &registries, trace, keep_everything, seam).await?;
        world.start_endpoint();
        let policy = Policy::new(&config.tunables, watch, repeat);
        let agents: Vec<_> = brains
            .into_iter()
            .map(|loaded| {
                let edits = scripts.as_mut().map(|scripts| scripts.edits_of(&loaded));
                Supervisor::new(loaded.agent, &world, &control, loaded.brain, edits).run(policy.clone())
            })
            .collect();
        let supervision = tokio::spawn(supervise(agents, scripts, world));
        Ok(RunHandle::new(control, supervision))
    }
}

/// Reads the scripts, and watches them first where that is asked for.
async fn prepare(
    config: &Arc<Config>,
    registries: &Registries,
    watch: bool,
) -> Result<(Vec<Loaded>, Option<Scripts>), RunError> {
    let (config, registries) = (Arc::clone(config), registries.clone());
    let work = move || {
        let paths = config.agents.values().map(|agent| agent.script.as_path());
        let debounce = Duration::from_millis(config.tunables.watch_debounce_ms);
        let scripts = watch.then(|| Scripts::watch(paths, debounce)).transpose();
        let scripts = scripts.map_err(|error| RunError::Watch(error.to_string()))?;
        Ok((brains::load(&config, &registries)?, scripts))
    };
    match tokio::task::spawn_blocking(work).await {
        Ok(prepared) => prepared,
        Err(error) => match error.try_into_panic() {
            Ok(panic) => std::panic::resume_unwind(panic),
            // Blocking work is only cancelled when the async runtime itself ends, and the caller with it.
            Err(_) => std::future::pending().await,
        },
    }
}

async fn supervise(
    agents: Vec<impl Future<Output = AgentEnd>>,
    scripts: Option<Scripts>,
    world: Arc<World>,
) -> RunReport {
    let agents = join_all(agents);
    let agents = match scripts {
        Some(mut scripts) => tokio::select! {
            agents = agents => agents,
            never = scripts.follow() => match never {},
        },
        None => agents.await,
    };
    world.close().await;
    RunReport { agents, snapshots: world.snapshots() }
}
