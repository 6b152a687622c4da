//! What operating systems do differently, behind one interface.

#[cfg(not(unix))]
mod other;
#[cfg(unix)]
mod unix;

#[cfg(not(unix))]
pub(super) use other::{is_alive, is_own, open_files};
#[cfg(unix)]
pub(super) use unix::{is_alive, is_own, open_files};
