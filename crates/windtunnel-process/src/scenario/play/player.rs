//! Step after step.

use camino::Utf8PathBuf;
use windtunnel_doc::{Path, Segment};

use super::act::Stage;
use super::judge::{Seen, judge};
use super::locks::{Entered, enters_implementation};
use super::observer::Observer;
use super::{Miss, Played, Stop};
use crate::item::WorkItem;
use crate::runtime::{Envelope, ProcessError, ProcessRuntime};
use crate::scenario::doubles::{FakeControlPlane, FakeSession};
use crate::scenario::error::{Answer, Asked, Divergence, ScenarioError};
use crate::scenario::manifest::{Action, Expectations, Scenario};
use crate::scenario::setup::Setup;
use crate::scenario::trace::Trace;
use crate::scenario::world::{LABEL_PREFIX, World};
use crate::state::{self, ItemState};

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
    /// What the last verb answered.
    answered: Option<Answer>,
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
        let play =
            Play { scenario, setup, world, observer, started: false, next: 0, answered: None, failure: None };
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
            self.play.begin(Place::Start);
            let started = self.runtime.start(&self.item).await.map(Some).map_err(Stop::Runtime);
            self.after(started, Place::Start)?;
            self.play.started = true;
        }
        let Some(step) = self.play.scenario.steps().get(self.play.next) else { return Ok(false) };
        let place = Place::Step(self.play.next);
        if let Action::Expect(expectations) = &step.action {
            self.judge(expectations, place)?;
        } else {
            self.play.begin(place);
            let (world, folder) = (&self.play.world, self.folder.as_path());
            let stage = Stage { world, runtime: &self.runtime, item: &self.item, folder };
            let acted = stage.act(&step.action).await;
            self.after(acted, place)?;
        }
        self.play.next += 1;
        Ok(true)
    }

    /// Looks at what a step has done. What it asked for and must not is told before what it could not do.
    fn after(&mut self, acted: Result<Option<Envelope>, Stop>, place: Place) -> Result<(), ScenarioError> {
        let Play { world, observer, scenario, .. } = &mut self.play;
        let new = observer
            .look(&world.control, LABEL_PREFIX)
            .map_err(ScenarioError::io(format!("cannot read the event log {}", world.log())))?;
        if enters_implementation(&new) {
            observer.entered.push(Entered::look(&self.folder, scenario.locked()));
        }
        if let Some(operation) = world.control.breach() {
            return Err(ScenarioError::Hermeticity {
                operation,
                asked: Box::new(self.play.asked(place, &Path::root())),
            });
        }
        match acted {
            Ok(None) => Ok(()),
            Ok(Some(envelope)) => {
                self.play.answered = Some(Answer { asked: self.play.asked(place, &Path::root()), envelope });
                Ok(())
            }
            Err(Stop::Miss(miss)) => {
                let state = state::load(&self.folder).ok().flatten();
                Err(self.play.diverged(miss, place, state.as_ref()))
            }
            Err(Stop::Runtime(error)) => Err(self.play.refused(error, place)),
            Err(Stop::World(error)) => Err(error),
        }
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
        let Observer { trace, completed, entered, .. } = &self.play.observer;
        let seen =
            Seen { trace, completed: completed.as_deref(), state: &state, entered, folder: &self.folder };
        judge(expectations, &seen).map_err(|miss| self.play.diverged(miss, place, Some(&state)))
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
    /// Notes that a step begins, for whatever it leads to.
    fn begin(&mut self, place: Place) {
        let asked = self.asked(place, &Path::root());
        self.observer.trace.begin(asked);
    }

    fn diverged(&self, miss: Miss, place: Place, state: Option<&ItemState>) -> ScenarioError {
        let Miss { path, expected, found, hint } = miss;
        let index = path.segments().iter().rev().find_map(|segment| match segment {
            Segment::Index(index) => Some(*index),
            Segment::Key(_) => None,
        });
        ScenarioError::Assertion(Box::new(Divergence {
            field: self.path(place).join(&path).to_string(),
            index,
            expected,
            found,
            hint,
            asked: self.asked(place, &path),
            // A step that came to something else has just said what it was answered.
            answered: self.judges(place).then(|| self.answered.clone()).flatten(),
            stands: state.map(|state| (state.current_node.clone(), state.status)),
            trace: self.observer.trace.clone(),
        }))
    }

    /// Whether something is only looked at here.
    fn judges(&self, place: Place) -> bool {
        match place {
            Place::Start => false,
            Place::Step(index) => {
                self.scenario.steps().get(index).is_some_and(|step| matches!(step.action, Action::Expect(_)))
            }
            Place::End => true,
        }
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
