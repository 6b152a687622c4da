//! Values as brains see them, and as they hand them over: what all languages share.
//!
//! Outward ([`Shape`]), absent members are left out and JSON that travels as text is parsed. Inward ([`chat_request`], [`delta`]),
//! members may be missing, and values may stand where text travels. Only the keys of our own records follow the language's
//! [`KeyCase`]; the keys inside arguments, usage, params, schemas and tool contents are somebody else's.

mod case;
mod inward;
mod outward;

pub(crate) use case::KeyCase;
pub(crate) use inward::{chat_request, delta};
pub(crate) use outward::{Shape, parsed};
