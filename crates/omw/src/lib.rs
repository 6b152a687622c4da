//! An actor-style agent runtime that can be tested.
//!
//! Agents are actors. Each has a *brain*, a script or code of the embedder, which runs on a thread of its own, takes events from one
//! bounded inbox, and calls a [host](host::Host) for everything else: models, tools, timers, memory, other agents, clients. Everything that
//! an agent does and sees can be recorded, and a test holds it against patterns.
//!
//! | module | holds |
//! |---|---|
//! | [`config`] | `omw.toml`: who there is and what they reach, with the place of every value |
//! | [`run`] | agents started, stopped, restarted and replaced |
//! | [`host`] | what a brain may do, and what is recorded of it ([`host::trace`]) |
//! | [`brain`] | brains: rhai, JavaScript, code of the embedder |
//! | [`provider`], [`tooling`], [`endpoint`] | the back ends: traits, and the real ones |
//! | `mock` | back ends that answer from a script |
//! | [`registry`] | which kinds of brains and back ends there are |
//! | `testing` | `omw.test.toml`: assertions, the harness, suites |
//! | `scaffold` | a test made from a deployment |
//! | `cli` | the programs `omw` and `omw-test` |
//!
//! Below it are the pattern language, discovery, the case runner and the reporters, which `wt` uses too; of `wt` it knows nothing. Above it is
//! the `omw` runtime of `wt`.
//!
//! # Features
//!
//! Brains are `rhai` and `js`; back ends are `openai`, `mcp` and `mock`; `testing` and `scaffold` are libraries, `cli` is the two programs. All but
//! `js` and `cli` are on by default.
//!
//! # Example
//!
//! A test in code. The brain is Rust; the model answers from a script.
//!
//! ```
//! # #[cfg(all(feature = "testing", feature = "mock"))]
//! # tokio::runtime::Runtime::new()?.block_on(async {
//! use std::sync::Arc;
//!
//! use omw::prelude::*;
//! use omw::testing::{Harness, parse};
//! use windtunnel_doc::Format;
//!
//! struct Greeter;
//!
//! impl Brain for Greeter {
//!     fn run(&self, host: &Arc<dyn Host>) -> Result<Option<String>, BrainError> {
//!         let ask = ChatRequest { model: "gpt-test".into(), ..ChatRequest::default() };
//!         let reply = host.chat("llm", ask).map_err(|error| BrainError::Failed(error.to_string()))?;
//!         Ok(reply.content)
//!     }
//! }
//!
//! let mut registries = Registries::testing();
//! registries.runtimes.add("native", |_, _| Ok(Arc::new(Native::new("native", Arc::new(Greeter)))));
//!
//! let test = parse(
//!     r#"
//!     [agents.alice]
//!     runtime = "main"
//!     script = "greeter"
//!
//!     [runtime.main]
//!     kind = "native"
//!
//!     [providers.llm]
//!     kind = "mock"
//!     turns = [{ content = "hello" }]
//!
//!     [assertions.alice]
//!     outcome = { exited = "hello" }
//!     events = [{ kind = "call", op = "chat", detail = { model = "^gpt-" } }]
//!     "#,
//!     Format::Toml,
//! )?;
//! let report = Harness::new(registries).run(&test).await;
//! assert!(report.passed(), "{report}");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! # })?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod assertion;
pub mod backend;
pub mod brain;
#[cfg(feature = "cli")]
pub mod cli;
pub mod config;
pub mod endpoint;
pub mod exchange;
pub mod gate;
pub mod host;
#[cfg(feature = "mock")]
pub mod mock;
#[cfg(feature = "openai")]
mod openai;
pub mod prelude;
pub mod provider;
pub mod registry;
pub mod run;
#[cfg(feature = "scaffold")]
pub mod scaffold;
#[cfg(any(feature = "mcp", feature = "scaffold"))]
mod secrets;
#[cfg(feature = "testing")]
pub mod testing;
pub mod tooling;
