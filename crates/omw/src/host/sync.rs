//! Locks.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Locks a mutex whose content is whole between any two statements of those that hold it, so that a panic of one of them is no reason for the
/// others to fail.
pub(super) fn lock<T: ?Sized>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
