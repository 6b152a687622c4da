//! The scripted model inside this process.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;

use super::{ChatRequest, Model, ModelError};
use crate::chat::ChatReply;
use crate::script::Answer;
use crate::seam::{InferenceSeam, SeamRequest};
use crate::wire::openai_chat;

/// The wire's name in evidence where there is none.
const IN_PROCESS: &str = "in-process";

/// The model's name in evidence.
const SCRIPTED: &str = "scripted";

/// Plays the script of a seam to an agent in this process: the same decisions, faults and refusals, without HTTP.
///
/// Asides do not apply: they answer side requests of agents that are not ours.
#[derive(Debug, Clone)]
pub struct ScriptedModel(Arc<InferenceSeam>);

impl ScriptedModel {
    /// A model that answers from this seam.
    pub fn new(seam: Arc<InferenceSeam>) -> Self {
        Self(seam)
    }
}

#[async_trait]
impl Model for ScriptedModel {
    async fn complete(&self, request: ChatRequest<'_>) -> Result<ChatReply, ModelError> {
        let step = self.0.ask(SeamRequest {
            wire: IN_PROCESS,
            model: SCRIPTED.to_owned(),
            messages: request.messages.to_vec(),
            offered: request.tools.names().to_vec(),
            aside: None,
            prompt_bytes: request.text_bytes(),
            sent: None,
            tool_results: openai_chat::tool_results,
        });
        match Arc::unwrap_or_clone(step.answer) {
            Answer::Decision(reply) | Answer::Aside(reply) => Ok(reply),
            Answer::Fault(fault) => Err(ModelError::Status {
                status: fault.status.unwrap_or(500),
                retry_after: fault.retry_after.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok()),
                message: fault.message.unwrap_or_else(|| "scripted fault".to_owned()),
                should_retry: None,
            }),
            Answer::Refused { message } => Err(ModelError::Status {
                status: 400,
                message: format!("the script has no answer: {message}"),
                retry_after: None,
                should_retry: Some(false),
            }),
        }
    }
}
