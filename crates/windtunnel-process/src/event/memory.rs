//! A log in memory.

use std::io;
use std::sync::{Mutex, PoisonError};

use super::{EventRecord, EventSink, ProcessEvent};

/// Events in memory, for tests; it can be told to fail.
#[derive(Debug, Default)]
pub struct MemoryLog {
    held: Mutex<Held>,
}

#[derive(Debug, Default)]
struct Held {
    records: Vec<EventRecord>,
    room: Option<usize>,
}

impl MemoryLog {
    /// Takes so many more events, and fails at the next. None: all of them.
    pub fn limit(&self, room: Option<usize>) {
        self.held().room = room;
    }

    /// What was appended, the oldest first.
    pub fn records(&self) -> Vec<EventRecord> {
        self.held().records.clone()
    }

    /// What happened, the oldest first.
    pub fn events(&self) -> Vec<ProcessEvent> {
        self.held().records.iter().map(|record| record.event.clone()).collect()
    }

    fn held(&self) -> std::sync::MutexGuard<'_, Held> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl EventSink for MemoryLog {
    fn append(&self, record: &EventRecord) -> io::Result<()> {
        let mut held = self.held();
        match &mut held.room {
            Some(0) => return Err(io::ErrorKind::StorageFull.into()),
            Some(room) => *room -= 1,
            None => {}
        }
        held.records.push(record.clone());
        Ok(())
    }
}
