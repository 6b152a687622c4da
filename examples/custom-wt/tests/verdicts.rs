//! The program as a person runs it: every verdict of its self-test, and what its evidence is made of.

#![expect(clippy::panic, clippy::unwrap_used, reason = "a test stops at what it does not expect")]

use std::process::{Command, Output, Stdio};

use windtunnel_core::api::selftest::SelftestReport;
use windtunnel_core::prelude::*;
use windtunnel_core::serde_json;

const TOTAL: &str = "refund_is_the_order_total";

/// Scenario, reference case, verdict of the self-test, and the layers that failed.
const EXPECTED: [(&str, &str, SelftestVerdict, &[Layer]); 9] = [
    ("order_total", "reads-the-order", SelftestVerdict::Pass, &[]),
    ("order_total", "answers-from-memory", SelftestVerdict::Pass, &[Layer::Outcome, Layer::Trajectory]),
    ("order_total", "reads-another-order", SelftestVerdict::Pass, &[Layer::Outcome]),
    ("unpaid_order", "declines", SelftestVerdict::Pass, &[]),
    ("unpaid_order", "refunds-anyway", SelftestVerdict::Pass, &[Layer::Constraint]),
    (TOTAL, "looks-then-refunds", SelftestVerdict::Pass, &[]),
    (TOTAL, "says-another-amount", SelftestVerdict::Pass, &[Layer::Outcome]),
    (TOTAL, "refunds-without-looking", SelftestVerdict::Pass, &[Layer::Trajectory]),
    (TOTAL, "refunds-too-much", SelftestVerdict::Pass, &[Layer::Constraint]),
];

/// A folder that the program is called in, and where its runs go.
struct Desk(tempfile::TempDir);

impl Desk {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn call(&self, arguments: &[&str]) -> Output {
        Command::new(env!("CARGO_BIN_EXE_custom-wt"))
            .args(arguments)
            .args(["--runs-dir", "runs"])
            .current_dir(&self.0)
            .stdin(Stdio::null())
            .output()
            .unwrap()
    }

    fn selftest(&self, arguments: &[&str]) -> (Option<i32>, SelftestReport) {
        let output = self.call(&[&["selftest", "--format", "json"], arguments].concat());
        let report = serde_json::from_slice(&output.stdout)
            .unwrap_or_else(|error| panic!("{error}\n{}", String::from_utf8_lossy(&output.stderr)));
        (output.status.code(), report)
    }

    /// The saved traces, each with its score.
    fn runs(&self) -> Vec<SavedRun> {
        let folder = Utf8Path::from_path(self.0.path()).unwrap().join("runs");
        read_runs(&folder).map(|run| run.unwrap()).collect()
    }
}

#[test]
fn every_reference_case_is_as_expected_and_caught_by_its_layer_alone() {
    let (exit, report) = Desk::new().selftest(&["--strict"]);
    let found: Vec<_> = report
        .cases
        .iter()
        .map(|case| {
            let score = case.score.as_ref().unwrap_or_else(|| panic!("{}: {}", case.case, case.detail));
            let failed: Vec<Layer> =
                Layer::ALL.into_iter().filter(|layer| !score.layer(*layer).passed).collect();
            (case.scenario_id.as_str(), case.case.as_str(), case.verdict, failed)
        })
        .collect();
    let expected =
        EXPECTED.map(|(scenario, case, verdict, failed)| (scenario, case, verdict, failed.to_vec()));
    assert_eq!(found, expected, "{report:#?}");
    assert_eq!(exit, Some(0));
    assert_eq!(report.runtime, "clerk");
}

#[test]
fn a_path_replaces_the_desk_but_not_what_is_compiled_in() {
    let (exit, report) = Desk::new().selftest(&["."]);
    assert_eq!(exit, Some(0));
    assert_eq!(report.summary.cases, 4);
    assert!(report.cases.iter().all(|case| case.scenario_id == TOTAL), "{report:#?}");
}

#[test]
fn the_evidence_is_of_the_clerks_own_loop_and_not_of_the_script() {
    let desk = Desk::new();
    desk.selftest(&["--scenario", TOTAL]);
    let runs = desk.runs();
    let golden = runs.iter().find(|run| run.trace.variant_id.contains("golden")).unwrap();
    let kinds: Vec<String> = golden
        .trace
        .events
        .iter()
        .map(|event| match event {
            Evidence::Turn { role, .. } => format!("{role:?} turn"),
            Evidence::Inference { messages, tools, .. } => {
                format!("asked with {} messages and {} tools", messages.len(), tools.len())
            }
            Evidence::ToolCall(call) => format!("{:?} saw {}", call.witness, call.tool),
            Evidence::Observation { source, .. } => format!("observed {source}"),
            Evidence::Warning { text } => text.clone(),
            Evidence::ClaimedCall { tool, .. } => format!("claimed {tool}"),
        })
        .collect();
    assert_eq!(
        kinds,
        [
            "User turn",
            "asked with 1 messages and 4 tools",
            "Recorder saw read_file",
            "asked with 3 messages and 4 tools",
            "Recorder saw write_file",
            "asked with 5 messages and 4 tools",
            "Assistant turn",
            "observed workspace",
            "mcp_evidence: available",
        ]
    );
}

#[test]
fn the_clerk_with_its_rules_passes_every_scenario_live() {
    let desk = Desk::new();
    let output = desk.call(&["run"]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let verdicts: Vec<_> = desk
        .runs()
        .into_iter()
        .map(|run| (run.trace.scenario_id, run.score.unwrap().score.verdict))
        .collect();
    assert_eq!(verdicts.len(), 3, "{verdicts:?}");
    assert!(verdicts.iter().all(|(_, verdict)| *verdict == Verdict::Pass), "{verdicts:?}");
}
