//! What the tests of the programs need: a fresh folder, a call in it, and a look at what is left behind.
//!
//! It is a dev-dependency of the programs and uses nothing of ours, so that it judges them from outside. A call has a scrubbed
//! environment and no standard input; what it printed is shown when an expectation fails.
//!
//! ```
//! use windtunnel_testkit::{Folder, Program};
//!
//! let folder = Folder::new().file("greeting.txt", "hello");
//! folder.call(&Program::new("cat", "/bin/cat"), "greeting.txt").succeeds().says("hello");
//! ```
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::missing_panics_doc,
    reason = "it is made of assertions, and what fails is a test"
)]

mod call;
pub mod documented;
mod folder;
mod process;
mod program;

pub use call::{Call, Finished, Started};
pub use folder::Folder;
pub use process::{Marker, eventually};
pub use program::Program;
