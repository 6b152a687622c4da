//! `omw scaffold`: a test made from a deployment's config.
//!
//! The real back ends are asked what they offer, and mocks that offer the same take their place. What the test has in common with
//! the deployment is copied: runtimes, agents, memory and the tunables that were set. No parameter of a back end is, and what is known to be secret is
//! taken out of all that back ends said.
//!
//! ```
//! use omw::config::{Source, load};
//! use omw::registry::Registries;
//! use omw::scaffold::{Options, scaffold};
//! use windtunnel_doc::Format;
//!
//! # tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(async {
//! let text = "
//! [tooling.files]
//! kind = \"no-such-kind\"
//! token = \"s3cr3t-token\"
//! ";
//! let loaded = load(&Source::text("omw.toml", text, Format::Toml))?;
//! let made = scaffold(&loaded.config, &Registries::default(), &Options::default()).await;
//! assert!(made.text.contains("[tooling.files]\nkind = \"mock\"\ntool_calls = []\n"));
//! assert!(made.warnings[0].starts_with("tooling.files: unknown kind \"no-such-kind\""));
//! # Ok::<(), windtunnel_doc::Diagnostics>(())
//! # }).unwrap();
//! ```

mod copy;
mod introspect;
mod render;
mod write;

use std::sync::Arc;

use futures::future::{join, join_all};
use serde_json::{Map, Value, json};
use windtunnel_api::secret::Redactor;

use self::introspect::{Finding, Introspection};
use crate::config::{BackendConfig, Config, Tunables};
use crate::gate::Gates;
use crate::registry::{BuildContext, Registries};
use crate::secrets;

pub use write::{WriteError, ensure_free, write};

/// The longest pause between two attempts to reach a tool server: nobody wants to wait for a dead one.
const CONNECT_PAUSE_SECS: u64 = 1;

/// What is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Options {
    /// Whether the resources of tool servers are listed and read.
    pub resources: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self { resources: true }
    }
}

/// A test config.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Scaffold {
    /// The config, as TOML.
    pub text: String,
    /// What could not be found out, and what was left out.
    pub warnings: Vec<String>,
}

/// Makes a test of a config. All back ends are asked at the same time, each within a limit; one that cannot be made or does not answer
/// has an empty mock and a warning.
pub async fn scaffold(config: &Config, registries: &Registries, options: &Options) -> Scaffold {
    let redactor = Redactor::new(secrets_of(config));
    let introspection = Introspection::new(registries, context(&config.tunables), options.resources);
    let providers = config
        .providers
        .iter()
        .map(|(name, provider)| async { (name.clone(), introspection.provider(name, provider).await) });
    let tooling = config
        .tooling
        .iter()
        .map(|(name, tooling)| async { (name.clone(), introspection.tooling(name, tooling).await) });
    let (providers, tooling) = join(join_all(providers), join_all(tooling)).await;

    let mut warnings = Vec::new();
    let mut mocks = |found: Vec<(String, Finding)>| {
        let mut tables = Map::new();
        for (name, Finding { mut mock, warnings: of_mock }) in found {
            redactor.value(&mut mock);
            warnings.extend(of_mock);
            tables.insert(name, mock);
        }
        Value::Object(tables)
    };
    let (providers, tooling) = (mocks(providers), mocks(tooling));
    let endpoint = config.endpoint.is_some().then(|| json!({"kind": "mock", "requests": []}));
    let document = json!({
        "runtime": copy::runtimes(config, &mut warnings),
        "agents": copy::agents(config),
        "memory": copy::memory(config, &redactor, &mut warnings),
        "tunables": copy::tunables(config),
        "providers": providers,
        "tooling": tooling,
        "endpoint": endpoint,
    });
    let text = render::toml(document).unwrap_or_else(|error| {
        warnings.push(format!("what was found cannot be written as TOML: {error}"));
        String::new()
    });
    Scaffold { text, warnings: warnings.iter().map(|warning| redactor.text(warning)).collect() }
}

fn context(tunables: &Tunables) -> BuildContext {
    let cap = tunables.tooling_connect_backoff_cap_secs.min(CONNECT_PAUSE_SECS);
    let tunables = Tunables { tooling_connect_backoff_cap_secs: cap, ..tunables.clone() };
    BuildContext { tunables: Arc::new(tunables), gates: Gates::default(), keep_everything: false }
}

/// All that must not be in the test.
fn secrets_of(config: &Config) -> impl Iterator<Item = windtunnel_api::Secret> {
    let back_ends = config.providers.values().chain(config.tooling.values()).chain(&config.endpoint);
    let of_back_ends =
        back_ends.flat_map(|back_end: &BackendConfig| secrets::of_params(back_end.params.value()));
    let environments = config.runtimes.values().filter_map(|runtime| runtime.params.value().get("env"));
    of_back_ends.chain(environments.flat_map(secrets::of_params))
}
