//! What a test of the binary needs: a fresh folder, a command in it, and a look at the processes that are left.

mod command;
mod fixtures;
mod folder;
mod http;
mod process;

pub(crate) use command::{Finished, Started};
pub(crate) use fixtures::{PACK, SCENARIO};
pub(crate) use folder::Folder;
pub(crate) use http::post;
#[cfg(target_os = "linux")]
pub(crate) use process::Marker;
pub(crate) use process::eventually;
