//! What every agent that is a program has in one case, whatever it is told over.

use std::sync::Arc;

use windtunnel_api::event::CapturedOutput;
use windtunnel_api::secret::Redactor;
use windtunnel_child::{Child, Ending};
use windtunnel_spi::{CaseWorld, RuntimeError, RuntimeErrorKind};

use super::outputs::Outputs;
use super::settings::Program;
use super::stand_in::StandIn;
use super::turn::{Exchange, Failure, TurnLimit, explain};
use super::world::AgentWorld;

/// The program of one case, with its processes one after the other.
pub(crate) struct ProgramAgent {
    program: Arc<Program>,
    pub(crate) case: CaseWorld,
    pub(crate) redactor: Redactor,
    pub(crate) stand_in: StandIn,
    /// None once it is torn down: with it go the configuration file and its folder.
    world: Option<AgentWorld>,
    /// The end of the newest process. A turn that nobody waits for any more only asks its process to end.
    ending: Option<Ending>,
    outputs: Outputs,
}

impl ProgramAgent {
    pub(crate) fn new(program: Arc<Program>, case: CaseWorld, world: AgentWorld, stand_in: StandIn) -> Self {
        let redactor = case.redactor.and(world.environment.secrets().iter().cloned());
        Self {
            program,
            case,
            redactor,
            stand_in,
            world: Some(world),
            ending: None,
            outputs: Outputs::default(),
        }
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
        tokio::time::timeout(limit.limit, exchange).await.unwrap_or(Err(Failure::Late(limit)))
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
        self.stand_in.rewind();
    }

    /// Ends everything.
    pub(crate) async fn teardown(&mut self, running: Option<&Child>) {
        self.end_processes(running).await;
        self.stand_in.remove();
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
