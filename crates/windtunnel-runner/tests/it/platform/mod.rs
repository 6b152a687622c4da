//! A platform whose every step is written down and can be made to fail, hang or panic.

mod agent;
mod suite;
mod tools;

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use windtunnel_api::ReferenceDecision;
use windtunnel_api::surface::Surface;

use tools::Server;

/// What goes wrong at a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wrong {
    /// It fails.
    Fails,
    /// It never ends.
    Hangs,
    /// It panics.
    Panics,
}

/// The platform. Clones share everything.
#[derive(Clone, Default)]
pub(crate) struct Platform {
    pub(crate) log: Arc<Mutex<Vec<String>>>,
    pub(crate) wrong: Arc<Mutex<HashMap<String, Wrong>>>,
    /// By case, the server that its agent calls.
    pub(crate) servers: Arc<Mutex<HashMap<String, Arc<Server>>>>,
    /// Whether its runtime can be self-tested.
    pub(crate) reference_capable: bool,
    /// What a live agent decides in each turn.
    pub(crate) live: Vec<ReferenceDecision>,
    /// Decisions that a scripted agent leaves unserved.
    pub(crate) stops_before: usize,
    /// What its agents do with what stands before a turn.
    pub(crate) history: History,
    /// Cases that its runtime runs side by side.
    pub(crate) max_concurrency: usize,
    /// The limit of a turn that the agent's own settings say.
    pub(crate) turn_limit: Option<Duration>,
    /// What the runtime shows of its prompt surface.
    pub(crate) surface: Option<Surface>,
    /// Why its settings do not suffice for live agents.
    pub(crate) not_live: Option<String>,
    /// What only one suite may use at a time.
    pub(crate) lock_key: Option<String>,
    /// Whether `pre_run` installs a probe factory.
    pub(crate) pre_run_installs_probe: bool,
}

/// What an agent does with what stands before a turn.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum History {
    /// It takes it.
    #[default]
    Taken,
    /// It can be told nothing but what the user says.
    Refused,
    /// It tells its model what the user says and nothing else, before the eyes of a seam.
    LeftOut,
}

impl Platform {
    pub(crate) fn new() -> Self {
        Self { reference_capable: true, max_concurrency: 1, ..Self::default() }
    }

    /// The same platform, where this step goes wrong.
    pub(crate) fn wrong(self, step: &str, wrong: Wrong) -> Self {
        self.wrong.lock().unwrap().insert(step.to_owned(), wrong);
        self
    }

    /// The steps so far.
    pub(crate) fn log(&self) -> Vec<String> {
        self.log.lock().unwrap().clone()
    }

    pub(crate) fn note(&self, step: &str) {
        self.log.lock().unwrap().push(step.to_owned());
    }

    /// Notes a step; `Err` if it is to fail.
    async fn step(&self, step: &str) -> Result<(), String> {
        self.note(step);
        let wrong = self.wrong.lock().unwrap().get(step).copied();
        match wrong {
            None => Ok(()),
            Some(Wrong::Fails) => Err(format!("{step} failed as scripted")),
            Some(Wrong::Hangs) => std::future::pending().await,
            Some(Wrong::Panics) => panic!("{step} panicked as scripted"),
        }
    }

    /// Notes a step that cannot hang; `Err` if it is to fail.
    fn step_now(&self, step: &str) -> Result<(), String> {
        self.note(step);
        let wrong = self.wrong.lock().unwrap().get(step).copied();
        match wrong {
            None => Ok(()),
            Some(Wrong::Panics) => panic!("{step} panicked as scripted"),
            Some(_) => Err(format!("{step} failed as scripted")),
        }
    }
}
