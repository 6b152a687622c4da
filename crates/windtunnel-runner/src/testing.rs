//! Cases whose behaviour a test scripts.

use std::time::Duration;

use async_trait::async_trait;
use tokio::sync::mpsc;
use windtunnel_api::event::{CaseId, CaseRecord, CaseReport, CaseStatus, SuiteEvent};
use windtunnel_api::{ReferenceKind, SelftestRecord, SelftestVerdict};
use windtunnel_spi::{CaseContext, TestCase};

use crate::cases::EventSender;

/// What a case does.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Behaviour {
    /// Passes at once.
    Pass,
    /// Passes after so many milliseconds; leaves when it is cancelled.
    Sleep(u64),
    /// Panics.
    Panic,
    /// Never ends, and does not hear a cancellation.
    Stuck,
}

/// A case whose behaviour is scripted.
pub(crate) struct ScriptedCase {
    name: String,
    resource: String,
    behaviour: Behaviour,
}

impl ScriptedCase {
    pub(crate) fn new(name: &str, resource: &str, behaviour: Behaviour) -> Self {
        Self { name: name.to_owned(), resource: resource.to_owned(), behaviour }
    }

    pub(crate) fn passing(name: &str, resource: &str) -> Self {
        Self::new(name, resource, Behaviour::Pass)
    }

    pub(crate) fn sleeping(name: &str, millis: u64) -> Self {
        Self::new(name, "r", Behaviour::Sleep(millis))
    }
}

#[async_trait]
impl TestCase for ScriptedCase {
    fn id(&self) -> CaseId {
        CaseId { group: "pack".to_owned(), test: self.name.clone(), case: None }
    }

    fn resource(&self) -> &str {
        &self.resource
    }

    async fn run(&self, context: CaseContext) -> CaseReport {
        match self.behaviour {
            Behaviour::Pass => {}
            Behaviour::Sleep(millis) => {
                let slept =
                    context.cancel.run_until_cancelled(tokio::time::sleep(Duration::from_millis(millis)));
                if slept.await.is_none() {
                    let workspace = Some("torn down".to_owned());
                    return CaseReport { workspace, ..report(&self.name, CaseStatus::Cancelled) };
                }
            }
            Behaviour::Panic => panic!("scripted panic of {}", self.name),
            Behaviour::Stuck => std::future::pending().await,
        }
        report(&self.name, CaseStatus::Passed)
    }

    fn failed_to_run(&self, reason: &str) -> CaseReport {
        CaseReport { detail: reason.to_owned(), ..report(&self.name, CaseStatus::Errored) }
    }
}

/// The report of a case that has nothing to say.
pub(crate) fn report(name: &str, status: CaseStatus) -> CaseReport {
    CaseReport {
        id: CaseId { group: "pack".to_owned(), test: name.to_owned(), case: None },
        status,
        verdict: String::new(),
        detail: "reported".to_owned(),
        duration_s: 0.0,
        output: Vec::new(),
        workspace: None,
        record: CaseRecord::Selftest(SelftestRecord {
            scenario_id: name.to_owned(),
            case: String::new(),
            kind: ReferenceKind::Golden,
            verdict: SelftestVerdict::Pass,
            detail: String::new(),
            run_id: None,
            score: None,
            pack: "pack".to_owned(),
            owner: None,
            trace_path: None,
            drift: None,
        }),
    }
}

/// A channel of suite events.
pub(crate) fn events() -> (EventSender, mpsc::UnboundedReceiver<SuiteEvent>) {
    mpsc::unbounded_channel()
}

/// What was told so far.
pub(crate) fn drain(receiver: &mut mpsc::UnboundedReceiver<SuiteEvent>) -> Vec<SuiteEvent> {
    std::iter::from_fn(|| receiver.try_recv().ok()).collect()
}
