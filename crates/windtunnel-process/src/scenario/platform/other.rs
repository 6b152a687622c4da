use std::fs::Metadata;

/// Whether a process of this id runs: taken for granted where we cannot ask.
pub(in crate::scenario) fn is_alive(_pid: u32) -> bool {
    true
}

/// Whether something belongs to the user of this process: each has a temporary folder of their own here.
pub(in crate::scenario) fn is_own(_metadata: &Metadata) -> bool {
    true
}

/// How many files this process may have open: no limit here comes near the number of jobs.
pub(in crate::scenario) fn open_files() -> Option<usize> {
    None
}
