//! A scenario of a sweep as the case runner sees it.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;
use camino::Utf8PathBuf;
use windtunnel_api::artifact::event::SweepEvent;
use windtunnel_api::event::{
    CapturedOutput, CaseId, CaseRecord, CaseReport, CaseStatus, RunRecord, ScenarioRecord,
};
use windtunnel_api::{Score, Verdict};
use windtunnel_gate::aggregate;
use windtunnel_spi::{CaseContext, TestCase};

use super::detail;
use super::log::{SweepLog, run_finished};
use crate::bench::Bench;
use crate::scenario::{
    RunIdentity, RunObserver, ScenarioError, ScenarioErrorKind, ScenarioOutcome, ScenarioRequest, ScoredRun,
    Subject, run_scenario,
};
use crate::suite::{Fault, Place};

/// Who makes ordinary runs, in traces and paths.
const AGENT_ID: &str = "wt-cli";

/// All runs of one scenario.
pub(super) struct SweepCase {
    pub(super) bench: Bench,
    pub(super) place: Place,
    pub(super) runs: usize,
    pub(super) log: Arc<SweepLog>,
    /// The runs on disk so far, which outlive a case that is cut short.
    stored: Mutex<Vec<RunRecord>>,
    /// Whether the end of the scenario is in the ledger and the event log.
    logged: AtomicBool,
}

/// Why a scenario has no verdict.
struct Failure {
    kind: &'static str,
    message: String,
    cancelled: bool,
}

impl Failure {
    fn setup(message: String) -> Self {
        Self { kind: ScenarioErrorKind::Setup.word(), message, cancelled: false }
    }
}

impl From<ScenarioError> for Failure {
    fn from(error: ScenarioError) -> Self {
        let kind = error.kind();
        Self {
            kind: kind.word(),
            message: error.to_string(),
            cancelled: kind == ScenarioErrorKind::Cancelled,
        }
    }
}

#[async_trait]
impl TestCase for SweepCase {
    fn id(&self) -> CaseId {
        CaseId {
            group: self.place.found.pack.name().to_owned(),
            test: self.place.found.scenario().name.clone(),
            case: None,
        }
    }

    fn resource(&self) -> &str {
        self.place.session.name()
    }

    async fn run(&self, context: CaseContext) -> CaseReport {
        let clock = &self.bench.seam.clock;
        let began = clock.now();
        let (failure, output, workspace) = match self.make_runs(context).await {
            Ok(outcome) => (outcome.error.map(Failure::from), outcome.output, outcome.workspace),
            Err(failure) => (Some(failure), Vec::new(), None),
        };
        let record = self.record(failure.as_ref());
        let (record, failure) = self.write_end(record, failure);
        let took = clock.now().duration_since(began).as_secs_f64().max(0.0);
        self.report(record, failure.as_ref(), took, output, workspace)
    }

    fn failed_to_run(&self, reason: &str) -> CaseReport {
        let failure = Failure::setup(self.bench.redactor.text(reason));
        self.report(self.record(Some(&failure)), Some(&failure), 0.0, Vec::new(), None)
    }
}

impl SweepCase {
    pub(super) fn new(bench: Bench, place: Place, runs: usize, log: Arc<SweepLog>) -> Self {
        Self { bench, place, runs, log, stored: Mutex::default(), logged: AtomicBool::new(false) }
    }

    /// Writes the end of a scenario that was cut short before it could do so itself.
    pub(super) fn write_late(&self, report: &CaseReport) {
        if let CaseRecord::Scenario(record) = &report.record
            && report.status == CaseStatus::Errored
            && !self.logged.swap(true, Ordering::Relaxed)
        {
            let failure = Failure { kind: "case", message: report.detail.clone(), cancelled: false };
            let _ = self.write_rows(record, Some(&failure));
        }
    }

    async fn make_runs(&self, context: CaseContext) -> Result<ScenarioOutcome, Failure> {
        let found = &self.place.found;
        let (runtime, binding) = self.place.session.ready(self.place.pack).map_err(|fault| match fault {
            Fault::Broken(reason) => Failure::setup(reason),
            Fault::Unsupported => Failure::setup("the runtime cannot be self-tested".to_owned()),
        })?;
        let site = self.bench.site(&binding.pack, &found.scenario().name, context.cancel).await;
        let site = site.map_err(ScenarioError::from)?;
        let factory = binding.probe_factory.as_ref();
        let state_probe = factory.map(|factory| factory.probe(&site.world)).transpose();
        let request = ScenarioRequest {
            gate: &found.gate,
            pack: &binding.pack,
            preconditions: &found.preconditions,
            runtime,
            subject: Subject::Live,
            identity: RunIdentity {
                agent_id: AGENT_ID.to_owned(),
                variant_id: self.log.sweep.label.clone(),
                model: self.place.session.plugin.model_label(),
            },
            site,
            state_probe: state_probe.map_err(ScenarioError::from)?,
            runs: self.runs,
        };
        Ok(run_scenario(&self.bench, request, &mut Watch(self)).await)
    }

    fn record(&self, failure: Option<&Failure>) -> ScenarioRecord {
        let found = &self.place.found;
        let scenario = found.scenario();
        let model = self.place.session.plugin.model_label();
        let runs = self.stored.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let scores: Vec<Score> = runs.iter().map(|run| run.score.clone()).collect();
        let whole = aggregate(scenario, &scores);
        ScenarioRecord {
            scenario_id: scenario.name.clone(),
            pack: found.pack.name().to_owned(),
            owner: found.pack.manifest.owner.clone(),
            runtime: self.place.session.name().to_owned(),
            label: self.log.sweep.label.clone(),
            model: model.model,
            quant: model.quant,
            gate_layers: found.gate.layers().to_vec(),
            has_perturbations: !scenario.perturbations.is_empty(),
            verdict: failure.is_none().then_some(whole.verdict),
            runs_requested: self.runs,
            runs,
            pass_rate: whole.pass_rate,
            stddev: whole.stddev,
            risk_weight: scenario.failure_cost.risk_weight(),
            error: failure.map(|failure| self.bench.redactor.text(&failure.message)),
        }
    }

    /// Writes the scenario's end into ledger and event log. A verdict that is not in the ledger is none.
    fn write_end(
        &self,
        record: ScenarioRecord,
        failure: Option<Failure>,
    ) -> (ScenarioRecord, Option<Failure>) {
        if failure.as_ref().is_some_and(|failure| failure.cancelled) {
            return (record, failure);
        }
        self.logged.store(true, Ordering::Relaxed);
        match self.write_rows(&record, failure.as_ref()) {
            Ok(()) => (record, failure),
            Err(unwritten) => (self.record(Some(&unwritten)), Some(unwritten)),
        }
    }

    fn write_rows(&self, record: &ScenarioRecord, failure: Option<&Failure>) -> Result<(), Failure> {
        let written = self.log.ledger(record).map_err(|error| Failure::from(ScenarioError::from(error)));
        let scenario_id = record.scenario_id.clone();
        let event = match (record.verdict, written.as_ref().err().or(failure)) {
            (Some(verdict), None) => SweepEvent::ScenarioFinished {
                scenario_id,
                verdict,
                passed: record.runs.iter().filter(|run| run.score.verdict.is_pass()).count(),
                total: record.runs.len(),
                pass_rate: record.pass_rate,
                gate_failure: detail::gate_failure(&record.gate_layers, &record.runs),
            },
            (_, failure) => SweepEvent::ScenarioError {
                scenario_id,
                kind: failure.map_or("case", |failure| failure.kind).to_owned(),
                error: failure.map(|failure| self.bench.redactor.text(&failure.message)).unwrap_or_default(),
            },
        };
        self.log.event(event);
        written
    }

    fn report(
        &self,
        record: ScenarioRecord,
        failure: Option<&Failure>,
        duration_s: f64,
        output: Vec<CapturedOutput>,
        workspace: Option<Utf8PathBuf>,
    ) -> CaseReport {
        let status = match (record.verdict, failure) {
            (_, Some(Failure { cancelled: true, .. })) => CaseStatus::Cancelled,
            (Some(Verdict::Pass | Verdict::PassWithVariance), _) => CaseStatus::Passed,
            (Some(Verdict::Fail), _) => CaseStatus::Failed,
            (Some(Verdict::Invalid) | None, _) => CaseStatus::Errored,
        };
        let said = (!record.runs.is_empty()).then(|| detail::of_runs(&record.gate_layers, &record.runs));
        let detail: Vec<String> = record.error.clone().into_iter().chain(said).collect();
        CaseReport {
            id: self.id(),
            status,
            verdict: record.verdict.map_or("ERROR", Verdict::word).to_owned(),
            detail: detail.join("\n"),
            duration_s,
            output: if status == CaseStatus::Passed { Vec::new() } else { output },
            workspace: workspace.map(Into::into),
            record: CaseRecord::Scenario(record),
        }
    }
}

/// Keeps the runs of a case and tells of them.
struct Watch<'a>(&'a SweepCase);

impl RunObserver for Watch<'_> {
    fn run_started(&mut self, run: usize) {
        let scenario_id = self.0.place.found.scenario().name.clone();
        self.0.log.event(SweepEvent::RunStarted { scenario_id, run, runs: self.0.runs });
    }

    fn run_stored(&mut self, run: &ScoredRun) {
        self.0.stored.lock().unwrap_or_else(PoisonError::into_inner).push(run.record());
        let scenario_id = self.0.place.found.scenario().name.clone();
        self.0.log.event(run_finished(scenario_id, self.0.runs, run));
    }
}
