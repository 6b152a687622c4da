//! The `loop` runtime: a real agent loop in this process, made of a system prompt, a model and MCP tools.
//!
//! A turn asks the model, makes the tool calls it asks for, tells it the results, and so on until it answers without a call.
//! In a self-test the model is a script ([`windtunnel_inference::ScriptedModel`]); everything else stays as it is.

mod agent;
mod history;
mod inference;
mod judge;
mod mcp;
mod plugin;
mod runtime;
mod settings;
#[cfg(test)]
mod tests;
mod toolbox;

pub use judge::judge;
pub use plugin::plugin;
