//! The seams to the world outside: where an item is discussed, and the session of the agent that works on it.

mod control_plane;
#[cfg(feature = "github")]
pub mod github;
mod marker;
mod session;

pub use control_plane::{Comment, ControlPlane, ControlPlaneError, Operation};
pub use marker::{QUESTION_MARKER, SELF_MARKER, is_marked, is_question, marked, marked_question};
pub use session::{NoSession, SessionError, SessionTransport};
