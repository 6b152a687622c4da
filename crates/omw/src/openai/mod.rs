//! What the two ends of OpenAI Chat Completions share: the provider, which asks, and the endpoint, which answers.
//!
//! Reading is as tolerant as what is seen in the field needs; writing is as strict as clients and servers of the field need.

mod call;
mod content;
mod numbers;
mod params;

pub(crate) use call::{Call, Kind};
pub(crate) use content::text;
pub(crate) use numbers::{CallNumbers, CallPiece, TooManyCalls};
pub(crate) use params::Unusable;

/// The data of the event that ends a stream.
pub(crate) const DONE: &str = "[DONE]";
