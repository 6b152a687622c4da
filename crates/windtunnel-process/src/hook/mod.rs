//! What a chain is made of: the trait, what a hook sees and decides, and the registry that a graph takes its hooks from.
//!
//! A hook knows files, the item's state and the transports; it knows nothing of the verbs that run it. Those that come with
//! this crate are in [`HookRegistry::shipped`]. One of one's own has its parameters as fields:
//!
//! ```
//! use async_trait::async_trait;
//! use serde::Deserialize;
//! use windtunnel_process::artifact::ArtifactName;
//! use windtunnel_process::hook::{Hook, HookContext, HookError, HookRegistry, Outcome};
//!
//! /// The artifact says no `TBD`.
//! #[derive(Deserialize)]
//! #[serde(deny_unknown_fields)]
//! struct NothingOpen {
//!     artifact: ArtifactName,
//! }
//!
//! #[async_trait]
//! impl Hook for NothingOpen {
//!     async fn run(&self, context: &mut HookContext<'_>) -> Result<Outcome, HookError> {
//!         let found = self.artifact.find(context.folder).map_err(|error| HookError(error.to_string()))?;
//!         let Some(artifact) = found else { return Ok(Outcome::Skip) };
//!         let open = artifact.text().lines().zip(1..).filter(|(line, _)| line.contains("TBD"));
//!         let finding = |(_, line)| format!("{}:{line}: TBD", artifact.file());
//!         Ok(Outcome::of_findings(open.map(finding).collect()))
//!     }
//! }
//!
//! let hooks = HookRegistry::shipped().with::<NothingOpen>("nothing-open");
//! assert!(hooks.names().any(|name| name == "nothing-open"));
//! ```

mod checklist;
mod context;
mod feedback;
mod lint;
mod outcome;
mod phrase;
mod reading;
mod registry;
mod shipped;
mod statement;

pub use context::{Effects, Feedback, HookContext, ItemEvent, Selection};
pub use feedback::FeedbackKind;
pub use outcome::{Effort, HookError, Outcome};
pub use registry::HookRegistry;

use std::time::Duration;

use async_trait::async_trait;

/// A step of a chain: it reads files, or tells somebody something.
#[async_trait]
pub trait Hook: Send + Sync {
    /// Whether it decides, or only does what it can.
    fn effort(&self) -> Effort {
        Effort::Gate
    }

    /// The nodes that its parameters name. That they exist is checked when the graph is compiled.
    fn nodes(&self) -> Vec<&str> {
        Vec::new()
    }

    /// How long it may take. After that it has failed, and is ended where it awaits something: a hook that blocks its thread is not
    /// ended, and neither the limit nor an interrupt is seen before it returns. What may take long belongs on a thread of its own, as
    /// with `tokio::task::spawn_blocking`, or into another process.
    fn limit(&self) -> Duration {
        Duration::from_secs(60)
    }

    /// Does its work.
    ///
    /// # Errors
    /// It could not be done: a gate then blocks, any other hook is degraded.
    async fn run(&self, context: &mut HookContext<'_>) -> Result<Outcome, HookError>;
}
