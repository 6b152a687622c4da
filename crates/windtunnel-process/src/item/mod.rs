//! Work items, where they are discussed, and the loops that they have inside.

pub(crate) mod inner_loop;
mod repo;
mod work_item;

pub use repo::{NoRepo, RepoName};
pub use work_item::{ItemRef, WorkItem};
pub(crate) use work_item::{check_id, number_of};
