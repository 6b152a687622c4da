//! The files that gates read: which of an item's files is meant, and what stands in it.
//!
//! An [`ArtifactName`] is found in an item's folder as an [`Artifact`]: a regular file of bounded size, with its
//! [`FrontMatter`] and an [`Outline`] of its sections and boxes. Everything knows its line.
//!
//! ```
//! use windtunnel_process::artifact::Artifact;
//!
//! let plan = Artifact::of_text("tasks.md", "---\nstatus: approved\n---\n# Task list\n\n- [ ] Wire the gate\n");
//! assert_eq!(plan.front_matter()?.unwrap().text("status"), Some("approved"));
//!
//! let outline = plan.outline();
//! assert!(outline.section("task list").unwrap().filled);
//! assert_eq!((outline.boxes[0].line, outline.boxes[0].ticked), (6, false));
//! # Ok::<(), windtunnel_process::artifact::ArtifactError>(())
//! ```

mod error;
pub(crate) mod execution_log;
mod file;
mod front_matter;
mod html;
mod lines;
mod name;
mod outline;
pub(crate) mod prose;
pub(crate) mod rewrite;
pub(crate) mod words;

pub use error::ArtifactError;
pub use file::{Artifact, MAX_BYTES};
pub use front_matter::FrontMatter;
pub(crate) use front_matter::LOCK;
pub use name::ArtifactName;
pub(crate) use name::MAX_NAME_BYTES;
pub(crate) use outline::events;
pub use outline::{Outline, Section, TaskBox};
