//! The contents of `wt.toml`: where runs go, and the runtimes that a project has.

mod check;
mod spec;

pub use spec::{
    AcpRuntime, Aside, CommandRuntime, Config, ConfigFileVia, HttpInjectRuntime, InMemoryRuntime,
    InferenceVia, Install, LoopRuntime, OmwRuntime, PromptVia, ReplyVia, RuntimeSpec, Timeouts, ToolsVia,
    Wire,
};
