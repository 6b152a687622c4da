/// Whether a process of this id runs: taken for granted where we cannot ask.
pub(crate) fn is_alive(_pid: u32) -> bool {
    true
}

pub(crate) use super::look_then_rename as rename_new;
