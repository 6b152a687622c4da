//! The test double of [`Reporter`].

use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use windtunnel_api::event::SuiteEvent;

use crate::{ReportError, Reporter};

/// Keeps what it is told. Clones share what they keep, so that a test can hold one while a suite drives the other.
#[derive(Debug, Clone, Default)]
pub struct RecordingReporter {
    told: Arc<Mutex<Told>>,
    fails_after: Option<usize>,
}

#[derive(Debug, Default)]
struct Told {
    events: Vec<SuiteEvent>,
    finished: bool,
}

impl RecordingReporter {
    /// One that never fails.
    pub fn new() -> Self {
        Self::default()
    }

    /// One whose output breaks after so many events.
    pub fn failing_after(events: usize) -> Self {
        Self { fails_after: Some(events), ..Self::default() }
    }

    /// The events so far.
    pub fn events(&self) -> Vec<SuiteEvent> {
        self.told().events.clone()
    }

    /// Whether it was finished.
    pub fn is_finished(&self) -> bool {
        self.told().finished
    }

    fn told(&self) -> MutexGuard<'_, Told> {
        self.told.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Reporter for RecordingReporter {
    fn event(&mut self, event: &SuiteEvent) -> Result<(), ReportError> {
        let mut told = self.told();
        if self.fails_after == Some(told.events.len()) {
            return Err(ReportError::Stream {
                to: "a reporter that fails on purpose".to_owned(),
                source: io::ErrorKind::BrokenPipe.into(),
            });
        }
        told.events.push(event.clone());
        Ok(())
    }

    fn finish(&mut self) -> Result<(), ReportError> {
        self.told().finished = true;
        Ok(())
    }
}
