//! The prompt surface: what a model is told besides the conversation.
//!
//! A [`Surface`] is one as it was seen; a [`SurfaceGolden`] remembers the hashes of one, so that a change of it is found and named
//! without its text being kept.

mod golden;
mod spec;

pub use golden::{GoldenFile, GoldenText, SURFACE_GOLDEN_VERSION, SurfaceChange, SurfaceGolden};
pub use spec::{Instruction, Segment, Surface, SurfaceStatus};
