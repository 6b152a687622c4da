//! The commands. Each resolves its arguments, calls the library, and says how it ended.

pub(crate) mod bridge;
pub(crate) mod completions;
pub(crate) mod doctor;
mod execute;
mod judges;
pub(crate) mod list;
pub(crate) mod new;
pub(crate) mod record;
mod reporting;
pub(crate) mod run;
pub(crate) mod schema;
mod scope;
pub(crate) mod selftest;
pub(crate) mod serve;
pub(crate) mod surface;
mod watch;
