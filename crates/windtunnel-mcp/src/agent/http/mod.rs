//! Agents that speak streamable HTTP, on loopback.
//!
//! One listener serves every case of the process ([`listener`]); each recorder is a [`front`] behind a path of its own;
//! [`streams`] decides on which of an agent's open streams a message goes out.

mod front;
mod listener;
mod respond;
mod streams;

pub(crate) use front::Front;
pub(crate) use listener::{Registration, register};
