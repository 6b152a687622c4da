//! From tree to type, with every fault reported at once.
//!
//! A serde type stops at the first error, so it is run several times ([`passes`]). After each pass
//! the place of the error is remembered in a [`plan`], and the next pass gets a stand-in for it: an
//! unknown entry is left out, a wrong value or a missing field is answered by a [`placeholder`] that
//! gives every type a value it should like. Errors that only a stand-in can have caused are dropped.
//!
//! [`value`] is the deserializer of one node, [`entries`] of its children, [`variant`] of an enum.

mod entries;
mod error;
mod passes;
mod placeholder;
mod plan;
mod value;
mod variant;
mod words;

pub(crate) use passes::{decode, decode_known};
