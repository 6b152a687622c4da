use std::fs::Metadata;
use std::os::unix::fs::MetadataExt as _;

use rustix::process::{Pid, Resource, geteuid, getrlimit, test_kill_process};

/// Whether a process of this id runs on this machine. One of another user does, too.
pub(in crate::scenario) fn is_alive(pid: u32) -> bool {
    let Some(pid) = i32::try_from(pid).ok().and_then(Pid::from_raw) else { return false };
    !matches!(test_kill_process(pid), Err(rustix::io::Errno::SRCH))
}

/// Whether something belongs to the user of this process.
pub(in crate::scenario) fn is_own(metadata: &Metadata) -> bool {
    metadata.uid() == geteuid().as_raw()
}

/// How many files this process may have open; none if there is no limit.
pub(in crate::scenario) fn open_files() -> Option<usize> {
    getrlimit(Resource::Nofile).current.and_then(|limit| usize::try_from(limit).ok())
}
