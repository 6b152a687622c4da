//! One reference case on a runtime.

use std::sync::Arc;

use camino::Utf8PathBuf;
use windtunnel_api::event::CapturedOutput;
use windtunnel_api::{Pack, ReferenceCase, SelftestRecord, SelftestVerdict};
use windtunnel_discovery::Found;
use windtunnel_spi::{AgentRuntime, ModelLabel, ReferenceCapableAgentRuntime, StateProbe};

use super::{detail, drift};
use crate::bench::{Bench, CaseSite};
use crate::blocking::blocking;
use crate::scenario::{RunIdentity, ScenarioError, ScenarioRequest, Subject, run_scenario};

/// Who runs reference cases, in traces and paths.
const AGENT_ID: &str = "wt-selftest";

/// What is asked of [`run_reference_case`].
pub struct ReferenceRequest<'a> {
    /// The scenario that the case proves.
    pub found: &'a Found,
    /// The pack whose tool servers are started: the scenario's, or what a plugin made of it.
    pub pack: &'a Pack,
    /// The case; one of the scenario's.
    pub case: &'a ReferenceCase,
    /// What drives the agent.
    pub runtime: &'a dyn AgentRuntime,
    /// The labels under which the run is stored.
    pub model: ModelLabel,
    /// Where it happens, fresh for this case; [`Bench::site`] makes it.
    pub site: CaseSite,
}

impl<'a> ReferenceRequest<'a> {
    /// A case of a scenario in its own pack, stored without labels of a model.
    pub fn new(
        found: &'a Found,
        case: &'a ReferenceCase,
        runtime: &'a dyn AgentRuntime,
        site: CaseSite,
    ) -> Self {
        Self { found, pack: &found.pack, case, runtime, model: ModelLabel::default(), site }
    }
}

/// What came of a reference case.
#[derive(Debug)]
pub struct ReferenceOutcome {
    /// What the self-test says.
    pub record: SelftestRecord,
    /// What the agent and the tool servers wrote to their outputs.
    pub output: Vec<CapturedOutput>,
    /// The workspace, where it is kept.
    pub workspace: Option<Utf8PathBuf>,
    /// Whether it was cancelled rather than carried out.
    pub cancelled: bool,
}

/// Runs one reference case: the agent is provisioned once with the case's script, and one run goes the ordinary way of
/// [`run_scenario`]. The verdict is about the gate: a poison that the gate rejected is a PASS.
///
/// `state_probe` is the probe of this case, fresh like everything else; preconditions see it and no other.
///
/// A runtime that cannot be self-tested gives an UNSUPPORTED record, and nothing is started.
pub async fn run_reference_case(
    bench: &Bench,
    request: ReferenceRequest<'_>,
    state_probe: Option<Box<dyn StateProbe>>,
) -> ReferenceOutcome {
    let ReferenceRequest { found, pack, case, runtime, model, site } = request;
    let blank = Blank { found, case };
    if runtime.reference().is_none() {
        return blank.unsupported();
    }
    let request = ScenarioRequest {
        gate: &found.gate,
        pack,
        preconditions: &found.preconditions,
        runtime,
        subject: Subject::Reference(case),
        identity: RunIdentity {
            agent_id: AGENT_ID.to_owned(),
            variant_id: format!("selftest-{}-{}", case.kind.name(), case.name),
            model,
        },
        site,
        state_probe,
        runs: 1,
    };
    let outcome = run_scenario(bench, request, &mut ()).await;
    let mut reported = match (&outcome.error, outcome.runs.first()) {
        (Some(error), _) => blank.failed(error),
        (None, Some(run)) => {
            let verdict = SelftestVerdict::judge(case.kind, &run.score, case.caught_by);
            let script = run.trace.script.as_ref();
            let told_by = runtime.reference().and_then(ReferenceCapableAgentRuntime::model_told_by);
            let unasked = told_by.filter(|_| detail::nothing_was_asked(&run.trace));
            let detail = detail::of_score(found.gate.layers(), case, verdict, &run.score, script, unasked);
            blank.outcome(verdict, detail)
        }
        (None, None) => blank.outcome(SelftestVerdict::Error, "there was no run".to_owned()),
    };
    if let Some(run) = outcome.runs.into_iter().next() {
        let (case, pack, trace) = (case.clone(), pack.clone(), Arc::clone(&run.trace));
        reported.record.drift = blocking(move || drift::told(&case, &pack, &trace)).await;
        reported.record.run_id = Some(run.trace.run_id);
        reported.record.score = Some(run.score);
        reported.record.trace_path = Some(run.trace_path.into_string());
    }
    if let Some(drift) = &reported.record.drift {
        let drift = bench.redactor.text(drift);
        reported.record.detail = format!("{}\n{drift}", reported.record.detail);
        reported.record.drift = Some(drift);
    }
    reported.record.detail = bench.redactor.text(&reported.record.detail);
    ReferenceOutcome { output: outcome.output, workspace: outcome.workspace, ..reported }
}

/// A case of which nothing is known yet but its names.
#[derive(Clone, Copy)]
pub(super) struct Blank<'a> {
    pub(super) found: &'a Found,
    pub(super) case: &'a ReferenceCase,
}

impl Blank<'_> {
    /// The record of a case without a run.
    pub(super) fn record(&self, verdict: SelftestVerdict, detail: String) -> SelftestRecord {
        let pack = &self.found.pack;
        SelftestRecord {
            scenario_id: self.found.scenario().name.clone(),
            case: self.case.name.clone(),
            kind: self.case.kind,
            verdict,
            detail,
            run_id: None,
            score: None,
            pack: pack.name().to_owned(),
            owner: pack.manifest.owner.clone(),
            trace_path: None,
            drift: None,
        }
    }

    /// A case that ended without a run.
    pub(super) fn outcome(&self, verdict: SelftestVerdict, detail: String) -> ReferenceOutcome {
        let record = self.record(verdict, detail);
        ReferenceOutcome { record, output: Vec::new(), workspace: None, cancelled: false }
    }

    /// A case that could not be carried out.
    pub(super) fn failed(&self, error: &ScenarioError) -> ReferenceOutcome {
        let cancelled = matches!(error, ScenarioError::Cancelled);
        ReferenceOutcome { cancelled, ..self.outcome(SelftestVerdict::Error, detail::of_error(error)) }
    }

    /// A case on a runtime that cannot be self-tested.
    pub(super) fn unsupported(&self) -> ReferenceOutcome {
        let detail = "the runtime has no inference seam, so no script can stand in for its model; nothing was started. \
                      Give it one (`inference` in [runtimes.<name>] of wt.toml, for a program; the route POST /wt/reference, for an \
                      endpoint of kind http_inject), or choose another with --runtime, such as loop";
        self.outcome(SelftestVerdict::Unsupported, detail.to_owned())
    }
}
