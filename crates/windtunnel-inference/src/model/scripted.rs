//! The scripted model inside this process.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use windtunnel_api::{FaultKind, InferenceFault};

use super::{ChatRequest, Model, ModelError};
use crate::chat::ChatReply;
use crate::script::{Answer, fault_message};
use crate::seam::{InferenceSeam, Said, SeamRequest};
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
        let surface = self
            .0
            .wants_surface()
            .then(|| openai_chat::surface_of(request.messages, request.tools.definitions().to_vec()));
        let request = SeamRequest {
            wire: IN_PROCESS,
            model: SCRIPTED.to_owned(),
            messages: request.messages.to_vec(),
            earlier: Said::default(),
            offered: request.tools.names().to_vec(),
            aside: None,
            warm_up: false,
            surface,
            prompt_bytes: request.text_bytes(),
            sent: None,
            tool_results: openai_chat::tool_results,
        };
        match Arc::unwrap_or_clone(self.0.ask(request, &|_, _| None).answer) {
            Answer::Decision(reply) | Answer::Aside(reply) | Answer::WarmUp(reply) => Ok(reply),
            Answer::Fault { fault, reply } => failed(&fault, reply),
            Answer::Refused { message } => Err(ModelError::Status {
                status: 400,
                message: format!("the script has no answer: {message}"),
                retry_after: None,
                should_retry: Some(false),
            }),
        }
    }
}

/// What a fault is without a socket.
fn failed(fault: &InferenceFault, reply: Option<ChatReply>) -> Result<ChatReply, ModelError> {
    let url = SCRIPTED.to_owned();
    let connection = |reason: &str| ModelError::Connection { url: url.clone(), reason: reason.to_owned() };
    Err(match (fault.kind, reply) {
        (FaultKind::Truncated, Some(reply)) => return Ok(reply),
        (FaultKind::Disconnect, _) => connection("it closed the connection before it answered"),
        (FaultKind::Cut, _) => connection("it closed the connection in the middle of its answer"),
        // Nobody waits here for a limit to pass.
        (FaultKind::Stall, _) => ModelError::Timeout { url, limit: Duration::ZERO },
        (FaultKind::Malformed, _) => ModelError::Malformed { reason: "a part of it is not JSON".to_owned() },
        (FaultKind::Status | FaultKind::StreamError | FaultKind::Truncated, _) => {
            let status = fault.status.unwrap_or(500);
            let message = fault_message(fault, status);
            ModelError::Status {
                status,
                message,
                retry_after: fault.retry_after.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok()),
                // In a stream it comes after the status, when no client asks again.
                should_retry: (fault.kind == FaultKind::StreamError).then_some(false),
            }
        }
    })
}

#[cfg(test)]
mod tests {
    use windtunnel_api::ReferenceDecision;

    use super::*;
    use crate::model::{RetryPolicy, Retrying, Tools};
    use crate::seam::CaseScript;

    async fn answers(faults: &[FaultKind], asked: usize) -> Vec<String> {
        let faults = faults.iter().map(|&kind| InferenceFault::of(kind)).collect();
        let decision = ReferenceDecision { faults, ..ReferenceDecision::says("75 orders") };
        let seam =
            Arc::new(InferenceSeam::new(CaseScript { turns: vec![vec![decision]], ..CaseScript::default() }));
        seam.begin_turn();
        let once = RetryPolicy { retries: 0, ..RetryPolicy::default() };
        let model = Retrying::new(ScriptedModel::new(Arc::clone(&seam))).with_policy(once);
        let mut answers = Vec::new();
        for _ in 0..asked {
            let request =
                ChatRequest { messages: &[], tools: &Tools::none(), sampler: &serde_json::Map::new() };
            answers.push(match model.complete(request).await {
                Ok(reply) => format!("{:?} {:?}", reply.content.unwrap_or_default(), reply.stop),
                Err(error) => error.to_string(),
            });
        }
        assert!(seam.progress().is_exact());
        answers
    }

    #[tokio::test]
    async fn every_fault_is_an_error_of_the_model_or_a_truncated_answer() {
        let kinds = [
            FaultKind::Disconnect,
            FaultKind::Cut,
            FaultKind::Stall,
            FaultKind::Malformed,
            FaultKind::StreamError,
            FaultKind::Truncated,
        ];
        insta::assert_snapshot!(answers(&kinds, 7).await.join("\n"), @r#"
        the model endpoint scripted cannot be reached: it closed the connection before it answered
        the model endpoint scripted cannot be reached: it closed the connection in the middle of its answer
        the model endpoint scripted did not answer within 0 s
        the model endpoint's answer cannot be understood: a part of it is not JSON
        the model endpoint answered 500: Internal Server Error (scripted)
        "75 o" Length
        "75 orders" Done
        "#);
    }
}
