//! The models behind `llm_judge`.

use async_trait::async_trait;
use indexmap::IndexMap;
use windtunnel_api::config::{Config, LoopRuntime, RuntimeSpec};
use windtunnel_api::scenario::LlmJudge;
use windtunnel_runtimes::agent_loop;
use windtunnel_spi::world::Limits;
use windtunnel_spi::{Judge, RuntimeError, RuntimeErrorKind};

/// Judges with the model of the `loop` runtime that a scorer names, else with that of the environment.
pub(crate) struct Judges {
    loops: IndexMap<String, LoopRuntime>,
    limits: Limits,
}

impl Judges {
    pub(crate) fn new(config: &Config) -> Self {
        let loops = config.runtimes.iter().filter_map(|(name, spec)| match spec {
            RuntimeSpec::Loop(spec) => Some((name.clone(), spec.clone())),
            RuntimeSpec::InMemory(_)
            | RuntimeSpec::Command(_)
            | RuntimeSpec::Omw(_)
            | RuntimeSpec::HttpInject(_)
            | RuntimeSpec::Acp(_) => None,
        });
        Self { loops: loops.collect(), limits: Limits::from(config.timeouts) }
    }

    fn model(&self, provider: Option<&str>) -> Result<(String, LoopRuntime), RuntimeError> {
        let Some(name) = provider else { return Ok(("loop".to_owned(), LoopRuntime::default())) };
        let spec = self.loops.get(name).cloned().ok_or_else(|| {
            let known: Vec<&str> = self.loops.keys().map(String::as_str).collect();
            let known = if known.is_empty() {
                "there is none".to_owned()
            } else {
                format!("there are {}", known.join(", "))
            };
            let message =
                format!("llm_judge.provider {name:?} is no runtime of kind loop in wt.toml; {known}");
            RuntimeError::new(RuntimeErrorKind::Config, message)
        })?;
        Ok((name.to_owned(), spec))
    }
}

#[async_trait]
impl Judge for Judges {
    async fn ask(&self, judge: &LlmJudge, prompt: &str, answer: &str) -> Result<String, RuntimeError> {
        let (name, spec) = self.model(judge.provider.as_deref())?;
        agent_loop::judge(name, spec, self.limits.turn)?.ask(judge, prompt, answer).await
    }
}
