//! Time, ids and randomness come in through one seam, so that a run can be repeated to the byte.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use jiff::Timestamp;
use uuid::Uuid;

/// Where the present moment comes from.
pub trait Clock: Send + Sync {
    /// Now.
    fn now(&self) -> Timestamp;
}

/// Where new ids come from.
pub trait IdSource: Send + Sync {
    /// A new id.
    fn id(&self) -> Uuid;
}

/// The clock and the ids of a suite.
#[derive(Clone)]
pub struct Seam {
    /// The clock.
    pub clock: Arc<dyn Clock>,
    /// The ids.
    pub ids: Arc<dyn IdSource>,
}

impl Seam {
    /// The system's clock and random ids.
    pub fn system() -> Self {
        Self { clock: Arc::new(SystemClock), ids: Arc::new(RandomIds) }
    }

    /// A clock that stands still and ids that count up: two runs are the same to the byte.
    pub fn fixed(now: Timestamp) -> Self {
        Self { clock: Arc::new(FixedClock(now)), ids: Arc::new(CountingIds(AtomicU64::new(1))) }
    }

    /// Now, as traces write it: RFC 3339 with microseconds and `+00:00`.
    pub fn now_rfc3339(&self) -> String {
        rfc3339(self.clock.now())
    }
}

/// A moment as traces write it: RFC 3339 with microseconds and `+00:00`.
pub fn rfc3339(at: Timestamp) -> String {
    at.strftime("%Y-%m-%dT%H:%M:%S%.6f+00:00").to_string()
}

struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> Timestamp {
        Timestamp::now()
    }
}

struct RandomIds;

impl IdSource for RandomIds {
    fn id(&self) -> Uuid {
        Uuid::new_v4()
    }
}

struct FixedClock(Timestamp);

impl Clock for FixedClock {
    fn now(&self) -> Timestamp {
        self.0
    }
}

struct CountingIds(AtomicU64);

impl IdSource for CountingIds {
    fn id(&self) -> Uuid {
        Uuid::from_u128(u128::from(self.0.fetch_add(1, Ordering::Relaxed)))
    }
}
