//! How an endpoint enters a suite.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use windtunnel_api::Secret;
use windtunnel_api::config::HttpInjectRuntime;
use windtunnel_api::secret::Redactor;
use windtunnel_spi::{AgentRuntime, PackBinding, RuntimeError, RuntimePlugin};

use super::endpoint::{Asker, Endpoint};
use super::runtime::HttpAgents;
use super::settings::Settings;

/// The longest that the endpoint may take to say what it can, and to take its own model back at the end.
const LIMIT: Duration = Duration::from_secs(10);

/// The `http_inject` runtime of this name. Building it asks the endpoint whether its model can be replaced.
///
/// # Errors
/// Kind `Config`, with the field that is wrong.
///
/// ```
/// use windtunnel_api::config::HttpInjectRuntime;
///
/// let spec = HttpInjectRuntime::at("http://127.0.0.1:8000");
/// let plugin = windtunnel_runtimes::http_inject::plugin("desk", &spec)?;
/// assert_eq!(plugin.max_concurrency(), 1, "an endpoint is one shared service");
/// assert_eq!(plugin.lock_key().as_deref(), Some("http://127.0.0.1:8000"));
/// # Ok::<(), windtunnel_spi::RuntimeError>(())
/// ```
pub fn plugin(name: &str, spec: &HttpInjectRuntime) -> Result<Arc<dyn RuntimePlugin>, RuntimeError> {
    Ok(Arc::new(HttpPlugin { endpoint: Arc::new(Endpoint::new(Settings::new(name, spec)?)) }))
}

/// The secrets in the headers of an endpoint.
///
/// # Errors
/// Kind `Config`, with the variable that is not set.
pub fn secrets(name: &str, spec: &HttpInjectRuntime) -> Result<Vec<Secret>, RuntimeError> {
    Ok(Settings::new(name, spec)?.secrets().to_vec())
}

struct HttpPlugin {
    endpoint: Arc<Endpoint>,
}

#[async_trait]
impl RuntimePlugin for HttpPlugin {
    fn name(&self) -> &str {
        &self.endpoint.settings.name
    }

    async fn build(&self) -> Result<Arc<dyn AgentRuntime>, RuntimeError> {
        let is_scriptable = self.endpoint.is_scriptable(LIMIT).await?;
        Ok(Arc::new(HttpAgents { endpoint: Arc::clone(&self.endpoint), is_scriptable }))
    }

    fn max_concurrency(&self) -> usize {
        self.endpoint.settings.max_concurrency
    }

    fn lock_key(&self) -> Option<String> {
        Some(self.endpoint.settings.shown())
    }

    /// Gives the agent its own model back where a case could not.
    async fn post_run(&self, _runtime: &dyn AgentRuntime, _packs: &[PackBinding]) {
        let redactor = self.endpoint.redactor(&Redactor::default());
        for case_id in self.endpoint.left_scripted() {
            let asker = Asker { case_id: &case_id, limit: LIMIT, redactor: &redactor };
            if let Err(error) = self.endpoint.unscript(asker).await {
                tracing::warn!("{error}; the decisions of a reference case may still answer there");
            }
        }
    }
}
