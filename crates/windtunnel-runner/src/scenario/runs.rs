//! One run after the other: first state, turns, evidence, score, store.

use std::sync::Arc;

use jiff::Timestamp;
use tokio::time::timeout;
use windtunnel_api::artifact::marker::{PROBE_ERROR, RUNNER_ERROR, UNWITNESSED_CALLS, UNWITNESSED_OWN_CALLS};
use windtunnel_api::artifact::score::{Origin, ScoreSidecar};
use windtunnel_api::{Score, SelftestVerdict, Trace};
use windtunnel_spi::seam::rfc3339;
use windtunnel_spi::{AgentHandle, HookPoint, SessionId, StateProbe, ToolHandle, UnwitnessedCalls};
use windtunnel_store::{StoreError, StoredRun};

use super::conversation::{Conversation, seconds_between};
use super::error::ScenarioError;
use super::evidence::Collected;
use super::hooks::{Kept, observe};
use super::judging::Judging;
use super::limit::within_start;
use super::outcome::{RunObserver, ScoredRun};
use super::perturbation::Plan;
use super::request::ScenarioRequest;
use super::started::refresh;
use super::trace::{CaseFacts, RunFacts, redact, trace};
use crate::bench::Bench;
use crate::blocking::blocking;

/// The runs of a case whose agent stands and whose preconditions hold.
pub(super) struct Runs<'a> {
    pub(super) bench: &'a Bench,
    pub(super) request: &'a ScenarioRequest<'a>,
    pub(super) agent: &'a mut dyn AgentHandle,
    pub(super) handles: &'a [Arc<dyn ToolHandle>],
    pub(super) facts: &'a CaseFacts,
    pub(super) judging: &'a Judging<'a>,
    pub(super) plan: &'a Plan,
    pub(super) scored: &'a mut Vec<ScoredRun>,
    pub(super) kept: &'a mut Vec<Kept>,
    pub(super) observer: &'a mut dyn RunObserver,
}

impl Runs<'_> {
    /// Makes the run of this number, from 1.
    pub(super) async fn make(&mut self, run: usize) -> Result<(), ScenarioError> {
        let (bench, scenario) = (self.bench, self.request.gate.scenario());
        self.observer.run_started(run);
        self.kept.extend(observe(&bench.hooks, HookPoint::RunStart { scenario, run }));
        self.first_state(run).await?;

        let started = bench.seam.clock.now();
        let trace = Arc::new(self.witness(started).await?);
        let score = self.request.gate.score(&trace);
        self.kept
            .extend(observe(&bench.hooks, HookPoint::RunScored { scenario, trace: &trace, score: &score }));

        let files = self.store(&trace, &score).await?;
        let duration_s = seconds_between(started, bench.seam.clock.now());
        let scored = ScoredRun { run, trace, score, trace_path: files.trace_path.clone(), duration_s };
        self.observer.run_stored(&scored);
        self.scored.push(scored);
        self.kept.extend(observe(&bench.hooks, HookPoint::RunEnd { scenario, run }));
        self.keep(files).await;
        Ok(())
    }

    /// Brings everything to its first state. At the first run, workspace and servers are in it already, unless a server has been
    /// asked something before, as for its tools.
    async fn first_state(&mut self, run: usize) -> Result<(), ScenarioError> {
        let site = &self.request.site;
        let limit = site.world.limits.start;
        if run > 1 || !self.handles.iter().all(|handle| handle.is_fresh()) {
            site.reseed().await?;
            refresh(self.handles, limit).await?;
        }
        let reset = within_start(limit, "resetting the agent", self.agent.reset_state()).await?;
        reset.map_err(|source| ScenarioError::Reset { run, source })?;
        if let Some(probe) = &self.request.state_probe {
            within_start(limit, "resetting the state probe", probe.reset()).await??;
        }
        self.handles.iter().for_each(|handle| handle.reset_call_log());
        // What the agent asked its model before the first turn belongs to no run.
        let _ = self.agent.drain_seam();
        Ok(())
    }

    /// Sends the turns, reads everything that saw them, and puts the trace together.
    async fn witness(&mut self, started: Timestamp) -> Result<Trace, ScenarioError> {
        let (bench, scenario) = (self.bench, self.request.gate.scenario());
        let limits = self.request.site.world.limits;
        let run_id = bench.seam.ids.id();
        let session = SessionId::new(run_id.to_string());
        let mut conversation =
            Conversation::hold(self.agent, &scenario.turns(), self.plan, &session, limits.turn, &bench.seam)
                .await;
        if self.request.site.world.cancel.is_cancelled() {
            return Err(ScenarioError::Cancelled);
        }

        let mut evidence = Collected::new(&bench.seam, std::mem::take(&mut conversation.evidence));
        if let Some(error) = &conversation.error {
            evidence.warn(format!("{RUNNER_ERROR}{error}"));
        }
        if let Some(probe) = &self.request.state_probe {
            capture(probe.as_ref(), limits.start, &mut evidence).await;
        }
        evidence.seam(self.agent.drain_seam());
        let surface = self.agent.surface();
        evidence.handed(&conversation.handed, surface.as_ref());
        evidence.recorders(self.handles.iter().map(|handle| handle.call_log()).collect());
        // An agent that was sent no turn called nothing.
        if !conversation.turns.is_empty()
            && let Some(UnwitnessedCalls { reason, own_only }) = self.agent.unwitnessed_calls()
        {
            // Without a tool server there are no others.
            let marker =
                if own_only && !self.handles.is_empty() { UNWITNESSED_OWN_CALLS } else { UNWITNESSED_CALLS };
            evidence.warn(format!("{marker}{reason}"));
        }
        self.judging.ask(conversation.answer(), limits.turn, &mut evidence).await;

        let run = RunFacts {
            run_id,
            started_at: rfc3339(started),
            finished_at: bench.seam.now_rfc3339(),
            conversation,
            evidence: evidence.merge(),
            script: self.agent.script_progress(),
            surface,
        };
        let trace = trace(scenario, &self.request.identity, self.facts, run);
        let redactor = bench.redactor.and(self.agent.learned_secrets());
        redact(trace, &redactor).map_err(ScenarioError::Redaction)
    }

    async fn store(&mut self, trace: &Arc<Trace>, score: &Score) -> Result<StoredRun, StoreError> {
        let origin = self.request.subject.case().map(|case| {
            let verdict = SelftestVerdict::judge(case.kind, score, case.caught_by);
            Origin::selftest(case.name.clone(), case.kind, verdict)
        });
        let gate = self.request.gate;
        let sidecar = ScoreSidecar::new(gate.scenario(), gate.layers(), score.clone(), origin);
        let (runs, trace) = (Arc::clone(&self.bench.store), Arc::clone(trace));
        blocking(move || runs.write_run(&trace, &sidecar)).await
    }

    /// Writes what hooks wanted kept so far beside the run.
    async fn keep(&mut self, run: StoredRun) {
        let kept = std::mem::take(self.kept);
        if kept.is_empty() {
            return;
        }
        let (store, redactor) = (Arc::clone(&self.bench.store), self.bench.redactor.clone());
        blocking(move || kept.into_iter().for_each(|kept| kept.beside(&run, &store, &redactor))).await;
    }
}

async fn capture(probe: &dyn StateProbe, limit: std::time::Duration, evidence: &mut Collected<'_>) {
    match timeout(limit, probe.capture()).await {
        Ok(Ok(observed)) => {
            observed.into_iter().for_each(|(source, value)| evidence.observation(source, value));
        }
        Ok(Err(error)) => evidence.warn(format!("{PROBE_ERROR}{error}")),
        Err(_) => evidence.warn(format!(
            "{PROBE_ERROR}capturing passed the start limit of {} s (timeouts.start_s)",
            limit.as_secs_f64()
        )),
    }
}
