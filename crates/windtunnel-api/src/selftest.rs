//! What a self-test says of a gate.

use std::fmt;

use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::artifact::score::{Layer, Score, Verdict};
use crate::scenario::reference::ReferenceKind;

/// The version of the self-test report that is written.
pub const SELFTEST_VERSION: u32 = 1;

/// The verdict of a reference case. It is about the gate, not about the run: a rejected poison is a PASS.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum SelftestVerdict {
    /// A golden passed its gate, or a poison failed it.
    Pass,
    /// Known-correct behaviour did not pass the gate.
    GoldenFailed,
    /// Known-bad behaviour escaped the gate.
    PoisonPassed,
    /// The runtime has no inference seam to put a script into.
    Unsupported,
    /// The execution was invalid: precondition, integrity, setup, runtime, probe or evidence.
    Error,
}

impl SelftestVerdict {
    /// All verdicts, in the order reports count them.
    pub const ALL: [Self; 5] =
        [Self::Pass, Self::GoldenFailed, Self::PoisonPassed, Self::Unsupported, Self::Error];

    /// The word as it is written in files.
    pub fn word(self) -> &'static str {
        match self {
            Self::Pass => "PASS",
            Self::GoldenFailed => "GOLDEN_FAILED",
            Self::PoisonPassed => "POISON_PASSED",
            Self::Unsupported => "UNSUPPORTED",
            Self::Error => "ERROR",
        }
    }

    /// Judges a scored run.
    ///
    /// | kind | verdict of the run | `caught_by` | self-test |
    /// |---|---|---|---|
    /// | any | INVALID | any | ERROR |
    /// | golden | PASS | – | PASS |
    /// | golden | FAIL | – | GOLDEN_FAILED |
    /// | poison | PASS | any | POISON_PASSED |
    /// | poison | FAIL | none, or a layer that failed | PASS |
    /// | poison | FAIL | a layer that passed | POISON_PASSED |
    pub fn judge(kind: ReferenceKind, score: &Score, caught_by: Option<Layer>) -> Self {
        match (kind, score.verdict) {
            (_, Verdict::Invalid) => Self::Error,
            (ReferenceKind::Golden, Verdict::Pass | Verdict::PassWithVariance) => Self::Pass,
            (ReferenceKind::Golden, Verdict::Fail) => Self::GoldenFailed,
            (ReferenceKind::Poison, Verdict::Pass | Verdict::PassWithVariance) => Self::PoisonPassed,
            (ReferenceKind::Poison, Verdict::Fail) => match caught_by {
                Some(layer) if score.layer(layer).passed => Self::PoisonPassed,
                Some(_) | None => Self::Pass,
            },
        }
    }
}

impl fmt::Display for SelftestVerdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

/// The record of one reference case.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SelftestRecord {
    /// The scenario's name.
    pub scenario_id: String,
    /// The reference case's name.
    pub case: String,
    /// Golden or poison.
    pub kind: ReferenceKind,
    /// What the self-test says.
    pub verdict: SelftestVerdict,
    /// Why, in words: for a poison that was caught, by which layer; for a failure, what is to be done.
    pub detail: String,
    /// The run's id; null where there was none.
    pub run_id: Option<Uuid>,
    /// The ordinary score, as evidence; null where there was none.
    pub score: Option<Score>,
    /// The owning pack.
    pub pack: String,
    /// The pack's owner.
    pub owner: Option<String>,
    /// The trace's file; null where there is none.
    pub trace_path: Option<String>,
    /// Where tools answer otherwise than in the case's recording; none where they do not, or nothing was recorded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub drift: Option<String>,
}

/// The report of `wt selftest --format json`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SelftestReport {
    /// [`SELFTEST_VERSION`].
    pub windtunnel_selftest: u32,
    /// The runtime's name; several are joined by a comma.
    pub runtime: String,
    /// The counts.
    pub summary: SelftestSummary,
    /// The records, in the order of the files.
    pub cases: Vec<SelftestRecord>,
}

impl SelftestReport {
    /// The report of these records.
    pub fn new(runtime: impl Into<String>, cases: Vec<SelftestRecord>) -> Self {
        Self {
            windtunnel_selftest: SELFTEST_VERSION,
            runtime: runtime.into(),
            summary: SelftestSummary::of(&cases),
            cases,
        }
    }
}

/// How many records had which verdict.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SelftestSummary {
    /// All of them.
    pub cases: usize,
    /// PASS.
    pub passed: usize,
    /// GOLDEN_FAILED, POISON_PASSED and ERROR.
    pub failed: usize,
    /// UNSUPPORTED.
    pub unsupported: usize,
    /// By verdict.
    pub verdicts: IndexMap<SelftestVerdict, usize>,
}

impl SelftestSummary {
    /// Counts records.
    pub fn of(cases: &[SelftestRecord]) -> Self {
        let count = |verdict| cases.iter().filter(|case| case.verdict == verdict).count();
        let verdicts: IndexMap<_, _> =
            SelftestVerdict::ALL.into_iter().map(|verdict| (verdict, count(verdict))).collect();
        let (passed, unsupported) = (count(SelftestVerdict::Pass), count(SelftestVerdict::Unsupported));
        Self { cases: cases.len(), passed, failed: cases.len() - passed - unsupported, unsupported, verdicts }
    }
}
