//! Rows of `ledger.ndjsonl`: one per scenario aggregate and sweep.

use indexmap::IndexMap;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use uuid::Uuid;

use crate::artifact::score::{Layer, Verdict, WeighedCost};
use crate::event::ScenarioRecord;

/// The version that is written.
pub const LEDGER_VERSION: u32 = 1;

/// What all rows of one sweep share.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sweep {
    /// Twelve hex digits that no other sweep of the run store has.
    pub sweep_id: String,
    /// What the sweep is called: `--label`.
    pub label: String,
    /// When it began: RFC 3339 with seconds and `Z`.
    pub ts: String,
    /// The commit of the working folder, where there is one.
    pub git_sha: Option<String>,
    /// The version of the program that ran it.
    pub wt_version: String,
}

/// One row of the ledger. Fields are in the order of their keys, which are written sorted.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LedgerRow {
    /// Why the scenario could not be run. Readers that do not know the key see an INVALID without runs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// The question that the sweep declared; null without one.
    #[serde(default)]
    pub experiment: Option<Value>,
    /// What a failure would cost; null where no run was scored.
    #[serde(default)]
    pub failure_cost: Option<WeighedCost>,
    /// The risk weight of a FAIL; 0 otherwise.
    #[serde(default)]
    pub failure_risk: u32,
    /// The layers that gate a run.
    #[serde(default)]
    pub gate_layers: Vec<Layer>,
    /// The commit of the working folder; null outside a repository.
    #[serde(default)]
    pub git_sha: Option<String>,
    /// The label of the sweep.
    pub label: String,
    /// By layer, the share of runs in which it passed: 0 to 1. Empty without runs.
    #[serde(default)]
    pub layer_pass_rates: IndexMap<Layer, f64>,
    /// The model's label; `unknown` where the runtime gives none.
    #[serde(default = "unknown")]
    pub model: String,
    /// Where the runs come from, if not from an ordinary sweep.
    #[serde(default)]
    pub origin: Option<Value>,
    /// The pack's owner.
    #[serde(default)]
    pub owner: Option<String>,
    /// The owning pack.
    #[serde(default)]
    pub pack: Option<String>,
    /// Share of scored runs that passed the gate: 0 to 1.
    pub pass_rate: f64,
    /// Runs that passed the gate.
    pub passed: usize,
    /// The quantisation's label; `unknown` where the runtime gives none.
    #[serde(default = "unknown")]
    pub quant: String,
    /// Share of the runs that were disturbed as declared (their integrity holds) that passed the gate: 0 to 1; null if the
    /// scenario declares no perturbation, or no run was disturbed.
    #[serde(default)]
    pub robustness_pass_rate: Option<f64>,
    /// The ids of the scored runs, in order.
    #[serde(default)]
    pub run_ids: Vec<Uuid>,
    /// Runs that were scored.
    pub runs: usize,
    /// The scenario's name.
    pub scenario_id: String,
    /// Standard deviation of the pass rate.
    #[serde(default)]
    pub stddev: f64,
    /// Names the sweep.
    pub sweep_id: String,
    /// When the sweep began: RFC 3339 with seconds and `Z`.
    pub ts: String,
    /// The verdict over all runs.
    pub verdict: Verdict,
    /// [`LEDGER_VERSION`].
    pub windtunnel_ledger: u32,
    /// The version of the program that wrote the row.
    #[serde(default)]
    pub wt_version: Option<String>,
}

fn unknown() -> String {
    "unknown".to_owned()
}

impl LedgerRow {
    /// The row of a scenario. One that could not be run is an INVALID without runs, and says why.
    pub fn new(record: &ScenarioRecord, sweep: &Sweep) -> Self {
        let verdict = record.verdict.unwrap_or(Verdict::Invalid);
        Self {
            error: record.error.clone(),
            experiment: None,
            failure_cost: record.runs.first().map(|run| run.score.failure_cost),
            failure_risk: if verdict == Verdict::Fail { record.risk_weight } else { 0 },
            gate_layers: record.gate_layers.clone(),
            git_sha: sweep.git_sha.clone(),
            label: sweep.label.clone(),
            layer_pass_rates: layer_pass_rates(record),
            model: record.model.clone(),
            origin: None,
            owner: record.owner.clone(),
            pack: Some(record.pack.clone()),
            pass_rate: record.pass_rate,
            passed: record.runs.iter().filter(|run| run.score.verdict.is_pass()).count(),
            quant: record.quant.clone(),
            robustness_pass_rate: robustness_pass_rate(record),
            run_ids: record.runs.iter().map(|run| run.run_id).collect(),
            runs: record.runs.len(),
            scenario_id: record.scenario_id.clone(),
            stddev: record.stddev,
            sweep_id: sweep.sweep_id.clone(),
            ts: sweep.ts.clone(),
            verdict,
            windtunnel_ledger: LEDGER_VERSION,
            wt_version: Some(sweep.wt_version.clone()),
        }
    }

    /// The row as JSON with the keys of every object sorted, as it is written.
    pub fn sorted(&self) -> serde_json::Result<Value> {
        let mut row = serde_json::to_value(self)?;
        row.sort_all_objects();
        Ok(row)
    }
}

/// A run whose perturbations left no marker says nothing of how the agent copes with them.
fn robustness_pass_rate(record: &ScenarioRecord) -> Option<f64> {
    let disturbed = || record.runs.iter().filter(|run| run.score.layer(Layer::Integrity).passed);
    let passed = disturbed().filter(|run| run.score.verdict.is_pass()).count();
    if record.has_perturbations { rate(passed, disturbed().count()) } else { None }
}

#[expect(clippy::cast_precision_loss, reason = "nobody makes 2^52 runs of one scenario")]
fn rate(part: usize, whole: usize) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}

fn layer_pass_rates(record: &ScenarioRecord) -> IndexMap<Layer, f64> {
    let rate = |layer| {
        let passed = record.runs.iter().filter(|run| run.score.layer(layer).passed).count();
        Some((layer, rate(passed, record.runs.len())?))
    };
    Layer::ALL.into_iter().filter_map(rate).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::artifact::score::{LayerScore, Score};
    use crate::event::RunRecord;
    use crate::scenario::FailureCost;

    fn run(number: usize, outcome: bool) -> RunRecord {
        let layer = |passed| if passed { LayerScore::pass("") } else { LayerScore::fail("") };
        RunRecord {
            run: number,
            run_id: Uuid::from_u128(number as u128),
            score: Score {
                outcome: layer(outcome),
                trajectory: layer(true),
                constraint: layer(true),
                integrity: layer(true),
                failure_cost: FailureCost::default().into(),
                verdict: if outcome { Verdict::Pass } else { Verdict::Fail },
            },
            trace_path: None,
            duration_s: 0.5,
        }
    }

    fn record(verdict: Option<Verdict>, runs: Vec<RunRecord>) -> ScenarioRecord {
        ScenarioRecord {
            scenario_id: "artifact_guard".into(),
            pack: "quickstart".into(),
            owner: Some("docs".into()),
            runtime: "loop".into(),
            label: "nightly".into(),
            model: "unknown".into(),
            quant: "unknown".into(),
            gate_layers: vec![Layer::Outcome],
            has_perturbations: false,
            verdict,
            runs_requested: 2,
            pass_rate: 0.5,
            stddev: 0.5,
            runs,
            risk_weight: 4,
            error: None,
        }
    }

    fn sweep() -> Sweep {
        Sweep {
            sweep_id: "0123456789ab".into(),
            label: "nightly".into(),
            ts: "2026-11-30T08:58:54Z".into(),
            git_sha: None,
            wt_version: "0.10.0".into(),
        }
    }

    #[test]
    fn a_row_counts_runs_and_layers() {
        let row = LedgerRow::new(&record(Some(Verdict::Fail), vec![run(1, true), run(2, false)]), &sweep());
        insta::assert_snapshot!(row.sorted().unwrap(), @r#"{"experiment":null,"failure_cost":{"customer_visible":false,"reversible":true,"risk_weight":4,"severity":"medium","side_effect_performed":false},"failure_risk":4,"gate_layers":["outcome"],"git_sha":null,"label":"nightly","layer_pass_rates":{"constraint":1.0,"integrity":1.0,"outcome":0.5,"trajectory":1.0},"model":"unknown","origin":null,"owner":"docs","pack":"quickstart","pass_rate":0.5,"passed":1,"quant":"unknown","robustness_pass_rate":null,"run_ids":["00000000-0000-0000-0000-000000000001","00000000-0000-0000-0000-000000000002"],"runs":2,"scenario_id":"artifact_guard","stddev":0.5,"sweep_id":"0123456789ab","ts":"2026-11-30T08:58:54Z","verdict":"FAIL","windtunnel_ledger":1,"wt_version":"0.10.0"}"#);
    }

    #[test]
    fn robustness_is_the_pass_rate_of_the_runs_that_were_disturbed() {
        let invalid = |number| {
            let mut run = run(number, true);
            run.score.integrity = LayerScore::fail("no marker");
            run.score.verdict = Verdict::Invalid;
            run
        };
        for (has_perturbations, runs, expected) in [
            (false, vec![run(1, true)], None),
            (true, vec![run(1, true), run(2, false)], Some(0.5)),
            (true, vec![run(1, true), invalid(2)], Some(1.0)),
            (true, vec![invalid(1)], None),
            (true, Vec::new(), None),
        ] {
            let record = ScenarioRecord { has_perturbations, ..record(Some(Verdict::Fail), runs) };
            assert_eq!(LedgerRow::new(&record, &sweep()).robustness_pass_rate, expected);
        }
    }

    #[test]
    fn keys_are_sorted_at_every_depth() {
        fn check(value: &Value) {
            if let Value::Object(map) = value {
                assert!(map.keys().is_sorted(), "{map:?}");
                map.values().for_each(check);
            }
        }
        let mut row = LedgerRow::new(&record(Some(Verdict::Pass), vec![run(1, true)]), &sweep());
        row.experiment =
            Some(serde_json::json!({"tier": "probe", "cost": {"wall_s": 1, "cached_tokens": 0}}));
        check(&row.sorted().unwrap());
    }

    #[test]
    fn a_scenario_that_could_not_be_run_is_an_invalid_row_that_says_why() {
        let mut record = record(None, Vec::new());
        record.error = Some("precondition: tool `write_file` is not served".into());
        let row = LedgerRow::new(&record, &sweep());
        assert_eq!((row.verdict, row.runs, row.failure_cost), (Verdict::Invalid, 0, None));
        assert_eq!(row.error.as_deref(), Some("precondition: tool `write_file` is not served"));
    }

    #[test]
    fn a_written_row_reads_back() {
        let row = LedgerRow::new(&record(Some(Verdict::Fail), vec![run(1, false)]), &sweep());
        let back: LedgerRow = serde_json::from_value(row.sorted().unwrap()).unwrap();
        assert_eq!(back, row);
    }
}
