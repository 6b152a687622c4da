//! From YAML to a graph.

use windtunnel_doc::Diagnostics;

use super::Graph;
use crate::hook::HookRegistry;

impl Graph {
    /// Compiles a graph.
    ///
    /// # Errors
    /// Everything that is wrong with it, each with its element and line.
    pub fn compile(name: &str, yaml: &str, hooks: &HookRegistry) -> Result<Self, Diagnostics> {
        let _ = (name, yaml, hooks);
        unimplemented!()
    }

    /// The node where a walk begins.
    pub fn start(&self) -> &super::Node {
        unimplemented!()
    }
}
