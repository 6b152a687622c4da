//! Making the back ends of a config.

use std::collections::HashMap;
use std::sync::Arc;

use indexmap::IndexMap;
use windtunnel_doc::{Diagnostics, Path};

use crate::config::{BackendConfig, Config, Origin};
use crate::endpoint::Endpoint;
use crate::provider::Provider;
use crate::registry::{BuildContext, FactoryError, Kinds, Registries};
use crate::run::RunError;
use crate::tooling::Tooling;

/// The back ends of a config.
pub(super) struct Backends {
    pub(super) providers: HashMap<String, Arc<dyn Provider>>,
    pub(super) tooling: HashMap<String, Arc<dyn Tooling>>,
    pub(super) endpoint: Option<Arc<dyn Endpoint>>,
}

impl Backends {
    /// Makes them all.
    ///
    /// # Errors
    /// Every fault of the config; if it has none, the first back end that cannot be made all the same.
    pub(super) fn make(
        config: &Config,
        registries: &Registries,
        context: &BuildContext,
    ) -> Result<Self, RunError> {
        let mut faults = Faults { origin: &config.origin, config: Vec::new(), backend: None };
        let providers = faults.make_all("providers", &config.providers, &registries.providers, context);
        let tooling = faults.make_all("tooling", &config.tooling, &registries.tooling, context);
        let at = Path::root().then("endpoint");
        let endpoint = config.endpoint.as_ref();
        let endpoint =
            endpoint.and_then(|endpoint| faults.make(&at, endpoint, &registries.endpoints, context));
        faults.none()?;
        Ok(Self { providers, tooling, endpoint })
    }
}

/// What keeps back ends from being made.
struct Faults<'c> {
    origin: &'c Origin,
    config: Vec<Diagnostics>,
    backend: Option<RunError>,
}

impl Faults<'_> {
    fn make_all<T: ?Sized>(
        &mut self,
        table: &str,
        configs: &IndexMap<String, BackendConfig>,
        kinds: &Kinds<T>,
        context: &BuildContext,
    ) -> HashMap<String, Arc<T>> {
        let table = Path::root().then(table);
        let mut made = HashMap::new();
        for (name, config) in configs {
            if let Some(backend) = self.make(&table.clone().then(name.as_str()), config, kinds, context) {
                made.insert(name.clone(), backend);
            }
        }
        made
    }

    fn make<T: ?Sized>(
        &mut self,
        at: &Path,
        config: &BackendConfig,
        kinds: &Kinds<T>,
        context: &BuildContext,
    ) -> Option<Arc<T>> {
        let Some(make) = kinds.get(&config.kind) else {
            self.config.push(self.origin.diagnostics(vec![kinds.unknown(at, &config.kind)]));
            return None;
        };
        match make(&config.params, context) {
            Ok(backend) => return Some(backend),
            Err(FactoryError::Params(diagnostics)) => self.config.push(diagnostics),
            Err(FactoryError::Backend(error)) => {
                self.backend
                    .get_or_insert(RunError::Backend { what: at.to_string(), error: error.to_string() });
            }
        }
        None
    }

    fn none(self) -> Result<(), RunError> {
        if let Some(diagnostics) = Diagnostics::merge(self.config) {
            return Err(diagnostics.into());
        }
        self.backend.map_or(Ok(()), Err)
    }
}
