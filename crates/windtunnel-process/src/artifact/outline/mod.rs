//! What stands in an artifact: its sections and boxes.

mod model;
mod walk;

pub use model::{Outline, Section, TaskBox};
pub(crate) use walk::events;
pub(super) use walk::outline;
