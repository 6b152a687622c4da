//! Rows of `events.ndjsonl`: the progress of a sweep.

use indexmap::IndexMap;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use uuid::Uuid;

use crate::artifact::score::{Layer, Verdict};

/// The version that is written.
pub const EVENT_VERSION: u32 = 1;

/// One row of the event log.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct EventRow {
    /// [`EVENT_VERSION`].
    pub windtunnel_event: u32,
    /// RFC 3339 with microseconds and `Z`.
    pub ts: String,
    /// Names the sweep.
    pub sweep_id: String,
    /// The label of the sweep.
    pub label: String,
    /// What happened.
    #[serde(flatten)]
    pub event: SweepEvent,
}

impl EventRow {
    /// The row of something that happened at `ts`.
    pub fn new(
        ts: impl Into<String>,
        sweep_id: impl Into<String>,
        label: impl Into<String>,
        event: SweepEvent,
    ) -> Self {
        Self {
            windtunnel_event: EVENT_VERSION,
            ts: ts.into(),
            sweep_id: sweep_id.into(),
            label: label.into(),
            event,
        }
    }
}

/// Something that happened during a sweep.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum SweepEvent {
    /// The sweep begins.
    SweepStarted {
        /// The process that runs it.
        pid: u32,
        /// The machine it runs on.
        host: String,
        /// The runtimes by name, joined by a comma.
        runtime: String,
        /// How many scenarios there are.
        scenarios: usize,
        /// Runs of each.
        runs_per_scenario: usize,
        /// How runs are put in order: `serial` or `parallel`.
        scheduler: String,
        /// How many may run side by side.
        max_concurrency: usize,
        /// The size of a declared experiment.
        #[serde(default)]
        tier: Option<String>,
        /// Its question.
        #[serde(default)]
        question: Option<String>,
        /// The outcome it expects.
        #[serde(default)]
        expect: Option<String>,
        /// Its budget, in seconds.
        #[serde(default)]
        budget_s: Option<f64>,
    },
    /// A run begins.
    RunStarted {
        /// The scenario's name.
        scenario_id: String,
        /// From 1.
        run: usize,
        /// How many there will be.
        runs: usize,
    },
    /// A run was scored and stored.
    RunFinished {
        /// The scenario's name.
        scenario_id: String,
        /// From 1.
        run: usize,
        /// How many there will be.
        runs: usize,
        /// The run's id.
        run_id: Uuid,
        /// Its verdict.
        verdict: Verdict,
        /// By layer, whether it passed.
        layers: IndexMap<Layer, bool>,
        /// The metrics of all layers.
        #[serde(default)]
        metrics: IndexMap<String, Value>,
        /// The trace's file.
        #[serde(default)]
        trace: Option<String>,
        /// How long it took, in seconds.
        duration_s: f64,
    },
    /// All runs of a scenario are over.
    ScenarioFinished {
        /// The scenario's name.
        scenario_id: String,
        /// The verdict over all runs.
        verdict: Verdict,
        /// Runs that passed the gate.
        passed: usize,
        /// Runs that were scored.
        total: usize,
        /// Share of scored runs that passed the gate: 0 to 1.
        pass_rate: f64,
        /// What the gate said no to, where it did.
        #[serde(default)]
        gate_failure: Option<Value>,
    },
    /// A scenario could not be run.
    ScenarioError {
        /// The scenario's name.
        scenario_id: String,
        /// What kind of error it was: `precondition`, `setup`, …
        kind: String,
        /// What it says.
        error: String,
    },
    /// The sweep waits for a lock.
    LockWaiting {
        /// The lock's name.
        lock: String,
        /// Who holds it, as far as is known.
        #[serde(default)]
        holder: Option<Value>,
    },
    /// The sweep holds the lock.
    LockAcquired {
        /// The lock's name.
        lock: String,
        /// How long it waited, in seconds.
        waited_s: f64,
    },
    /// The sweep is over.
    SweepFinished {
        /// How the process will exit.
        exit_code: u8,
        /// `completed` or `interrupted`.
        status: String,
        /// How many scenarios there were.
        scenarios: usize,
        /// Scenarios with a verdict.
        completed: usize,
        /// Scenarios that could not be run.
        errors: usize,
        /// Whether the experiment's budget ran out.
        #[serde(default)]
        budget_exhausted: bool,
    },
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(event: SweepEvent) -> EventRow {
        EventRow::new("2026-11-30T08:58:54.387116Z", "0123456789ab", "nightly", event)
    }

    #[test]
    fn every_line_carries_version_time_sweep_and_label() {
        let started = row(SweepEvent::RunStarted { scenario_id: "artifact_guard".into(), run: 1, runs: 3 });
        insta::assert_snapshot!(serde_json::to_string(&started).unwrap(), @r#"{"windtunnel_event":1,"ts":"2026-11-30T08:58:54.387116Z","sweep_id":"0123456789ab","label":"nightly","event":"run_started","scenario_id":"artifact_guard","run":1,"runs":3}"#);
    }

    #[test]
    fn a_written_row_reads_back() {
        let finished = row(SweepEvent::RunFinished {
            scenario_id: "artifact_guard".into(),
            run: 1,
            runs: 1,
            run_id: Uuid::from_u128(7),
            verdict: Verdict::Fail,
            layers: [(Layer::Outcome, false), (Layer::Integrity, true)].into(),
            metrics: [("facts_found".to_owned(), Value::from(2))].into(),
            trace: Some("runs/a.json".into()),
            duration_s: 0.25,
        });
        let text = serde_json::to_string(&finished).unwrap();
        assert_eq!(serde_json::from_str::<EventRow>(&text).unwrap(), finished);
    }

    #[test]
    fn unknown_keys_are_no_hindrance() {
        let text = r#"{"event":"lock_acquired","label":"l","lock":"gpu","sweep_id":"s","ts":"t","waited_s":2,
            "windtunnel_event":1,"added_later":{}}"#;
        let read: EventRow = serde_json::from_str(text).unwrap();
        assert_eq!(read.event, SweepEvent::LockAcquired { lock: "gpu".into(), waited_s: 2.0 });
    }
}
