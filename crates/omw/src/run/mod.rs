//! Runs: agents started, stopped, restarted and replaced.
//!
//! Each agent has a life, which says what is to be done when something happens to it, and a supervisor, which does it. Its brain runs on a thread of
//! its own; whatever the brain does, it can be ended: first by being asked, then by an interrupt, and at last by leaving its thread behind.
//!
//! ```
//! use std::sync::Arc;
//!
//! use omw::config::{Source, load};
//! use omw::prelude::*;
//! use windtunnel_doc::Format;
//!
//! struct Greeter;
//!
//! impl Brain for Greeter {
//!     fn run(&self, host: &Arc<dyn Host>) -> Result<Option<String>, BrainError> {
//!         Ok(Some(format!("hello from {}", host.whoami())))
//!     }
//! }
//!
//! # tokio::runtime::Builder::new_current_thread().enable_all().build()?.block_on(async {
//! let text = r#"
//!     [agents.alice]
//!     runtime = "code"
//!     script = "none"
//!
//!     [runtime.code]
//!     kind = "greeter"
//! "#;
//! let config = load(&Source::text("omw.toml", text, Format::Toml))?.config;
//! let mut registries = Registries::default();
//! registries.runtimes.add("greeter", |_, _| Ok(Arc::new(Native::new("greeter", Arc::new(Greeter)))));
//!
//! let run = Run::builder(Arc::new(config), &registries).start().await?;
//! let report = run.finish().await;
//! assert_eq!(report.agents[0].outcome, RunOutcome::Exited("hello from alice".into()));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! # })?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod agents;
mod backoff;
mod brain_thread;
mod brains;
mod builder;
mod control;
mod error;
mod handle;
mod life;
mod report;
mod scripts;
mod supervisor;
mod whereabouts;

pub use agents::{loop_agents, loop_agents_traced, run_agents, run_agents_traced};
pub use builder::{Run, RunBuilder};
pub use control::Control;
pub use error::{BrainFault, RunError};
pub use handle::RunHandle;
pub use report::{AgentEnd, RunReport, Snapshots};
pub use whereabouts::Whereabouts;
