//! Listeners on loopback, and what they serve: the scripts of all cases of a process on one, each at a path of its own.

pub(crate) mod answer;
mod body;
mod cases;
mod connection;
mod error;
mod fault;
mod handler;
mod route;
mod scripted;
mod stream;

pub use self::body::MAX_BODY;
pub(crate) use self::body::whole as whole_body;
pub(crate) use self::cases::Cases;
pub(crate) use self::connection::{Handler, Listening};
pub use self::error::ServerError;
pub(crate) use self::handler::Endpoint;
pub use self::handler::ServedRequest;
pub use self::scripted::{ScriptedCase, ScriptedServer};
pub(crate) use self::stream::Hangup;
