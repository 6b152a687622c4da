//! A model whose requests and answers are kept as evidence.

use std::fmt;
use std::sync::{Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;
use serde_json::json;
use windtunnel_api::Evidence;
use windtunnel_api::secret::Redactor;
use windtunnel_api::surface::Surface;
use windtunnel_spi::{EvidenceUnavailable, Moment, Stamped};

use super::{ChatRequest, Model, ModelError};
use crate::chat::ChatReply;
use crate::seam::EvidenceLog;
use crate::wire::openai_chat::surface_of;

/// Keeps every request to a live model, and what it answered, as [`Evidence::Inference`].
pub struct Recording<M> {
    model: M,
    wire: &'static str,
    name: String,
    log: Mutex<EvidenceLog>,
    surface: Mutex<Option<Surface>>,
}

impl<M> Recording<M> {
    /// Records a model that is reached over `wire` under this name.
    pub fn new(model: M, wire: &'static str, name: impl Into<String>, redactor: Redactor) -> Self {
        Self {
            model,
            wire,
            name: name.into(),
            log: Mutex::new(EvidenceLog::new(redactor)),
            surface: Mutex::default(),
        }
    }

    /// Takes what was seen since the last call.
    ///
    /// # Errors
    /// More was sent than is kept.
    pub fn drain_evidence(&self) -> Result<Vec<Stamped<Evidence>>, EvidenceUnavailable> {
        self.log().drain()
    }

    /// Forgets what was seen.
    pub fn forget(&self) {
        self.log().clear();
        *self.first_surface() = None;
    }

    /// What the first request told the model besides the conversation.
    pub fn surface(&self) -> Option<Surface> {
        let surface = self.first_surface().clone()?;
        Some(self.log().redacted(surface))
    }

    fn first_surface(&self) -> MutexGuard<'_, Option<Surface>> {
        self.surface.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn log(&self) -> MutexGuard<'_, EvidenceLog> {
        self.log.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<M: fmt::Debug> fmt::Debug for Recording<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Recording")
            .field("model", &self.model)
            .field("name", &self.name)
            .finish_non_exhaustive()
    }
}

#[async_trait]
impl<M: Model> Model for Recording<M> {
    async fn complete(&self, request: ChatRequest<'_>) -> Result<ChatReply, ModelError> {
        let asked = Moment::now();
        let tools = request.tools.definitions();
        self.first_surface().get_or_insert_with(|| surface_of(request.messages, tools.to_vec()));
        let answer = self.model.complete(request).await;
        let (decision, answer_bytes) = match &answer {
            Ok(reply) => (reply.evidence(), reply.bytes()),
            Err(ModelError::Status { status, message, .. }) => {
                (json!({"fault": {"status": status, "message": message}}), message.len())
            }
            Err(error) => (json!({"fault": {"message": error.to_string()}}), 0),
        };
        let seen = asked.with(Evidence::Inference {
            wire: self.wire.to_owned(),
            model: self.name.clone(),
            messages: request.messages.to_vec(),
            tools: request.tools.names().to_vec(),
            decision,
        });
        self.log().push(seen, request.text_bytes() + answer_bytes);
        answer
    }
}
