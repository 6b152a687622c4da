//! Child processes that die with their case: agents and tool servers, and whatever these start.
//!
//! A [`Command`] is a program with arguments (never a shell), a working folder and an allow-listed [`Environment`]. The
//! [`Child`] it spawns is killed with its whole tree when it is told so, when it is dropped, when its case is cancelled
//! and, as far as the platform can, when this process dies. What it prints is kept bounded and redacted.
//!
//! How well a tree is known differs by platform. On Linux a host program that registers itself with [`set_shim`] puts a
//! small process between itself and the program, which adopts whatever forks away ([`shim_main`]); without it, leftovers
//! are looked for in `/proc`. Elsewhere a process group (macOS) or a job object (Windows) is killed: on macOS a process
//! that starts its own session escapes.
//!
//! Below are [`windtunnel_api`] and [`windtunnel_spi`]; the tool servers and the runtimes are above.
//!
//! ```
//! use windtunnel_child::{Command, Environment, Exit};
//! use windtunnel_spi::CaseWorld;
//!
//! # if cfg!(unix) { tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(async {
//! let world = CaseWorld::new("case-1", "/tmp");
//! let environment = Environment::allowed().set("GREETING", "hello")?;
//! let child = Command::new(["sh", "-c", "echo $GREETING >&2; exit 3"], "/tmp")
//!     .source("agent")
//!     .env(environment)
//!     .spawn(&world)?;
//! assert_eq!(child.wait().await, Exit::Code(3));
//! assert_eq!(child.captured().text, "hello\n");
//! # Ok::<(), windtunnel_child::ChildError>(()) }).unwrap() }
//! ```

mod capture;
mod child;
mod command;
mod environment;
mod error;
mod exit;
mod line_log;
#[cfg(target_os = "linux")]
mod procfs;
mod program;
mod shim;
mod template;
mod tree;

pub use child::{Child, Ending};
pub use command::Command;
pub use environment::Environment;
pub use error::ChildError;
pub use exit::Exit;
pub use shim::{reenter, set_shim, shim_main};
pub use template::{Expanded, expand};
