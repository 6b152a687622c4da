//! Folders that are tests by a file in them.
//!
//! [`FolderRule`] says which folders those are, [`find_folders`] looks for them. One that should be a test and is none is found
//! too, with its [`Standing`]: whoever runs the tests says so, and nothing is left out in silence.

mod find;
mod rule;

pub use find::{Standing, TestFolder, find_folders};
pub use rule::FolderRule;
