//! Faults of Markdown that are cheap to find.

mod long_lines;
mod mermaid;

pub(super) use long_lines::long_lines;
pub(super) use mermaid::mermaid;
