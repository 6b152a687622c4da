use proptest::prelude::*;
use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus};
use windtunnel_api::SelftestRecord;
use windtunnel_api::artifact::score::{Layer, Verdict};
use windtunnel_api::event::{CapturedOutput, CaseId, CaseRecord, CaseReport};
use windtunnel_report::Junit;

use crate::suite::{self, Page};

fn xml(command: &str, cases: Vec<CaseReport>) -> String {
    let page = Page::default();
    suite::tell(&mut Junit::new(page.output()), &suite::suite(command, cases));
    page.text()
}

fn parsed(xml: &str) -> Report {
    Report::deserialize_from_str(xml).unwrap()
}

fn failure(test: &TestCase) -> (NonSuccessKind, &str, &str, &str) {
    match &test.status {
        TestCaseStatus::NonSuccess { kind, message, ty, description, .. } => (
            *kind,
            ty.as_ref().unwrap().as_str(),
            message.as_ref().unwrap().as_str(),
            description.as_ref().unwrap().as_str(),
        ),
        other => panic!("{other:?}"),
    }
}

/// The case under another name: one suite does not hold two of one name.
fn named(case: CaseReport, name: &str) -> CaseReport {
    let mut case = CaseReport { id: CaseId { case: Some(name.into()), ..case.id.clone() }, ..case };
    if let CaseRecord::Selftest(record) = &mut case.record {
        record.case = name.into();
    }
    case
}

#[test]
fn a_self_test_is_one_suite_with_a_test_per_reference_case() {
    let cases = vec![
        named(suite::golden_passed(), "good"),
        named(suite::golden_failed(), "golden-failed"),
        named(suite::poison_passed(), "poison-passed"),
        named(suite::unsupported(), "unsupported"),
        named(suite::errored(), "error"),
    ];
    let xml = xml("selftest", cases);
    insta::assert_snapshot!(xml);

    let report = parsed(&xml);
    let [suite] = &report.test_suites[..] else { panic!("{report:?}") };
    assert_eq!(suite.name.as_str(), "windtunnel.selftest.refplugin:PLUGIN");
    assert_eq!((suite.tests, suite.failures, suite.errors, suite.skipped), (5, 3, 0, 1));
    let classes: Vec<_> =
        suite.test_cases.iter().map(|test| test.classname.as_ref().unwrap().as_str()).collect();
    assert_eq!(classes, ["refpack.artifact_guard"; 5]);
    let types: Vec<_> = [1, 2, 4].map(|index| failure(&suite.test_cases[index]).1).into();
    assert_eq!(types, ["GOLDEN_FAILED", "POISON_PASSED", "ERROR"]);
    assert!(matches!(suite.test_cases[0].status, TestCaseStatus::Success { .. }));
    assert!(matches!(suite.test_cases[3].status, TestCaseStatus::Skipped { .. }));
}

#[test]
fn the_record_of_a_case_is_its_output() {
    let case = suite::golden_failed();
    let report = parsed(&xml("selftest", vec![case.clone()]));
    let test = &report.test_suites[0].test_cases[0];
    let record: SelftestRecord = serde_json::from_str(test.system_out.as_ref().unwrap().as_str()).unwrap();
    assert_eq!(CaseRecord::Selftest(record), case.record);
}

#[test]
fn process_scenarios_are_a_suite_of_their_own() {
    let scenario = suite::scenario("reached", Some(Verdict::Pass), vec![suite::run(1, None)]);
    let report = parsed(&xml("run", std::iter::once(scenario).chain(suite::process_scenarios()).collect()));
    let [_, suite] = &report.test_suites[..] else { panic!("{report:?}") };
    assert_eq!(suite.name.as_str(), "process");
    assert_eq!((suite.tests, suite.failures, suite.errors, suite.skipped), (4, 1, 1, 1));
    let names: Vec<_> = suite.test_cases.iter().map(|test| test.name.as_str()).collect();
    assert_eq!(names, ["happy-path", "ask-reply", "broken", "late"]);
    let (kind, name, message, text) = failure(&suite.test_cases[1]);
    assert_eq!((kind, name), (NonSuccessKind::Failure, "windtunnel.FAIL"));
    assert_eq!(message, "ScenarioAssertionError: labels[1]: expected \"loop:design\", found \"loop:tasks\"");
    let end = "walk: phase-selection, ~brainstorming\nevents: runs/process/ask-reply/1.events.jsonl";
    assert!(text.ends_with(end), "{text}");
    assert_eq!(failure(&suite.test_cases[2]).1, "windtunnel.ERROR");
}

#[test]
fn a_run_is_one_suite_per_pack_with_a_test_per_scenario() {
    let fact = Some((Layer::Outcome, "target fact `INV-003` is missing"));
    let mut other_pack = suite::scenario("elsewhere", Some(Verdict::Pass), vec![suite::run(1, None)]);
    if let CaseRecord::Scenario(record) = &mut other_pack.record {
        record.pack = "other".into();
    }
    let cases = vec![
        suite::scenario("failed", Some(Verdict::Fail), vec![suite::run(1, None), suite::run(2, fact)]),
        other_pack,
        suite::scenario("variance", Some(Verdict::PassWithVariance), vec![suite::run(1, None)]),
        suite::scenario("invalid", Some(Verdict::Invalid), Vec::new()),
        suite::scenario("not_run", None, Vec::new()),
    ];
    let xml = xml("run", cases);
    insta::assert_snapshot!(xml);

    let report = parsed(&xml);
    let suites: Vec<_> = report
        .test_suites
        .iter()
        .map(|suite| (suite.name.as_str(), suite.tests, suite.failures, suite.errors))
        .collect();
    assert_eq!(suites, [("quickstart", 4, 2, 1), ("other", 1, 0, 0)]);
    let tests = &report.test_suites[0].test_cases;
    let (kind, ty, message, _) = failure(&tests[0]);
    assert_eq!((kind, ty, message), (NonSuccessKind::Failure, "windtunnel.FAIL", "FAIL: 1/2 gate pass"));
    assert_eq!(failure(&tests[3]).0, NonSuccessKind::Error);
}

#[test]
fn an_empty_suite_is_a_report_without_suites() {
    assert_eq!(parsed(&xml("selftest", Vec::new())).tests, 0);
}

/// What XML 1.0 allows in a document.
fn is_xml(c: char) -> bool {
    matches!(c, '\t' | '\n' | '\r' | ' '..='\u{d7ff}' | '\u{e000}'..='\u{fffd}' | '\u{10000}'..)
}

proptest! {
    #[test]
    fn any_text_makes_well_formed_xml(
        text in prop_oneof![any::<String>(), "[\\x00-\\x7f\u{80}-\u{a0}\u{fffe}\u{ffff}<>&'\"\\]]{0,40}"],
    ) {
        let mut failed = suite::golden_failed();
        failed.output = vec![CapturedOutput { source: text.clone(), text: text.clone(), omitted_bytes: 1 }];
        if let CaseRecord::Selftest(record) = &mut failed.record {
            record.detail.clone_from(&text);
            record.case.clone_from(&text);
            record.pack.clone_from(&text);
        }
        let expected = failed.record.clone();
        let mut scenario = suite::scenario(&text, None, Vec::new());
        if let CaseRecord::Scenario(record) = &mut scenario.record {
            record.error = Some(text.clone());
            record.pack = text;
        }
        let xml = xml("selftest", vec![failed, scenario]);
        prop_assert!(xml.chars().all(is_xml), "{:?}", xml);
        let report = Report::deserialize_from_str(&xml).map_err(|error| TestCaseError::fail(error.to_string()))?;
        let out = report.test_suites[0].test_cases[0].system_out.as_ref().unwrap().as_str();
        let record: SelftestRecord = serde_json::from_str(out).unwrap();
        prop_assert_eq!(CaseRecord::Selftest(record), expected);
    }
}

#[test]
fn tests_of_agents_are_one_suite_with_their_folders_as_classes() {
    let xml = xml("omw-test", suite::omw_tests());
    let report = parsed(&xml);
    let [suite] = &report.test_suites[..] else { panic!("{report:?}") };
    assert_eq!(suite.name.as_str(), "omw-test");
    assert_eq!((suite.tests, suite.failures, suite.errors), (3, 1, 0));
    let named: Vec<_> = suite
        .test_cases
        .iter()
        .map(|test| (test.classname.as_ref().unwrap().as_str(), test.name.as_str()))
        .collect();
    assert_eq!(named, [("a/b", "a/b/omw.test.toml"), (".", "x.omw.test.toml"), ("c", "c/omw.test.yaml")]);
    let (kind, ty, message, text) = failure(&suite.test_cases[2]);
    assert_eq!((kind, ty), (NonSuccessKind::Failure, "FAIL"));
    assert_eq!(message, "agent \"alice\" failed:");
    assert_eq!(text, "agent \"alice\" failed:\n  outcome mismatch");
    assert!(suite.test_cases.iter().all(|test| test.time.is_some()));
}
