//! A reference case as the case runner sees it.

use async_trait::async_trait;
use windtunnel_api::event::{CaseId, CaseRecord, CaseReport, CaseStatus};
use windtunnel_api::{ReferenceCase, SelftestVerdict};
use windtunnel_spi::{AgentRuntime, CaseContext, PackBinding, TestCase};

use super::reference_case::{Blank, ReferenceOutcome, ReferenceRequest, run_reference_case};
use crate::bench::Bench;
use crate::scenario::ScenarioError;
use crate::suite::{Fault, Place};

/// One reference case of a scenario.
pub(super) struct SelftestCase {
    pub(super) bench: Bench,
    pub(super) place: Place,
    pub(super) case: ReferenceCase,
}

#[async_trait]
impl TestCase for SelftestCase {
    fn id(&self) -> CaseId {
        CaseId {
            group: self.place.found.pack.name().to_owned(),
            test: self.place.found.scenario().name.clone(),
            case: Some(self.case.name.clone()),
        }
    }

    fn resource(&self) -> &str {
        self.place.session.name()
    }

    async fn run(&self, context: CaseContext) -> CaseReport {
        let clock = &self.bench.seam.clock;
        let began = clock.now();
        let outcome = match self.place.session.ready(self.place.pack) {
            Ok((runtime, binding)) => {
                let tried = self.try_out(runtime, binding, context).await;
                tried.unwrap_or_else(|error| self.blank().failed(&error))
            }
            Err(Fault::Unsupported) => self.blank().unsupported(),
            Err(Fault::Broken(reason)) => self
                .blank()
                .outcome(SelftestVerdict::Error, self.bench.redactor.text(&format!("setup: {reason}"))),
        };
        let took = clock.now().duration_since(began).as_secs_f64().max(0.0);
        self.report(outcome, took)
    }

    fn failed_to_run(&self, reason: &str) -> CaseReport {
        let reason = self.bench.redactor.text(reason);
        self.report(self.blank().outcome(SelftestVerdict::Error, reason), 0.0)
    }
}

impl SelftestCase {
    fn blank(&self) -> Blank<'_> {
        Blank { found: &self.place.found, case: &self.case }
    }

    /// Fresh wiring, then the case.
    async fn try_out(
        &self,
        runtime: &dyn AgentRuntime,
        binding: &PackBinding,
        context: CaseContext,
    ) -> Result<ReferenceOutcome, ScenarioError> {
        let found = &self.place.found;
        let name = format!("{}-{}", found.scenario().name, self.case.name);
        let site = self.bench.site(&binding.pack, &name, context.cancel).await?;
        let factory = binding.probe_factory.as_ref();
        let state_probe = factory.map(|factory| factory.probe(&site.world)).transpose()?;
        let request = ReferenceRequest {
            found,
            pack: &binding.pack,
            case: &self.case,
            runtime,
            model: self.place.session.plugin.model_label(),
            site,
        };
        Ok(run_reference_case(&self.bench, request, state_probe).await)
    }

    fn report(&self, outcome: ReferenceOutcome, duration_s: f64) -> CaseReport {
        let verdict = outcome.record.verdict;
        let status = if outcome.cancelled { CaseStatus::Cancelled } else { status(verdict) };
        CaseReport {
            id: self.id(),
            status,
            verdict: verdict.word().to_owned(),
            detail: outcome.record.detail.clone(),
            duration_s,
            output: if status == CaseStatus::Passed { Vec::new() } else { outcome.output },
            workspace: outcome.workspace.map(Into::into),
            record: CaseRecord::Selftest(outcome.record),
        }
    }
}

fn status(verdict: SelftestVerdict) -> CaseStatus {
    match verdict {
        SelftestVerdict::Pass => CaseStatus::Passed,
        SelftestVerdict::GoldenFailed | SelftestVerdict::PoisonPassed => CaseStatus::Failed,
        SelftestVerdict::Unsupported => CaseStatus::Unsupported,
        SelftestVerdict::Error => CaseStatus::Errored,
    }
}
