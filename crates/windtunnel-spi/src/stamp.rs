//! One order over everything that is witnessed, whoever witnesses it.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

/// A place in the order of evidence. Later stamps of one process compare greater.
///
/// Recorders, the inference seam and the runner take stamps from the same counter, so that their logs merge into one
/// list without comparing clocks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Stamp(u64);

impl Stamp {
    /// The next place in the order.
    pub fn next() -> Self {
        static COUNTER: AtomicU64 = AtomicU64::new(0);
        Self(COUNTER.fetch_add(1, Ordering::Relaxed))
    }
}

/// A value with its place in the order of evidence.
#[derive(Debug, Clone, PartialEq)]
pub struct Stamped<T> {
    /// Its place.
    pub stamp: Stamp,
    /// Milliseconds since the Unix epoch when it began.
    pub at_ms: f64,
    /// The value.
    pub value: T,
}

/// When, and where in the order of evidence, something is seen to happen.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Moment {
    /// Its place in the order.
    pub stamp: Stamp,
    /// Milliseconds since the Unix epoch.
    pub at_ms: f64,
}

impl Moment {
    /// The next place in the order, and the present time.
    pub fn now() -> Self {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Self { stamp: Stamp::next(), at_ms: since.as_secs_f64() * 1000.0 }
    }

    /// What was seen then.
    pub fn with<T>(self, value: T) -> Stamped<T> {
        Stamped { stamp: self.stamp, at_ms: self.at_ms, value }
    }
}
