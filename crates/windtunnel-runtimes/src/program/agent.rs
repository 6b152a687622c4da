//! What every agent that is a program has in one case, whatever it is told over.

use std::sync::Arc;

use windtunnel_api::ReferenceCase;
use windtunnel_api::event::CapturedOutput;
use windtunnel_api::secret::Redactor;
use windtunnel_child::{Child, Ending};
use windtunnel_spi::{CaseWorld, RuntimeError, RuntimeErrorKind, ToolHandle, UnwitnessedCalls};

use super::model::{Model, Seen};
use super::outputs::Outputs;
use super::settings::Program;
use super::turn::{Exchange, Failure, TurnLimit, explain};
use super::world::AgentWorld;

/// The program of one case, with its processes one after the other.
pub(crate) struct ProgramAgent {
    program: Arc<Program>,
    pub(crate) case: CaseWorld,
    pub(crate) redactor: Redactor,
    pub(crate) model: Model,
    /// None once it is torn down: with it go the configuration file and its folder.
    world: Option<AgentWorld>,
    /// The end of the newest process. A turn that nobody waits for any more only asks its process to end.
    ending: Option<Ending>,
    outputs: Outputs,
}

impl ProgramAgent {
    /// The program in the world of a case: with its script in a self-test, else with the real model.
    pub(crate) async fn provision(
        program: &Arc<Program>,
        world: CaseWorld,
        tools: &[Arc<dyn ToolHandle>],
        case: Option<&ReferenceCase>,
    ) -> Result<Self, RuntimeError> {
        let redactor = world.redactor.and(program.environment.secrets().iter().cloned());
        let model = Model::of(program, case, redactor.clone(), tools).await?;
        let agent_world = AgentWorld::new(program, tools, &model, &world.workspace).await?;
        Ok(Self {
            program: Arc::clone(program),
            case: world,
            redactor,
            model,
            world: Some(agent_world),
            ending: None,
            outputs: Outputs::default(),
        })
    }

    pub(crate) fn limit(&self) -> TurnLimit {
        TurnLimit::of(self.program.turn_limit, self.case.limits.turn)
    }

    /// What the settings are for this case, until it is torn down.
    pub(crate) fn world(&self) -> Result<&AgentWorld, RuntimeError> {
        self.world
            .as_ref()
            .ok_or_else(|| RuntimeError::new(RuntimeErrorKind::Start, "the agent has been torn down"))
    }

    /// A process; `prompt` is what the turn asks, where an argument says it, and such a process has no standard input.
    pub(crate) fn spawn(&mut self, prompt: Option<&str>) -> Result<Child, RuntimeError> {
        let world = self.world()?;
        let argv = world.argv(&self.program, prompt.unwrap_or_default())?;
        let mut command = self.program.command(argv, &self.case.workspace).env(world.environment.clone());
        if prompt.is_some() {
            command = command.without_stdin();
        }
        let child = command.spawn(&self.case).map_err(|error| {
            RuntimeError::new(RuntimeErrorKind::Start, "the agent could not be started").with_source(error)
        })?;
        self.ending = Some(child.ending());
        Ok(child)
    }

    /// The exchange of one turn, which fails once the turn has taken too long.
    pub(crate) async fn in_time(&self, exchange: impl Future<Output = Exchange>) -> Exchange {
        let limit = self.limit();
        let exchange = tokio::time::timeout(limit.limit, exchange).await.unwrap_or(Err(Failure::Late(limit)));
        self.model.end_turn().await;
        exchange
    }

    /// Which calls nobody saw: without a seam, or past it, at least those of the program's own tools.
    pub(crate) fn unwitnessed_calls(&self) -> Option<UnwitnessedCalls> {
        let reason = match self.model.seen() {
            Seen::Asked => return None,
            Seen::Nothing => self.program.unasked(),
            Seen::Nowhere => self.program.unseen(),
        };
        Some(UnwitnessedCalls { reason, own_only: self.program.tells_servers() })
    }

    /// The failure of a turn as an error, after its process was killed and what that wrote is kept.
    pub(crate) async fn explain(&mut self, failure: Failure, child: &Child) -> RuntimeError {
        let error = explain(failure, child, &self.redactor).await;
        self.keep(child.captured());
        error
    }

    /// Keeps what a process that has ended wrote.
    pub(crate) fn keep(&mut self, output: CapturedOutput) {
        self.outputs.keep(output);
    }

    /// What is kept, and what a running process wrote so far.
    pub(crate) fn output(&self, running: Option<&Child>) -> Vec<CapturedOutput> {
        self.outputs.with(running.map(Child::captured))
    }

    /// Back to the first state, and no process is left behind.
    pub(crate) async fn reset(&mut self, running: Option<&Child>) {
        self.end_processes(running).await;
        self.model.rewind();
    }

    /// Ends everything.
    pub(crate) async fn teardown(&mut self, running: Option<&Child>) {
        self.end_processes(running).await;
        self.model.remove();
        self.world = None;
    }

    async fn end_processes(&mut self, running: Option<&Child>) {
        if let Some(child) = running {
            child.kill().await;
            self.keep(child.captured());
        }
        if let Some(ending) = self.ending.take() {
            ending.wait().await;
        }
    }
}
