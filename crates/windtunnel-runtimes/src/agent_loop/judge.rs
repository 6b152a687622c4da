//! A judge that asks the model of a loop.

use std::sync::Arc;
use std::time::Duration;

use windtunnel_api::config::LoopRuntime;
use windtunnel_inference::{OpenAiJudge, Retrying};
use windtunnel_spi::{Judge, RuntimeError};

use super::settings::Settings;

/// A judge over the model that a `loop` runtime of this name is set up with; `timeout` is for one answer.
///
/// # Errors
/// There is no model or no address, and what to write.
///
/// ```
/// use std::time::Duration;
/// use windtunnel_api::config::LoopRuntime;
/// use windtunnel_runtimes::agent_loop::judge;
///
/// let spec = LoopRuntime {
///     model: Some("judge-model".into()),
///     base_url: Some("http://127.0.0.1:8000/v1".into()),
///     ..LoopRuntime::default()
/// };
/// assert!(judge("loop", spec, Duration::from_secs(60)).is_ok());
/// ```
pub fn judge(
    name: impl Into<String>,
    spec: LoopRuntime,
    timeout: Duration,
) -> Result<Arc<dyn Judge>, RuntimeError> {
    let settings = Settings::from_env(name.into(), spec);
    let (client, _) = settings.live_model(timeout)?;
    Ok(Arc::new(OpenAiJudge::new(Retrying::new(client))))
}
