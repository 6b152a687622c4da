//! What a mock was asked.

use std::collections::VecDeque;

/// Entries that are kept unless all of them are.
const KEPT: usize = 200;

/// About how many bytes of them. A conversation comes whole with each call, so that a few hundred long ones are much.
const KEPT_BYTES: usize = 4 * 1024 * 1024;

/// The latest of what a mock was asked, or all of it.
pub(super) struct Log<T> {
    keeps_everything: bool,
    entries: VecDeque<(usize, T)>,
    bytes: usize,
    dropped: usize,
}

impl<T> Log<T> {
    pub(super) fn new(keeps_everything: bool) -> Self {
        Self { keeps_everything, entries: VecDeque::new(), bytes: 0, dropped: 0 }
    }

    /// Adds an entry of about so many bytes, and gives its number. The newest is always kept.
    pub(super) fn push(&mut self, bytes: usize, entry: T) -> usize {
        self.entries.push_back((bytes, entry));
        self.bytes += bytes;
        while self.is_too_large()
            && let Some((bytes, _)) = self.entries.pop_front()
        {
            self.bytes -= bytes;
            self.dropped += 1;
        }
        self.total() - 1
    }

    /// The entry of a number, unless it was dropped.
    pub(super) fn get_mut(&mut self, number: usize) -> Option<&mut T> {
        let place = number.checked_sub(self.dropped)?;
        self.entries.get_mut(place).map(|(_, entry)| entry)
    }

    /// How many there were.
    pub(super) fn total(&self) -> usize {
        self.dropped + self.entries.len()
    }

    /// How many were dropped.
    pub(super) fn dropped(&self) -> usize {
        self.dropped
    }

    /// Those that are kept, in their order.
    pub(super) fn iter(&self) -> impl Iterator<Item = &T> {
        self.entries.iter().map(|(_, entry)| entry)
    }

    fn is_too_large(&self) -> bool {
        let entries = self.entries.len();
        !self.keeps_everything && entries > 1 && (entries > KEPT || self.bytes > KEPT_BYTES)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_latest_are_kept_and_found_by_their_number() {
        let mut log = Log::new(false);
        for number in 0..1000 {
            assert_eq!(log.push(1, number), number);
        }
        assert_eq!((log.total(), log.dropped()), (1000, 800));
        assert_eq!(log.iter().copied().collect::<Vec<_>>(), (800..1000).collect::<Vec<_>>());
        assert_eq!(log.get_mut(800), Some(&mut 800));
        assert_eq!(log.get_mut(799), None);
        assert_eq!(log.get_mut(1000), None);
    }

    #[test]
    fn large_entries_make_it_keep_fewer_but_always_the_newest() {
        let mut log = Log::new(false);
        for number in 0..10 {
            log.push(KEPT_BYTES / 2, number);
        }
        assert_eq!(log.iter().copied().collect::<Vec<_>>(), [8, 9]);
        log.push(KEPT_BYTES * 2, 10);
        assert_eq!(log.iter().copied().collect::<Vec<_>>(), [10]);
        log.push(1, 11);
        assert_eq!(log.iter().copied().collect::<Vec<_>>(), [11]);
    }

    #[test]
    fn everything_is_kept_when_that_is_asked_for() {
        let mut log = Log::new(true);
        for number in 0..1000 {
            log.push(KEPT_BYTES, number);
        }
        assert_eq!((log.total(), log.dropped(), log.iter().count()), (1000, 0, 1000));
    }
}
