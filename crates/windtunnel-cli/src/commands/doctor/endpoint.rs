//! Runtimes of kind `http_inject`: the settings that the command line gives, and their examination.

use std::sync::Arc;

use windtunnel_api::Pack;
use windtunnel_api::config::{Config, HttpInjectRuntime, RuntimeSpec};
use windtunnel_runtimes::http_inject::conformance::{Conformance, Examination};
use windtunnel_runtimes::probe;
use windtunnel_spi::{CaseWorld, StateProbe, ToolHandle, with_causes};

use crate::error::CliError;

/// The name under which an endpoint is examined that no wt.toml configures.
const UNCONFIGURED: &str = "http_inject";

/// Sets the address of a runtime, which need not be configured.
pub(super) fn set_url(config: &mut Config, name: &str, url: &str) -> Result<(), CliError> {
    match config.runtimes.get_mut(name) {
        Some(RuntimeSpec::HttpInject(spec)) => url.clone_into(&mut spec.url),
        None if name == UNCONFIGURED => {
            let spec = RuntimeSpec::HttpInject(HttpInjectRuntime::at(url));
            config.runtimes.insert(name.to_owned(), spec);
        }
        Some(_) => {
            return Err(CliError::usage(
                format!("the runtime {name:?} has no address: it is not of kind http_inject"),
                "leave --url out, or use --runtime http_inject",
            ));
        }
        None => {
            return Err(CliError::usage(
                format!("no runtime {name:?} is configured, so --url has nothing to replace"),
                "use --runtime http_inject for an endpoint that no wt.toml knows",
            ));
        }
    }
    Ok(())
}

/// Examines an endpoint, with the tools and the probe of a pack where there is one.
pub(super) async fn examine(
    name: &str,
    spec: &HttpInjectRuntime,
    world: &CaseWorld,
    tools: &[Arc<dyn ToolHandle>],
    pack: Option<&Pack>,
) -> Result<Conformance, String> {
    let probe = state_probe(world, pack)?;
    let examination = Examination::new(name, spec, world).map_err(|error| with_causes(&error))?;
    let mut examination = examination.with_tools(tools).await.map_err(|error| with_causes(&error))?;
    if let Some(probe) = probe.as_deref() {
        examination = examination.with_probe(probe);
    }
    Ok(examination.run().await)
}

fn state_probe(world: &CaseWorld, pack: Option<&Pack>) -> Result<Option<Box<dyn StateProbe>>, String> {
    let Some(pack) = pack else { return Ok(None) };
    let factory = probe::factory(pack).map_err(|error| with_causes(&error))?;
    factory.map(|factory| factory.probe(world).map_err(|error| with_causes(&error))).transpose()
}
