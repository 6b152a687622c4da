//! A pack: the folder that scenarios live in, and the world that their runs get.

mod check;
mod spec;

pub use spec::{
    CommandProbe, EffectClass, HttpProbe, HttpTools, Pack, PackManifest, ProbeSpec, SqliteProbe, StdioTools,
    ToolSpec, UniverseTools, WorkspaceProbe, WorkspaceSpec, WorkspaceTools,
};
