//! The folders that cases work in: one temporary root per bench, a fresh folder per case, seeded from the pack's files
//! before every run.

mod error;
mod removal;
mod seed;
mod workspaces;

pub use error::WorkspaceError;
pub use seed::{MAX_DEPTH, MAX_ENTRIES, MAX_SEED_BYTES, copy_files};
pub use workspaces::{ROOT_PREFIX, Workspace, Workspaces};
