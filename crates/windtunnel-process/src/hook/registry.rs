//! The hooks that a graph may name.

use std::fmt;
use std::sync::Arc;

use indexmap::IndexMap;
use serde::de::DeserializeOwned;
use windtunnel_doc::{Fault, Format, Node, NodeValue};

use super::Hook;

type Bind = dyn Fn(&Node) -> Result<Arc<dyn Hook>, Vec<Fault>> + Send + Sync;

/// The hooks that a graph may name, each with how it reads its parameters.
#[derive(Clone, Default)]
pub struct HookRegistry {
    hooks: IndexMap<String, Arc<Bind>>,
}

impl HookRegistry {
    /// No hooks at all.
    pub fn empty() -> Self {
        Self::default()
    }

    /// Adds a hook whose fields are its parameters. A later one of the same name wins.
    #[must_use]
    pub fn with<H: Hook + DeserializeOwned + 'static>(self, name: impl Into<String>) -> Self {
        self.with_fn(name, |parameters| {
            let none = Node { span: parameters.span.clone(), value: NodeValue::Map(Vec::new()) };
            let parameters = if parameters.value == NodeValue::Null { &none } else { parameters };
            parameters.decode::<H>(Format::Yaml).map(|hook| Arc::new(hook) as Arc<dyn Hook>)
        })
    }

    /// Adds a hook that is made from its parameters by a closure. A later one of the same name wins.
    #[must_use]
    pub fn with_fn(
        mut self,
        name: impl Into<String>,
        bind: impl Fn(&Node) -> Result<Arc<dyn Hook>, Vec<Fault>> + Send + Sync + 'static,
    ) -> Self {
        self.hooks.insert(name.into(), Arc::new(bind));
        self
    }

    /// The names, in the order they were added in.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.hooks.keys().map(String::as_str)
    }

    /// The hook of a name with these parameters; none if there is no such hook.
    pub fn bind(&self, name: &str, parameters: &Node) -> Option<Result<Arc<dyn Hook>, Vec<Fault>>> {
        self.hooks.get(name).map(|bind| bind(parameters))
    }
}

impl fmt::Debug for HookRegistry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.hooks.keys()).finish()
    }
}
