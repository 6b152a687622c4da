//! How many scenarios are played at once, whatever the number of jobs.

use std::sync::LazyLock;

use tokio::sync::{Semaphore, SemaphorePermit};

use crate::scenario::platform;

/// Files that the rest of the process may have open.
const RESERVED: usize = 24;

/// Files that a play may have open: its log, its lock and what it reads or writes, or each folder down to one that is removed.
const PER_PLAY: usize = 10;

/// Waits until there is room for one more play, and takes it until the permit is dropped.
pub(super) async fn enter() -> Option<SemaphorePermit<'static>> {
    static ROOM: LazyLock<Semaphore> = LazyLock::new(|| Semaphore::new(plays(platform::open_files())));
    // It is never closed.
    ROOM.acquire().await.ok()
}

/// How many plays do not come near the limit of open files.
fn plays(open_files: Option<usize>) -> usize {
    let limit = open_files.map_or(Semaphore::MAX_PERMITS, |limit| limit.saturating_sub(RESERVED) / PER_PLAY);
    limit.clamp(1, Semaphore::MAX_PERMITS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plays_are_as_many_as_files_may_be_open() {
        for (open_files, expected) in
            [(Some(0), 1), (Some(64), 4), (Some(1024), 100), (None, Semaphore::MAX_PERMITS)]
        {
            assert_eq!(plays(open_files), expected, "{open_files:?}");
        }
    }
}
