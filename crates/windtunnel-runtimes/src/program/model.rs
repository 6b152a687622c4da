//! What answers a program of one case as its model.

use std::sync::Arc;

use windtunnel_api::artifact::evidence::Evidence;
use windtunnel_api::artifact::trace::ScriptProgress;
use windtunnel_api::secret::Redactor;
use windtunnel_api::surface::Surface;
use windtunnel_api::{ReferenceCase, Secret};
use windtunnel_inference::record::LiveSeam;
use windtunnel_inference::{CaseScript, ScriptedCase, ServedNames, ServerError};
use windtunnel_spi::{EvidenceUnavailable, RuntimeError, RuntimeErrorKind, Stamped, ToolHandle};

use super::settings::Program;

/// The model of a case. It can still be asked once it is removed.
pub(crate) struct Model {
    seam: Seam,
    /// How far the script was when it was removed.
    progress: Option<ScriptProgress>,
}

/// What is seen of what a model is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Seen {
    /// Everything.
    Asked,
    /// That nothing was asked where the program was told to.
    Nothing,
    /// Nothing: nobody is in between.
    Nowhere,
}

/// Where the model is asked.
enum Seam {
    /// Where nobody sees it.
    None,
    /// A script in its place.
    Scripted(ScriptedCase),
    /// The real one, behind a recorder.
    Live(LiveSeam),
}

impl Model {
    /// A case's script in a self-test, else the real model, until it is removed or dropped.
    pub(crate) async fn of(
        program: &Program,
        case: Option<&ReferenceCase>,
        redactor: Redactor,
        tools: &[Arc<dyn ToolHandle>],
    ) -> Result<Self, RuntimeError> {
        let seam = match case {
            Some(case) => Self::scripted(program, case, redactor, tools).await?,
            None => Self::live(program, redactor, tools).await?,
        };
        Ok(Self { seam, progress: None })
    }

    async fn scripted(
        program: &Program,
        case: &ReferenceCase,
        redactor: Redactor,
        tools: &[Arc<dyn ToolHandle>],
    ) -> Result<Seam, RuntimeError> {
        let script = CaseScript {
            served: served(program, tools).await?,
            asides: program.asides.clone(),
            redactor,
            ..CaseScript::of(case)
        };
        let scripted = program.server.register(script).await;
        Ok(Seam::Scripted(scripted.map_err(|error| not_started("the scripted model", error))?))
    }

    async fn live(
        program: &Program,
        redactor: Redactor,
        tools: &[Arc<dyn ToolHandle>],
    ) -> Result<Seam, RuntimeError> {
        let (Some(inference), Some(upstreams)) = (&program.inference, &program.upstreams) else {
            return Ok(Seam::None);
        };
        let served = served(program, tools).await?;
        let live = LiveSeam::start(upstreams.clone(), inference.wire, served, redactor).await;
        Ok(Seam::Live(live.map_err(|error| not_started("the recorder in front of the model", error))?))
    }

    /// Where it is, as the program is told; none where nobody is in between.
    pub(crate) fn base_url(&self) -> Option<&str> {
        match &self.seam {
            Seam::None => None,
            Seam::Scripted(scripted) => Some(scripted.base_url()),
            Seam::Live(live) => Some(live.base_url()),
        }
    }

    /// Whether it is a script.
    pub(crate) fn is_scripted(&self) -> bool {
        matches!(self.seam, Seam::Scripted(_))
    }

    /// A user turn begins.
    pub(crate) fn begin_turn(&self) {
        if let Seam::Scripted(scripted) = &self.seam {
            scripted.begin_turn();
        }
    }

    /// The turn has ended.
    pub(crate) async fn end_turn(&self) {
        if let Seam::Live(live) = &self.seam {
            live.end_turn().await;
        }
    }

    /// Back to the first state.
    pub(crate) fn rewind(&mut self) {
        match &mut self.seam {
            Seam::None => {}
            Seam::Scripted(scripted) => scripted.rewind(),
            Seam::Live(live) => live.rewind(),
        }
    }

    /// Ends the substitution.
    pub(crate) fn remove(&mut self) {
        if let Seam::Scripted(scripted) = std::mem::replace(&mut self.seam, Seam::None) {
            self.progress = Some(scripted.progress());
        }
    }

    /// How far the script was consumed.
    pub(crate) fn progress(&self) -> Option<ScriptProgress> {
        match &self.seam {
            Seam::Scripted(scripted) => Some(scripted.progress()),
            Seam::None | Seam::Live(_) => self.progress.clone(),
        }
    }

    /// What the first request since the last rewind told the model besides the conversation.
    pub(crate) fn surface(&self) -> Option<Surface> {
        match &self.seam {
            Seam::None => None,
            Seam::Scripted(scripted) => scripted.surface(),
            Seam::Live(live) => live.surface(),
        }
    }

    /// Takes what was asked since the last call.
    pub(crate) fn drain(&mut self) -> Result<Vec<Stamped<Evidence>>, EvidenceUnavailable> {
        match &mut self.seam {
            Seam::None => Ok(Vec::new()),
            Seam::Scripted(scripted) => scripted.drain_evidence(),
            Seam::Live(live) => live.drain_evidence(),
        }
    }

    /// The secrets that passed by.
    pub(crate) fn secrets(&self) -> Vec<Secret> {
        match &self.seam {
            Seam::Live(live) => live.secrets(),
            Seam::None | Seam::Scripted(_) => Vec::new(),
        }
    }

    /// What was seen in the last run.
    pub(crate) fn seen(&self) -> Seen {
        match &self.seam {
            Seam::None => Seen::Nowhere,
            Seam::Live(live) if !live.was_asked() => Seen::Nothing,
            // A script that was not asked was not followed, which is said elsewhere.
            Seam::Live(_) | Seam::Scripted(_) => Seen::Asked,
        }
    }
}

fn not_started(what: &str, error: ServerError) -> RuntimeError {
    RuntimeError::new(RuntimeErrorKind::Start, format!("{what} could not be started")).with_source(error)
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
