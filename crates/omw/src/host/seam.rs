//! Where the time and new ids come from.

use std::time::{SystemTime, UNIX_EPOCH};

use uuid::Uuid;

/// The one place where the time of day and new ids come in, so that a run can be repeated to the byte.
pub trait Seam: Send + Sync {
    /// Milliseconds since the epoch.
    fn now(&self) -> i64;

    /// An id that was never given before.
    fn new_id(&self) -> String;
}

/// The system's clock, and random ids.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemSeam;

impl Seam for SystemSeam {
    fn now(&self) -> i64 {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
    }

    fn new_id(&self) -> String {
        Uuid::new_v4().to_string()
    }
}
