//! The model behind an `llm_judge`.

use async_trait::async_trait;
use windtunnel_api::scenario::LlmJudge;

use crate::error::RuntimeError;

/// Asks a model whether an answer meets a rubric.
#[async_trait]
pub trait Judge: Send + Sync {
    /// The model's raw answer; the gate reads PASS or FAIL from it.
    async fn ask(&self, judge: &LlmJudge, prompt: &str, answer: &str) -> Result<String, RuntimeError>;
}
