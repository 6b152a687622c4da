//! The event log and the ledger of a sweep.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use indexmap::IndexMap;
use jiff::Timestamp;
use windtunnel_api::Layer;
use windtunnel_api::artifact::event::{EventRow, SweepEvent};
use windtunnel_api::artifact::ledger::{LedgerRow, Sweep};
use windtunnel_api::event::{ScenarioRecord, SuiteEvent};
use windtunnel_spi::Seam;
use windtunnel_store::{RunStore, StoreError};

use crate::cases::{EventSender, tell};
use crate::scenario::ScoredRun;

/// Writes the rows of a sweep.
pub(super) struct SweepLog {
    pub(super) sweep: Sweep,
    store: Arc<RunStore>,
    seam: Seam,
    events: EventSender,
    failed: AtomicBool,
}

impl SweepLog {
    pub(super) fn new(sweep: Sweep, store: Arc<RunStore>, seam: Seam, events: EventSender) -> Self {
        Self { sweep, store, seam, events, failed: AtomicBool::new(false) }
    }

    /// Appends to the event log. It tells how a sweep goes and decides nothing, so a failure is told once and hinders nothing.
    pub(super) fn event(&self, event: SweepEvent) {
        let ts = self.seam.clock.now().strftime("%Y-%m-%dT%H:%M:%S%.6fZ").to_string();
        let row = EventRow::new(ts, &self.sweep.sweep_id, &self.sweep.label, event);
        if let Err(error) = self.store.append_event(&row)
            && !self.failed.swap(true, Ordering::Relaxed)
        {
            tell(&self.events, SuiteEvent::Notice { text: format!("the event log is incomplete: {error}") });
        }
    }

    /// Appends a scenario's row to the ledger.
    pub(super) fn ledger(&self, record: &ScenarioRecord) -> Result<(), StoreError> {
        self.store.append_ledger(&LedgerRow::new(record, &self.sweep))
    }
}

/// A moment as ledger rows write it.
pub(super) fn seconds(at: Timestamp) -> String {
    at.strftime("%Y-%m-%dT%H:%M:%SZ").to_string()
}

/// The row of a run that was stored.
pub(super) fn run_finished(scenario_id: String, runs: usize, run: &ScoredRun) -> SweepEvent {
    let score = &run.score;
    let layers: IndexMap<Layer, bool> =
        Layer::ALL.into_iter().map(|layer| (layer, score.layer(layer).passed)).collect();
    let metrics = Layer::ALL.into_iter().flat_map(|layer| score.layer(layer).metrics.clone()).collect();
    SweepEvent::RunFinished {
        scenario_id,
        run: run.run,
        runs,
        run_id: run.trace.run_id,
        verdict: score.verdict,
        layers,
        metrics,
        trace: Some(run.trace_path.to_string()),
        duration_s: run.duration_s,
    }
}
