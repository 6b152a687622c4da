//! The `wt` command as a library, so that anyone can build a `wt` with their own runtimes and scenarios compiled in.
//!
//! It sits on top of every other crate: it reads arguments and files, wires the parts together, and turns errors into
//! diagnostics and exit codes. Nothing below it prints or exits.
//!
//! ```no_run
//! use std::process::ExitCode;
//!
//! fn main() -> ExitCode {
//!     windtunnel_cli::App::new().main()
//! }
//! ```
//!
//! With a runtime of one's own:
//!
//! ```
//! use std::sync::Arc;
//!
//! use windtunnel_spi::ReadyPlugin;
//! use windtunnel_spi::doubles::CannedRuntime;
//!
//! let runtime = ReadyPlugin::new("canned", Arc::new(CannedRuntime::new(["artifact complete"])));
//! let app = windtunnel_cli::App::new().with_runtime(Arc::new(runtime));
//! assert_eq!(app.run(["wt", "--version"]).code(), 0);
//! ```

mod app;
mod args;
mod commands;
mod config;
mod error;
mod folder;
mod log;
mod reference;
mod shell;
mod starter;

pub use app::App;
