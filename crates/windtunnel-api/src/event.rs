//! The events of a running suite. The runner emits them on a channel; reporters only listen.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use uuid::Uuid;

use crate::artifact::ledger::Sweep;
use crate::artifact::score::{Layer, Score, Verdict};
use crate::selftest::SelftestRecord;

/// Something that happened while a suite ran. Owned, so that it can be kept, sent and saved.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum SuiteEvent {
    /// The suite begins.
    SuiteStarted {
        /// What is run: `selftest`, `run`, …
        command: String,
        /// The runtimes by name, joined by a comma; empty where no case needs one.
        runtime: String,
        /// How many cases there are.
        cases: usize,
        /// How many may run side by side.
        jobs: usize,
        /// What the ledger rows of `wt run` share; none where there are no rows.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        sweep: Option<Sweep>,
    },
    /// A case begins.
    CaseStarted {
        /// Which one.
        id: CaseId,
    },
    /// A case ended.
    CaseFinished(Box<CaseReport>),
    /// Something worth telling that belongs to no case.
    Notice {
        /// What it is.
        text: String,
    },
    /// Ctrl-C: nothing more is started.
    Cancelled,
    /// The suite ended.
    SuiteFinished {
        /// How long it took, in seconds.
        duration_s: f64,
        /// Cases that were never started, because of `--fail-fast` or an interrupt.
        not_run: usize,
    },
}

/// Names a case: the group it is listed under (a pack, a folder), the test in it (a scenario, a test file), and the case of that
/// (a reference case).
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct CaseId {
    /// The pack, or the folder below the suite's root; empty for tests that lie in the root.
    pub group: String,
    /// The scenario, or the test's file.
    pub test: String,
    /// The reference case, where there is one.
    pub case: Option<String>,
}

impl std::fmt::Display for CaseId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if !self.group.is_empty() {
            write!(f, "{}/", self.group)?;
        }
        f.write_str(&self.test)?;
        match &self.case {
            Some(case) => write!(f, "/{case}"),
            None => Ok(()),
        }
    }
}

/// How a case ended.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CaseReport {
    /// Which case.
    pub id: CaseId,
    /// How it ended, for counting and colouring.
    pub status: CaseStatus,
    /// The verdict in its front door's own words: `POISON_PASSED`, `PASS_WITH_VARIANCE`, …
    pub verdict: String,
    /// What there is to know, over several lines; for a failure what was expected, what was found and where.
    pub detail: String,
    /// How long it took, in seconds.
    pub duration_s: f64,
    /// What the agent and the tool servers wrote to their outputs: bounded and redacted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub output: Vec<CapturedOutput>,
    /// The workspace, where it was kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub workspace: Option<String>,
    /// The full record, by front door.
    pub record: CaseRecord,
}

/// How a case ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CaseStatus {
    /// As expected.
    Passed,
    /// The test said no.
    Failed,
    /// The test could not be carried out.
    Errored,
    /// The runtime cannot do this.
    Unsupported,
    /// Stopped by an interrupt.
    Cancelled,
}

/// The full record of a case, by front door.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(clippy::large_enum_variant, reason = "it is boxed with its report")]
pub enum CaseRecord {
    /// A reference case of `wt selftest`.
    Selftest(SelftestRecord),
    /// A scenario of `wt run`.
    Scenario(ScenarioRecord),
    /// A test of `omw-test`.
    Omw(OmwRecord),
    /// A process scenario of `wt run`.
    Process(ProcessRecord),
}

/// A scenario of `wt run`: its runs, and what they make together.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ScenarioRecord {
    /// The scenario's name.
    pub scenario_id: String,
    /// The owning pack.
    pub pack: String,
    /// The pack's owner.
    pub owner: Option<String>,
    /// The runtime it ran on.
    pub runtime: String,
    /// The label of the sweep.
    pub label: String,
    /// The model's label, as in the traces; `unknown` where the runtime gives none.
    pub model: String,
    /// The quantisation's label, as in the traces; `unknown` where the runtime gives none.
    pub quant: String,
    /// The layers that gate a run.
    pub gate_layers: Vec<Layer>,
    /// Whether the scenario declares perturbations.
    pub has_perturbations: bool,
    /// The verdict over all runs; none if the scenario could not be run.
    pub verdict: Option<Verdict>,
    /// Runs asked for.
    pub runs_requested: usize,
    /// Runs that were scored.
    pub runs: Vec<RunRecord>,
    /// Share of scored runs that passed the gate, 0 to 1.
    pub pass_rate: f64,
    /// Standard deviation of the pass rate.
    pub stddev: f64,
    /// The weight of a failure.
    pub risk_weight: u32,
    /// Why it could not be run.
    pub error: Option<String>,
}

/// One scored run of a scenario.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RunRecord {
    /// From 1.
    pub run: usize,
    /// The run's id.
    pub run_id: Uuid,
    /// Its score.
    pub score: Score,
    /// The trace's file.
    pub trace_path: Option<String>,
    /// How long it took, in seconds.
    pub duration_s: f64,
}

/// A test of `omw-test`: what came of it, and of each agent that it asserts something about.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct OmwRecord {
    /// The test's path below the root of the suite, `/` between folders; `-` for a test from standard input.
    pub test: String,
    /// Whether it passed.
    pub passed: bool,
    /// What failed besides assertions: a malformed config, a run that could not start, an agent without assertions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// The agents under `[assertions]`, in their order.
    pub agents: Vec<OmwAgentRecord>,
    /// What failed nothing and is still worth telling.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
}

/// What came of one agent of a test.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct OmwAgentRecord {
    /// The agent.
    pub agent: String,
    /// Whether its assertions hold.
    pub passed: bool,
    /// How its run ended, as traces say it: `"completed"`, `{"exited": "…"}`. Absent for one that was stopped by its verdict.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outcome: Option<Value>,
    /// What was expected, what was found and where; for one that did not pass.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub diff: Option<String>,
}

/// A process scenario of `wt run`: what its walk was, and what stood against it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ProcessRecord {
    /// The scenario's name, which is its folder's.
    pub scenario: String,
    /// Its folder, as it was found.
    pub folder: String,
    /// Whether it passed.
    pub passed: bool,
    /// What is wrong, as reports show it; none for one that passed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// The nodes that were walked, in order; a skipped one with `~` in front.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub walk: Vec<String>,
    /// The event log, where it was kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub events_path: Option<String>,
}

/// What one process wrote.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CapturedOutput {
    /// Whose it is: `agent stderr`, `crm stderr`, …
    pub source: String,
    /// The last part of it, redacted.
    pub text: String,
    /// Bytes left out before it.
    pub omitted_bytes: u64,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_case_in_no_group_is_named_by_its_test() {
        let id = |group: &str, case: Option<&str>| CaseId {
            group: group.into(),
            test: "t".into(),
            case: case.map(Into::into),
        };
        for (id, expected) in [
            (id("p", Some("c")), "p/t/c"),
            (id("p", None), "p/t"),
            (id("a/b", None), "a/b/t"),
            (id("", None), "t"),
        ] {
            assert_eq!(id.to_string(), expected);
        }
    }
}
