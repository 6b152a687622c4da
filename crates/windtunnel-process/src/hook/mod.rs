//! What a chain is made of.

mod checklist;
mod context;
mod feedback;
mod lint;
mod outcome;
mod phrase;
mod reading;
mod registry;
mod shipped;

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

    /// How long it may take. After that it has failed.
    fn limit(&self) -> Duration {
        Duration::from_secs(60)
    }

    /// Does its work.
    ///
    /// # Errors
    /// It could not be done: a gate then blocks, any other hook is degraded.
    async fn run(&self, context: &mut HookContext<'_>) -> Result<Outcome, HookError>;
}
