//! The scripted model of a case.

use std::sync::Arc;

use windtunnel_api::ReferenceCase;
use windtunnel_api::artifact::evidence::Evidence;
use windtunnel_api::artifact::trace::ScriptProgress;
use windtunnel_api::secret::Redactor;
use windtunnel_api::surface::Surface;
use windtunnel_inference::{CaseScript, ScriptedCase, ScriptedServer, ServedNames};
use windtunnel_spi::{EvidenceUnavailable, RuntimeError, RuntimeErrorKind, Stamped, ToolHandle};

use super::settings::Program;

/// What stands in for the model in a self-test; nothing in a live run. It can still be asked once it is removed.
#[derive(Default)]
pub(crate) struct StandIn {
    scripted: Option<ScriptedCase>,
    progress: Option<ScriptProgress>,
}

impl StandIn {
    /// Serves a case's script until it is removed or dropped.
    pub(crate) async fn serve(
        server: &ScriptedServer,
        case: &ReferenceCase,
        program: &Program,
        redactor: Redactor,
        tools: &[Arc<dyn ToolHandle>],
    ) -> Result<Self, RuntimeError> {
        let script = CaseScript {
            served: served(program, tools).await?,
            asides: program.asides.clone(),
            redactor,
            ..CaseScript::of(case)
        };
        let scripted = server.register(script).await.map_err(|error| {
            RuntimeError::new(RuntimeErrorKind::Start, "the scripted model could not be started")
                .with_source(error)
        })?;
        Ok(Self { scripted: Some(scripted), progress: None })
    }

    /// Where it is.
    pub(crate) fn base_url(&self) -> Option<&str> {
        self.scripted.as_ref().map(ScriptedCase::base_url)
    }

    /// A user turn begins.
    pub(crate) fn begin_turn(&self) {
        if let Some(scripted) = &self.scripted {
            scripted.begin_turn();
        }
    }

    /// Back to the first state.
    pub(crate) fn rewind(&self) {
        if let Some(scripted) = &self.scripted {
            scripted.rewind();
        }
    }

    /// Ends the substitution.
    pub(crate) fn remove(&mut self) {
        if let Some(scripted) = self.scripted.take() {
            self.progress = Some(scripted.progress());
        }
    }

    /// How far the script was consumed.
    pub(crate) fn progress(&self) -> Option<ScriptProgress> {
        self.scripted.as_ref().map(ScriptedCase::progress).or_else(|| self.progress.clone())
    }

    /// What the first request since the last rewind told the model besides the conversation.
    pub(crate) fn surface(&self) -> Option<Surface> {
        self.scripted.as_ref()?.surface()
    }

    /// Takes what was asked since the last call.
    pub(crate) fn drain(&self) -> Result<Vec<Stamped<Evidence>>, EvidenceUnavailable> {
        self.scripted.as_ref().map_or_else(|| Ok(Vec::new()), ScriptedCase::drain_evidence)
    }
}

/// What the tool servers serve that the program knows.
pub(crate) async fn served(
    program: &Program,
    tools: &[Arc<dyn ToolHandle>],
) -> Result<ServedNames, RuntimeError> {
    if !program.tells_servers() {
        // No call of a program that knows no server passes a recorder: its tools are its own, whatever they are called.
        return Ok(ServedNames::default());
    }
    ServedNames::of(tools).await.map_err(|error| {
        RuntimeError::new(RuntimeErrorKind::Start, "a tool server does not say what it serves")
            .with_source(error)
    })
}
