//! Which kinds of brains and back ends there are.

use std::collections::BTreeMap;
use std::sync::Arc;

use windtunnel_doc::{Fault, Path, nearest};

use crate::backend::BackendError;
use crate::brain::Runtime;
use crate::config::{Params, Tunables};
use crate::endpoint::Endpoint;
use crate::gate::Gates;
use crate::provider::Provider;
use crate::tooling::Tooling;

/// What is at hand when a back end is made.
#[derive(Clone)]
pub struct BuildContext {
    /// The timings and bounds.
    pub tunables: Arc<Tunables>,
    /// What waits for something to happen in the run.
    pub gates: Gates,
    /// Whether a back end that keeps what it was asked keeps all of it, because somebody will write it out, and not just the latest.
    pub keep_everything: bool,
}

/// Makes a back end of one kind from its parameters.
pub type Factory<T> = Arc<dyn Fn(&Params, &BuildContext) -> Result<Arc<T>, FactoryError> + Send + Sync>;

/// A back end that cannot be made.
#[derive(Debug, Clone, thiserror::Error)]
pub enum FactoryError {
    /// Its parameters are wrong.
    #[error(transparent)]
    Params(#[from] windtunnel_doc::Diagnostics),
    /// Its parameters are right, but it cannot be made.
    #[error(transparent)]
    Backend(#[from] BackendError),
}

/// The kinds of one sort of back end.
pub struct Kinds<T: ?Sized>(BTreeMap<String, Factory<T>>);

impl<T: ?Sized> Default for Kinds<T> {
    fn default() -> Self {
        Self(BTreeMap::new())
    }
}

impl<T: ?Sized> Clone for Kinds<T> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<T: ?Sized> Kinds<T> {
    /// Adds a kind; one of the same name is replaced.
    pub fn add(
        &mut self,
        kind: impl Into<String>,
        make: impl Fn(&Params, &BuildContext) -> Result<Arc<T>, FactoryError> + Send + Sync + 'static,
    ) {
        self.0.insert(kind.into(), Arc::new(make));
    }

    /// The factory of a kind.
    pub fn get(&self, kind: &str) -> Option<&Factory<T>> {
        self.0.get(kind)
    }

    /// The names of the kinds, sorted.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }

    /// The fault of a table whose kind is none of these.
    pub(crate) fn unknown(&self, table: &Path, kind: &str) -> Fault {
        let choice = choice(kind, self.names());
        Fault::new(table.clone().then("kind"), format!("unknown kind \"{kind}\"{choice}"))
    }
}

/// What would have been valid in place of a name.
pub(crate) fn choice<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> String {
    let known: Vec<_> = known.collect();
    if known.is_empty() {
        return "; there is none".into();
    }
    let expected = format!("; expected one of {}", known.join(", "));
    match nearest(name, known) {
        Some(near) => format!("{expected}; did you mean \"{near}\"?"),
        None => expected,
    }
}

/// The kinds of brains and back ends that a run can use.
#[derive(Clone, Default)]
pub struct Registries {
    /// Kinds for `[providers.<name>]`.
    pub providers: Kinds<dyn Provider>,
    /// Kinds for `[tooling.<name>]`.
    pub tooling: Kinds<dyn Tooling>,
    /// Kinds for `[endpoint]`.
    pub endpoints: Kinds<dyn Endpoint>,
    /// Kinds for `[runtime.<name>]`.
    pub runtimes: Kinds<dyn Runtime>,
}

impl Registries {
    /// Every kind that is compiled in.
    pub fn standard() -> Self {
        Self::default().with_brains().with_real().with_scripted()
    }

    /// What a deployment can use: brains, and real back ends.
    pub fn deployment() -> Self {
        Self::default().with_brains().with_real()
    }

    /// What a test can use: brains, and back ends that answer from a script.
    pub fn testing() -> Self {
        Self::default().with_brains().with_scripted()
    }

    #[allow(unused_mut, reason = "a build without brains adds none")]
    fn with_brains(mut self) -> Self {
        #[cfg(feature = "rhai")]
        self.runtimes.add("rhai", |_, _| Ok(Arc::new(crate::brain::rhai::Rhai::new())));
        #[cfg(feature = "js")]
        self.runtimes.add("js", |_, _| Ok(Arc::new(crate::brain::js::Js::new())));
        self
    }

    #[allow(unused_mut, reason = "a build without back ends adds none")]
    fn with_real(mut self) -> Self {
        #[cfg(feature = "openai")]
        self.providers.add("openai", |params, _| {
            Ok(Arc::new(crate::provider::openai::OpenAiProvider::configured(params)?))
        });
        #[cfg(feature = "openai")]
        self.endpoints.add("openai", |params, _| {
            Ok(Arc::new(crate::endpoint::openai::OpenAiEndpoint::configured(params)?))
        });
        #[cfg(feature = "mcp")]
        self.tooling.add(crate::tooling::mcp::KIND, |params, context| {
            Ok(Arc::new(crate::tooling::mcp::McpTooling::new(params, &context.tunables)?))
        });
        self
    }

    #[allow(unused_mut, reason = "a build without mocks adds none")]
    fn with_scripted(mut self) -> Self {
        #[cfg(feature = "mock")]
        crate::mock::register(&mut self);
        self
    }
}
