//! A program and everything that it starts, as one thing that can be waited for and killed.

#[cfg(target_os = "linux")]
mod linux;
#[cfg(not(target_os = "linux"))]
mod other;
#[cfg(unix)]
mod program;

#[cfg(target_os = "linux")]
pub(crate) use linux::Tree;
#[cfg(not(target_os = "linux"))]
pub(crate) use other::Tree;

use std::time::Duration;

use camino::Utf8Path;

/// How long a program has between being asked to end and being killed.
pub(crate) const GRACE: Duration = Duration::from_millis(500);

/// The variable that marks every process of a tree with the tree's [`Launch::marker`].
pub(crate) const MARKER: &str = "WT_CASE_ID";

/// What is to be started.
pub(crate) struct Launch<'a> {
    /// The program's file.
    pub(crate) program: &'a Utf8Path,
    /// Its arguments.
    pub(crate) args: &'a [String],
    /// Unique on this machine.
    pub(crate) marker: String,
    /// Whether it leads a process group; otherwise it stays in ours.
    pub(crate) own_group: bool,
}
