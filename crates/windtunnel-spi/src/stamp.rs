//! One order over everything that is witnessed, whoever witnesses it.

use std::sync::atomic::{AtomicU64, Ordering};

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
