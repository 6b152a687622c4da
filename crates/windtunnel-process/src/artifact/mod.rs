//! The files that gates read.

mod name;

pub use name::ArtifactName;
