//! How the loop enters a suite.

use std::sync::Arc;

use async_trait::async_trait;
use windtunnel_api::config::LoopRuntime;
use windtunnel_spi::world::Limits;
use windtunnel_spi::{AgentRuntime, ModelLabel, RuntimeError, RuntimePlugin};

use super::runtime::AgentLoop;
use super::settings::Settings;

/// Cases share nothing and wait most of the time, so there is no bound of our own.
const MAX_CONCURRENCY: usize = 1024;

/// The `loop` runtime of this name. What the settings leave out is taken from the environment.
///
/// ```
/// use windtunnel_api::config::LoopRuntime;
///
/// let plugin = windtunnel_runtimes::agent_loop::plugin("loop", LoopRuntime::default());
/// assert_eq!(plugin.name(), "loop");
/// assert!(plugin.max_concurrency() > 1);
/// ```
pub fn plugin(name: impl Into<String>, spec: LoopRuntime) -> Arc<dyn RuntimePlugin> {
    Arc::new(LoopPlugin { settings: Arc::new(Settings::from_env(name.into(), spec)) })
}

struct LoopPlugin {
    settings: Arc<Settings>,
}

#[async_trait]
impl RuntimePlugin for LoopPlugin {
    fn name(&self) -> &str {
        &self.settings.runtime
    }

    async fn build(&self) -> Result<Arc<dyn AgentRuntime>, RuntimeError> {
        Ok(Arc::new(AgentLoop::new(Arc::clone(&self.settings))))
    }

    fn check_live(&self) -> Result<(), RuntimeError> {
        self.settings.live_model(Limits::default().turn).map(drop)
    }

    fn max_concurrency(&self) -> usize {
        MAX_CONCURRENCY
    }

    fn model_label(&self) -> ModelLabel {
        let known = ModelLabel::default();
        ModelLabel { model: self.settings.model.clone().unwrap_or(known.model), quant: known.quant }
    }
}
