//! An actor-style agent runtime that can be tested.

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
