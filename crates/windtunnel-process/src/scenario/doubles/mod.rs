//! Doubles of the seams to the world outside: they remember, and do what they are told.

mod control_plane;
mod session;

pub use control_plane::{Call, FakeControlPlane};
pub use session::{Delivery, FakeSession};

use std::sync::{Mutex, MutexGuard, PoisonError};

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
