use serde::Deserialize;
use serde_json::Value;
use windtunnel_api::SelftestVerdict;
use windtunnel_api::artifact::ledger::LedgerRow;
use windtunnel_api::artifact::score::{Layer, Verdict};
use windtunnel_api::event::{CaseReport, SuiteEvent};
use windtunnel_api::selftest::SelftestReport;
use windtunnel_report::JsonReport;

use crate::suite::{self, Page};

fn selftest_json(events: &[SuiteEvent]) -> String {
    let page = Page::default();
    suite::tell(&mut JsonReport::selftest(page.output()), events);
    page.text()
}

/// The report as its readers know it: no key more, no key less.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct StrictReport {
    windtunnel_selftest: u32,
    runtime: String,
    summary: StrictSummary,
    cases: Vec<StrictCase>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct StrictSummary {
    cases: usize,
    passed: usize,
    failed: usize,
    unsupported: usize,
    verdicts: StrictVerdicts,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "SCREAMING_SNAKE_CASE")]
struct StrictVerdicts {
    pass: usize,
    golden_failed: usize,
    poison_passed: usize,
    unsupported: usize,
    error: usize,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "what counts is that they are there")]
struct StrictCase {
    scenario_id: String,
    case: String,
    kind: String,
    verdict: SelftestVerdict,
    detail: String,
    run_id: Value,
    score: Value,
    pack: String,
    owner: Value,
    trace_path: Value,
}

#[test]
fn the_self_test_report_has_exactly_the_keys_of_its_format() {
    let cases = vec![
        suite::golden_passed(),
        suite::poison_passed(),
        CaseReport {
            id: windtunnel_api::event::CaseId { case: Some("x".into()), ..suite::errored().id },
            ..suite::errored()
        },
    ];
    let text = selftest_json(&suite::suite("selftest", cases));
    let report: StrictReport = serde_json::from_str(&text).unwrap();
    assert_eq!((report.windtunnel_selftest, report.runtime.as_str()), (1, "refplugin:PLUGIN"));
    let StrictSummary { cases, passed, failed, unsupported, verdicts } = report.summary;
    assert_eq!((cases, passed, failed, unsupported), (3, 1, 2, 0));
    let StrictVerdicts { pass, golden_failed, poison_passed, unsupported, error } = verdicts;
    assert_eq!((pass, golden_failed, poison_passed, unsupported, error), (1, 0, 1, 0, 1));
    let verdicts: Vec<_> = report.cases.iter().map(|case| case.verdict).collect();
    assert_eq!(verdicts, [SelftestVerdict::Pass, SelftestVerdict::PoisonPassed, SelftestVerdict::Error]);
    assert!(report.cases[2].score.is_null() && report.cases[2].run_id.is_null());
    assert_eq!(report.cases[1].score["outcome"]["passed"], false);
}

#[test]
fn cases_are_in_the_order_of_their_start() {
    let (first, second) = (suite::golden_passed(), suite::poison_caught());
    let events = [
        SuiteEvent::CaseStarted { id: first.id.clone() },
        SuiteEvent::CaseStarted { id: second.id.clone() },
        SuiteEvent::CaseFinished(Box::new(second)),
        SuiteEvent::CaseFinished(Box::new(first)),
    ];
    let report: SelftestReport = serde_json::from_str(&selftest_json(&events)).unwrap();
    let names: Vec<_> = report.cases.iter().map(|case| case.case.as_str()).collect();
    assert_eq!(names, ["known-good", "unsafe-write"]);
}

#[test]
fn an_empty_suite_is_an_empty_report() {
    let report: SelftestReport = serde_json::from_str(&selftest_json(&[])).unwrap();
    assert_eq!(report, SelftestReport::new("", Vec::new()));
}

#[test]
fn a_run_is_the_list_of_its_ledger_rows() {
    let fact = Some((Layer::Outcome, "target fact `INV-003` is missing"));
    let cases = vec![
        suite::scenario("one_of_two", Some(Verdict::Fail), vec![suite::run(1, None), suite::run(2, fact)]),
        suite::scenario("not_run", None, Vec::new()),
    ];
    let page = Page::default();
    suite::tell(&mut JsonReport::run(page.output()), &suite::suite("run", cases));
    let rows: Vec<LedgerRow> = serde_json::from_str(&page.text()).unwrap();
    assert_eq!(rows.len(), 2);
    insta::assert_snapshot!(page.text());
}

#[test]
fn tests_of_agents_are_counted_and_listed() {
    let page = Page::default();
    suite::tell(&mut JsonReport::omw(page.output()), &suite::suite("omw-test", suite::omw_tests()));
    insta::assert_snapshot!(page.text());
}

/// A process scenario in the report of a run: no key more, no key less.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct StrictProcess {
    kind: String,
    scenario: String,
    folder: String,
    passed: bool,
    error: Option<String>,
    #[serde(default)]
    walk: Vec<String>,
    events_path: Option<String>,
    verdict: String,
    duration_s: f64,
}

#[test]
fn process_scenarios_stand_between_the_ledger_rows_of_a_run() {
    let scenario = suite::scenario("reached", Some(Verdict::Pass), vec![suite::run(1, None)]);
    let cases = std::iter::once(scenario).chain(suite::process_scenarios()).collect();
    let page = Page::default();
    suite::tell(&mut JsonReport::run(page.output()), &suite::suite("run", cases));
    let mut rows: Vec<Value> = serde_json::from_str(&page.text()).unwrap();
    let row: LedgerRow = serde_json::from_value(rows.remove(0)).unwrap();
    assert_eq!(row.scenario_id, "reached");
    let rows: Vec<StrictProcess> = rows.into_iter().map(|row| serde_json::from_value(row).unwrap()).collect();
    let told: Vec<_> = rows
        .iter()
        .map(|row| (row.kind.as_str(), row.scenario.as_str(), row.verdict.as_str(), row.passed))
        .collect();
    assert_eq!(
        told,
        [
            ("process", "happy-path", "PASS", true),
            ("process", "ask-reply", "FAIL", false),
            ("process", "broken", "ERROR", false),
            ("process", "late", "CANCELLED", false),
        ]
    );
    let failed = &rows[1];
    assert_eq!(failed.folder, "scenarios/ask-reply");
    assert_eq!(failed.walk, ["phase-selection", "~brainstorming"]);
    assert!(failed.error.as_deref().unwrap().starts_with("ScenarioAssertionError: labels[1]"), "{failed:?}");
    assert_eq!(failed.events_path.as_deref(), Some("runs/process/ask-reply/1.events.jsonl"));
    assert!(failed.duration_s > 0.0 && rows[0].error.is_none() && rows[2].events_path.is_none());
}
