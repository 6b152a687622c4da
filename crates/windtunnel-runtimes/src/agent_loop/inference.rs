//! The loop's inference seam: a script, or a live model whose traffic is kept.

use std::sync::Arc;

use windtunnel_api::artifact::evidence::Evidence;
use windtunnel_api::artifact::trace::ScriptProgress;
use windtunnel_api::config::Wire;
use windtunnel_api::secret::Redactor;
use windtunnel_api::surface::Surface;
use windtunnel_inference::{
    CaseScript, ChatReply, ChatRequest, InferenceSeam, Model, ModelError, OpenAiChat, Recording, Retrying,
    ScriptedModel,
};
use windtunnel_spi::{EvidenceUnavailable, Stamped};

/// What decides.
pub(super) enum Inference {
    Scripted { seam: Arc<InferenceSeam>, model: Retrying<ScriptedModel> },
    Live(Box<Retrying<Recording<OpenAiChat>>>),
}

impl Inference {
    pub(super) fn scripted(case: CaseScript) -> Self {
        let seam = Arc::new(InferenceSeam::new(case));
        let model = Retrying::new(ScriptedModel::new(Arc::clone(&seam)));
        Self::Scripted { seam, model }
    }

    pub(super) fn live(client: OpenAiChat, model: String, redactor: Redactor) -> Self {
        let recorded = Recording::new(client, Wire::OpenAiChat.name(), model, redactor);
        Self::Live(Box::new(Retrying::new(recorded)))
    }

    pub(super) async fn complete(&self, request: ChatRequest<'_>) -> Result<ChatReply, ModelError> {
        match self {
            Self::Scripted { model, .. } => model.complete(request).await,
            Self::Live(model) => model.complete(request).await,
        }
    }

    /// A user turn begins.
    pub(super) fn begin_turn(&self) {
        if let Self::Scripted { seam, .. } = self {
            seam.begin_turn();
        }
    }

    /// Back to the first state, without evidence of what was before.
    pub(super) fn rewind(&self) {
        match self {
            Self::Scripted { seam, .. } => seam.rewind(),
            Self::Live(model) => model.inner().forget(),
        }
    }

    pub(super) fn progress(&self) -> Option<ScriptProgress> {
        match self {
            Self::Scripted { seam, .. } => Some(seam.progress()),
            Self::Live(_) => None,
        }
    }

    pub(super) fn drain(&self) -> Result<Vec<Stamped<Evidence>>, EvidenceUnavailable> {
        match self {
            Self::Scripted { seam, .. } => seam.drain_evidence(),
            Self::Live(model) => model.inner().drain_evidence(),
        }
    }

    /// What the model was told besides the conversation.
    pub(super) fn surface(&self) -> Option<Surface> {
        match self {
            Self::Scripted { seam, .. } => seam.surface(),
            Self::Live(model) => model.inner().surface(),
        }
    }
}
