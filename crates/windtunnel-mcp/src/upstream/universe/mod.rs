//! The built-in server over recorded calls.
//!
//! A [`Library`] is a universe file made ready to be asked: read once, however many cases use it. Every case gets a
//! [`Served`] over it, which remembers what of a `sequence` was taken. Which recording answers is [`find`](matching::find),
//! a pure function; what a miss is answered with is decided by the file's policies, and noted for the evidence.

mod library;
mod matching;
mod outgoing;
mod serve;
mod shelf;

pub use serve::Synthesizer;
pub(crate) use serve::{Served, Universe, serve};
pub(crate) use shelf::Shelf;
