//! The event log: what happened to an item, as JSON lines whose names and fields are a contract.

mod jsonl;
mod memory;
mod record;

pub use jsonl::JsonlLog;
pub use memory::MemoryLog;
pub use record::{COMMON_FIELDS, EventRecord, ProcessEvent, Via};

use std::io;

/// Where events go.
pub trait EventSink: Send + Sync {
    /// Appends one event; it is in the log when this returns.
    ///
    /// # Errors
    /// The event could not be written.
    fn append(&self, record: &EventRecord) -> io::Result<()>;
}
