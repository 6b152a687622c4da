//! All runtimes of a suite, and where each scenario runs.

use std::collections::HashMap;
use std::sync::Arc;

use indexmap::IndexMap;
use windtunnel_discovery::Found;

use super::SuiteOptions;
use super::error::SuiteError;
use super::session::Session;
use crate::runtimes::Runtimes;

/// The runtimes of a suite, and where each of its scenarios runs.
pub(crate) struct Sessions {
    pub(super) by_name: IndexMap<String, Session>,
    /// Scenarios in order, with the index of their session and of their pack in it.
    pub(super) scenarios: Vec<(Found, usize, usize)>,
}

/// A scenario with the session that it runs in.
#[derive(Clone)]
pub(crate) struct Place {
    pub(crate) found: Found,
    pub(crate) session: Arc<Session>,
    /// The index of its pack in the session.
    pub(crate) pack: usize,
}

impl Sessions {
    /// Finds the runtime of each scenario.
    pub(crate) fn group(
        found: Vec<Found>,
        runtimes: &Runtimes,
        options: &SuiteOptions,
    ) -> Result<Self, SuiteError> {
        let mut by_name: IndexMap<String, Session> = IndexMap::new();
        let mut scenarios = Vec::with_capacity(found.len());
        for found in found {
            let name = options.runtime.of(&found.pack);
            let entry = by_name.entry(name.to_owned());
            let index = entry.index();
            let session = match entry {
                indexmap::map::Entry::Occupied(known) => known.into_mut(),
                indexmap::map::Entry::Vacant(new) => {
                    new.insert(Session::new(Arc::clone(runtimes.get(name)?)))
                }
            };
            let pack = session.add(&found.pack, found.scenario());
            scenarios.push((found, index, pack));
        }
        Ok(Self { by_name, scenarios })
    }

    /// The runtimes' names, joined by a comma.
    pub(crate) fn names(&self) -> String {
        self.by_name.keys().map(String::as_str).collect::<Vec<_>>().join(",")
    }

    /// By runtime, the most cases that run side by side.
    pub(crate) fn limits(&self) -> HashMap<String, usize> {
        self.by_name
            .iter()
            .map(|(name, session)| (name.clone(), session.plugin.max_concurrency().max(1)))
            .collect()
    }

    /// The most cases that can run side by side with so many jobs, if so many cases need no runtime.
    pub(crate) fn max_concurrency(&self, jobs: usize, beside: usize) -> usize {
        self.limits().into_values().fold(beside, usize::saturating_add).min(jobs).max(1)
    }

    /// The sessions, shared from now on, and the scenarios in them.
    pub(super) fn share(self) -> (Vec<Arc<Session>>, Vec<Place>) {
        let sessions: Vec<Arc<Session>> = self.by_name.into_values().map(Arc::new).collect();
        let place = |(found, session, pack): (Found, usize, usize)| {
            let session = Arc::clone(sessions.get(session)?);
            Some(Place { found, session, pack })
        };
        let places = self.scenarios.into_iter().filter_map(place).collect();
        (sessions, places)
    }
}
