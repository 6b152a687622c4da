//! The runtimes that come with the bench, and its state probes.
//!
//! - [`agent_loop`] is `loop`: a real agent loop in this process, for people who bring only tools.
//! - [`acp`] is any program that speaks the Agent Client Protocol.
//! - [`command`] is any program, which is told where its model and its tools are.
//! - [`http_inject`] is an agent behind an endpoint that takes turns over HTTP.
//! - [`mod@omw`] is the agents of an `omw.toml`, in this process.
//! - [`in_memory`] is a stub for learning the scoring.
//! - [`probe`] reads what the world looks like after the last turn.
//!
//! [`plugin()`] makes a runtime from its settings, [`builtin`] those that need none. Below are the traits of
//! [`windtunnel_spi`], child processes ([`windtunnel_child`]) and the scripted model ([`windtunnel_inference`]); the command
//! line is above, and embedders find all of it in the facade crate.
//!
//! ```
//! use windtunnel_api::config::RuntimeSpec;
//! use windtunnel_spi::{AgentConfig, CaseWorld, Message, SessionId};
//!
//! # tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(async {
//! let spec: RuntimeSpec = serde_json::from_value(serde_json::json!({
//!     "in_memory": {"reply": "artifact complete"},
//! })).unwrap();
//! let plugin = windtunnel_runtimes::plugin("learning", &spec, ".".into()).unwrap();
//! let runtime = plugin.build().await.unwrap();
//!
//! let config = AgentConfig::new("wt-cli", CaseWorld::new("case-1", "."));
//! let mut agent = runtime.provision(config, Vec::new()).await.unwrap();
//! let reply = agent.send(&[Message::user("Create it.")], &SessionId::new("s")).await.unwrap();
//! assert_eq!(reply.content, "artifact complete");
//! assert!(runtime.reference().is_none(), "a stub has no loop that a script could drive");
//! # });
//! ```

pub mod acp;
mod addresses;
pub mod agent_loop;
pub mod command;
mod headers;
pub mod http_inject;
pub mod in_memory;
pub mod omw;
mod plugin;
pub mod probe;
mod program;
mod settings;

pub use plugin::{builtin, plugin, secrets};
