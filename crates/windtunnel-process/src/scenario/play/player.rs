//! Step after step.

use camino::Utf8PathBuf;
use windtunnel_doc::{Path, Segment};

use super::act::Stage;
use super::judge::{Seen, judge};
use super::locks::{Entered, enters_implementation};
use super::observer::Observer;
use super::{Miss, Played, Stop};
use crate::item::WorkItem;
use crate::runtime::{ProcessError, ProcessRuntime};
use crate::scenario::doubles::{FakeControlPlane, FakeSession};
use crate::scenario::error::{Asked, Divergence, ScenarioError};
use crate::scenario::manifest::{Action, Expectations, Scenario};
use crate::scenario::setup::Setup;
use crate::scenario::trace::Trace;
use crate::scenario::world::{LABEL_PREFIX, World};
use crate::state;

/// Plays a scenario step by step.
///
/// Between two steps nothing of the runtime is needed: [`suspend`](Self::suspend) ends it, as the end of a process would.
pub struct Player<'s> {
    runtime: ProcessRuntime,
    item: WorkItem,
    folder: Utf8PathBuf,
    play: Play<'s>,
}

/// A play whose runtime has ended. Its world is still there.
pub struct Suspended<'s>(Play<'s>);

/// A play, without the runtime.
struct Play<'s> {
    scenario: &'s Scenario,
    setup: Setup,
    /// Before the world, in which the log is that it holds open.
    observer: Observer,
    world: World,
    started: bool,
    /// The next step.
    next: usize,
    failure: Option<ScenarioError>,
}

/// The part of a manifest that something is done or judged for.
#[derive(Clone, Copy)]
enum Place {
    Start,
    Step(usize),
    End,
}

impl<'s> Player<'s> {
    /// Makes the world of a scenario. Nothing happens in it yet.
    ///
    /// # Errors
    /// The world cannot be made.
    pub async fn new(scenario: &'s Scenario, setup: &Setup) -> Result<Self, ScenarioError> {
        let world = World::make(scenario, setup).await?;
        let runtime = world.runtime(setup)?;
        let observer = Observer::of(world.log())
            .map_err(ScenarioError::io(format!("cannot read the event log {}", world.log())))?;
        let setup = setup.clone();
        let play = Play { scenario, setup, world, observer, started: false, next: 0, failure: None };
        Self::over(runtime, play)
    }

    fn over(runtime: ProcessRuntime, play: Play<'s>) -> Result<Self, ScenarioError> {
        let item =
            runtime.item(play.scenario.work_item()).map_err(|error| play.refused(error, Place::Start))?;
        let folder = runtime.folder(&item);
        Ok(Self { runtime, item, folder, play })
    }

    /// Plays the next step, and before the first one the start. False if there is none left, or something failed.
    pub async fn step(&mut self) -> bool {
        if self.play.failure.is_some() {
            return false;
        }
        match self.try_step().await {
            Ok(played) => played,
            Err(error) => {
                self.play.failure = Some(error);
                false
            }
        }
    }

    /// Plays what is left, judges the end, and ends the world.
    pub async fn finish(mut self) -> Played {
        while self.step().await {}
        let outcome = match self.play.failure.take() {
            Some(error) => Err(error),
            None => self.judge(self.play.scenario.expect(), Place::End),
        };
        let Play { world, observer, .. } = self.play;
        let events_path = world.kept_log().map(ToOwned::to_owned);
        let kept = world.kept().map(ToOwned::to_owned);
        let trace = observer.into_trace();
        drop(self.runtime);
        // Removing files takes a while; if the executor is about to end, this is where it happens.
        let ended = tokio::task::spawn_blocking(move || drop(world)).await;
        drop(ended);
        Played { outcome, trace, events_path, world: kept }
    }

    /// Ends the runtime and keeps the world.
    pub fn suspend(self) -> Suspended<'s> {
        Suspended(self.play)
    }

    /// What was observed so far.
    pub fn trace(&self) -> &Trace {
        &self.play.observer.trace
    }

    /// What stands for the control plane.
    pub fn control(&self) -> &FakeControlPlane {
        &self.play.world.control
    }

    /// What stands for the agent's session.
    pub fn session(&self) -> &FakeSession {
        &self.play.world.session
    }

    async fn try_step(&mut self) -> Result<bool, ScenarioError> {
        if !self.play.started {
            let started = self.runtime.start(&self.item).await.map(drop).map_err(Stop::Runtime);
            self.after(started, Place::Start)?;
            self.play.started = true;
        }
        let Some(step) = self.play.scenario.steps().get(self.play.next) else { return Ok(false) };
        let place = Place::Step(self.play.next);
        let (world, folder) = (&self.play.world, self.folder.as_path());
        let stage = Stage { world, runtime: &self.runtime, item: &self.item, folder };
        let acted = stage.act(&step.action).await;
        self.after(acted, place)?;
        if let Action::Expect(expectations) = &step.action {
            self.judge(expectations, place)?;
        }
        self.play.next += 1;
        Ok(true)
    }

    /// Looks at what a step has done. What it asked for and must not is told before what it could not do.
    fn after(&mut self, acted: Result<(), Stop>, place: Place) -> Result<(), ScenarioError> {
        let Play { world, observer, scenario, .. } = &mut self.play;
        let new = observer
            .look(&world.control, LABEL_PREFIX)
            .map_err(ScenarioError::io(format!("cannot read the event log {}", world.log())))?;
        if enters_implementation(observer.trace.events.get(new..).unwrap_or_default()) {
            observer.entered.push(Entered::look(&self.folder, scenario.locked()));
        }
        if let Some(operation) = world.control.breach() {
            return Err(ScenarioError::Hermeticity {
                operation,
                asked: Box::new(self.play.asked(place, &Path::root())),
            });
        }
        acted.map_err(|stop| match stop {
            Stop::Miss(miss) => self.play.diverged(miss, place),
            Stop::Runtime(error) => self.play.refused(error, place),
            Stop::World(error) => error,
        })
    }

    fn judge(&self, expectations: &Expectations, place: Place) -> Result<(), ScenarioError> {
        let state = match state::load(&self.folder) {
            Ok(Some(state)) => state,
            Ok(None) => {
                let item = self.item.id.clone();
                return Err(self.play.refused(ProcessError::NotStarted { item }, place));
            }
            Err(error) => return Err(self.play.refused(error.into(), place)),
        };
        let Observer { trace, entered, .. } = &self.play.observer;
        let seen = Seen { trace, state: &state, entered, folder: &self.folder };
        judge(expectations, &seen).map_err(|miss| self.play.diverged(miss, place))
    }
}

impl<'s> Suspended<'s> {
    /// Goes on with a new runtime, over the world as it stands.
    ///
    /// # Errors
    /// The runtime cannot be made.
    pub fn resume(self) -> Result<Player<'s>, ScenarioError> {
        let runtime = self.0.world.runtime(&self.0.setup)?;
        Player::over(runtime, self.0)
    }
}

impl Play<'_> {
    fn diverged(&self, miss: Miss, place: Place) -> ScenarioError {
        let Miss { path, expected, found } = miss;
        let index = path.segments().iter().rev().find_map(|segment| match segment {
            Segment::Index(index) => Some(*index),
            Segment::Key(_) => None,
        });
        let asked = self.asked(place, &path);
        let field = self.path(place).join(&path).to_string();
        let trace = self.observer.trace.clone();
        ScenarioError::Assertion(Box::new(Divergence { field, index, expected, found, asked, trace }))
    }

    fn refused(&self, error: ProcessError, place: Place) -> ScenarioError {
        ScenarioError::Runtime { asked: Box::new(self.asked(place, &Path::root())), source: Box::new(error) }
    }

    /// Who asked for the value at this path of its own.
    fn asked(&self, place: Place, below: &Path) -> Asked {
        let (step, kind) = match place {
            Place::Start => (None, "start"),
            Place::Step(index) => (Some(index), self.kind(index)),
            Place::End => (None, "expect"),
        };
        self.scenario.asked(step, kind, &self.path(place).join(below))
    }

    /// What is asked, in the manifest.
    fn path(&self, place: Place) -> Path {
        match place {
            Place::Start => Path::root().then("workItem"),
            Place::Step(index) => Path::root().then("steps").then(index).then(self.kind(index)),
            Place::End => Path::root().then("expect"),
        }
    }

    fn kind(&self, step: usize) -> &'static str {
        self.scenario.steps().get(step).map_or("step", super::super::manifest::Step::kind)
    }
}
