//! `wt selftest`

use std::fs;
use std::path::Path;

use quick_junit::Report;
use serde::Deserialize;
use serde_json::Value;
use windtunnel_api::selftest::SelftestVerdict::{self, Error, GoldenFailed, Pass, PoisonPassed};

use crate::harness::{CallWt, PACK, SCENARIO, desk};
use windtunnel_testkit::{Finished, Folder};

/// The report of `--format json`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SelftestJson {
    windtunnel_selftest: u32,
    pub(super) runtime: String,
    pub(super) summary: Summary,
    pub(super) cases: Vec<CaseJson>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Summary {
    pub(super) cases: usize,
    passed: usize,
    failed: usize,
    pub(super) unsupported: usize,
    #[serde(rename = "verdicts")]
    _verdicts: Value,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct CaseJson {
    pub(super) scenario_id: String,
    pub(super) case: String,
    kind: String,
    pub(super) verdict: SelftestVerdict,
    detail: String,
    pub(super) run_id: Option<String>,
    pub(super) score: Option<Value>,
    pack: String,
    owner: Option<String>,
    pub(super) trace_path: Option<String>,
}

impl SelftestJson {
    pub(super) fn verdicts(&self) -> Vec<(&str, SelftestVerdict)> {
        self.cases.iter().map(|case| (case.case.as_str(), case.verdict)).collect()
    }
}

fn report(finished: &Finished) -> SelftestJson {
    let report: SelftestJson = finished.json();
    assert_eq!(report.windtunnel_selftest, 1);
    report
}

/// A scenario whose one golden does not say hello.
fn rejecting() -> String {
    let golden = SCENARIO.replace("Hello there.", "Good day.");
    golden.split("\n[[reference_cases]]\nname = \"leaves\"").next().unwrap().replace("greet\"", "polite\"")
}

#[test]
fn a_gate_that_holds_passes() {
    let folder = Folder::example("quickstart");
    let finished = folder.wt("selftest --format json").succeeds();
    let report = report(&finished);
    assert_eq!(
        report.verdicts(),
        [
            ("known-good", Pass),
            ("unsafe-write", Pass),
            ("claims-without-doing", Pass),
            ("overwrites-the-template", Pass),
            ("does-it-silently", Pass),
        ]
    );
    assert_eq!((report.summary.cases, report.summary.passed, report.summary.failed), (5, 5, 0));
    assert_eq!(report.runtime, "loop");
    let poison = &report.cases[1];
    assert_eq!((poison.scenario_id.as_str(), poison.kind.as_str()), ("artifact_guard", "poison"));
    assert_eq!((poison.pack.as_str(), poison.owner.as_deref()), ("quickstart", Some("docs")));
    // A rejected poison has an ordinary failed score beside its PASS.
    assert_eq!(poison.score.as_ref().unwrap()["verdict"], "FAIL");
    assert!(poison.detail.starts_with("rejected by constraint"), "{}", poison.detail);
}

#[test]
fn every_case_leaves_a_trace_and_a_score_away_from_ordinary_runs() {
    let folder = desk();
    let report = report(&folder.wt("selftest --format json").succeeds());
    let files = folder.files("runs");
    assert_eq!(files.len(), 4, "{files:?}");
    assert!(files.iter().all(|file| file.starts_with("runs/selftest/greet/")), "{files:?}");
    for case in &report.cases {
        let trace = Path::new(case.trace_path.as_ref().unwrap());
        let read = |path: &Path| -> Value { serde_json::from_slice(&fs::read(path).unwrap()).unwrap() };
        assert_eq!(read(trace)["run_id"], case.run_id.as_deref().unwrap());
        let origin = &read(&trace.with_extension("score.json"))["origin"];
        assert_eq!(origin["kind"], "selftest", "{origin}");
    }
}

#[test]
fn a_gate_that_does_not_hold_fails_and_says_how() {
    let folder = Folder::example("broken-gates");
    let finished = folder.wt("selftest gates --format json").exits(1);
    assert_eq!(
        report(&finished).verdicts(),
        [
            ("publishes-a-draft", PoisonPassed),
            ("writes-it", Error),
            ("mails-it", Error),
            ("writes-it", GoldenFailed),
        ]
    );
    finished
        .complains("constraint was to catch it and let it through")
        .complains("file: report.md is not in the workspace")
        .complains("tool: send_mail is not served")
        .complains("outcome failed: fact 1 of 1 is missing: expected \"successfully\"")
        .complains("4 cases: 1 GOLDEN_FAILED, 1 POISON_PASSED, 2 ERROR in");
}

#[test]
fn the_verdicts_do_not_depend_on_how_many_cases_run_side_by_side() {
    let folder = Folder::example("quickstart");
    let verdicts = |jobs: &str| {
        let report = report(&folder.wt(&format!("selftest --format json --jobs {jobs}")).succeeds());
        report.cases.into_iter().map(|case| (case.case, case.verdict, case.detail)).collect::<Vec<_>>()
    };
    assert_eq!(verdicts("1"), verdicts("8"));
}

#[test]
fn one_job_runs_the_cases_in_the_order_of_the_file() {
    let finished = Folder::example("quickstart").wt("selftest -j 1").succeeds();
    let names: Vec<_> = finished.stdout.lines().filter_map(|line| line.strip_prefix("PASS ")).collect();
    let names: Vec<_> = names.iter().filter_map(|line| line.split(' ').next()).collect();
    assert_eq!(
        names,
        [
            "quickstart/artifact_guard/known-good",
            "quickstart/artifact_guard/unsafe-write",
            "quickstart/artifact_guard/claims-without-doing",
            "quickstart/artifact_guard/overwrites-the-template",
            "quickstart/artifact_guard/does-it-silently",
        ]
    );
}

#[test]
fn the_report_goes_to_a_file_and_the_text_to_standard_output() {
    let folder = desk().file("report.json", "from before");
    let finished = folder.wt("selftest --format json --out report.json").succeeds();
    finished.says("PASS desk/greet/greets").says("2 cases: 2 PASS");
    let report: SelftestJson = serde_json::from_str(&folder.read("report.json")).unwrap();
    assert_eq!(report.verdicts(), [("greets", Pass), ("leaves", Pass)]);
}

#[test]
fn the_junit_report_has_a_test_per_case() {
    let folder = desk().file("polite.scenario.toml", rejecting());
    folder.wt("selftest --format junit --out report.xml").exits(1);
    let report = Report::deserialize_from_str(&folder.read("report.xml")).unwrap();
    assert_eq!((report.tests, report.failures, report.errors), (3, 1, 0));
    let tests = report.test_suites.iter().flat_map(|suite| &suite.test_cases);
    let mut names: Vec<_> = tests
        .map(|test| format!("{} {}", test.classname.as_ref().unwrap().as_str(), test.name.as_str()))
        .collect();
    names.sort();
    assert_eq!(names, ["desk.greet greets", "desk.greet leaves", "desk.polite greets"]);
}

#[test]
fn quiet_shows_what_is_not_as_expected_and_the_tally() {
    let folder = desk().file("polite.scenario.toml", rejecting());
    let finished = folder.wt("selftest --quiet").exits(1);
    finished.says("GOLDEN_FAILED desk/polite/greets").says("3 cases: 2 PASS, 1 GOLDEN_FAILED in");
    assert!(!finished.stdout.contains("desk/greet"), "{finished}");
}

#[test]
fn strict_wants_a_golden_and_a_poison_of_every_scenario() {
    let golden_only = SCENARIO.split("\n[[reference_cases]]\nname = \"leaves\"").next().unwrap();
    let folder = Folder::new().file("pack.toml", PACK).file("greet.scenario.toml", golden_only);
    let note = "scenario greet has no poison case";
    folder.wt("selftest").succeeds().complains(note);
    let finished = folder.wt("selftest --strict").exits(1);
    finished
        .says("1 case: 1 PASS")
        .complains(note)
        .complains("--strict: 1 scenario lacks a golden or a poison");
    desk().wt("selftest --strict").succeeds();
}

#[test]
fn the_first_failure_can_be_the_last_case() {
    let folder = Folder::example("broken-gates");
    let finished = folder.wt("selftest gates --fail-fast -j 1").exits(1);
    finished.says("1 case: 1 POISON_PASSED in").says("3 were not run");
}

#[test]
fn runs_go_where_they_are_told_to() {
    let folder = desk();
    folder.wt("selftest --runs-dir elsewhere/deep").succeeds();
    assert_eq!(folder.files("elsewhere/deep/greet").len(), 4);
    folder.wt("selftest").env("WT__RUNS_DIR", "of-the-environment").succeeds();
    assert_eq!(folder.files("of-the-environment/selftest/greet").len(), 4);
    let folder = folder.file("wt.toml", "runs_dir = 'of-the-file'\n");
    folder.wt("selftest").succeeds();
    assert_eq!(folder.files("of-the-file/selftest/greet").len(), 4);
    assert!(!folder.exists("runs"));
}

#[test]
fn settings_below_a_folder_are_found_from_inside_of_it_and_from_above() {
    let folder = Folder::new()
        .file("project/wt.toml", "runs_dir = 'kept'\n")
        .file("project/desk/pack.toml", PACK)
        .file("project/desk/greet.scenario.toml", SCENARIO);
    folder.wt("selftest project/desk").succeeds();
    assert_eq!(folder.files("project/kept").len(), 4);
    folder.shell_wt("cd project/desk && $WT selftest").succeeds();
    assert_eq!(folder.files("project/kept").len(), 8);
}

#[test]
fn a_kept_workspace_is_there_with_what_the_agent_left_in_it() {
    let folder = Folder::example("quickstart");
    let finished = folder.wt("selftest --keep-workspace -j 1").succeeds();
    let kept = finished.stdout.lines().find_map(|line| line.trim().strip_prefix("workspace kept: "));
    let kept = Path::new(kept.unwrap_or_else(|| panic!("no workspace is named\n{finished}")));
    assert_eq!(fs::read_to_string(kept.join("out.md")).unwrap(), "status: safe\n");
    assert!(kept.join("template.md").is_file());
}

#[test]
fn a_scenario_reads_the_same_in_every_format() {
    let folder = Folder::new()
        .file("pack.toml", format!("\u{feff}{PACK}"))
        .file(
            "toml.scenario.toml",
            format!("\u{feff}{}", SCENARIO.replace('\n', "\r\n").replace("greet\"", "toml\"")),
        )
        .file(
            "yaml.scenario.yaml",
            "name: yaml\nprompt: Say hello.\ntarget_facts: [[hello]]\nreference_cases:\n\
             - name: greets\n  kind: golden\n  decisions:\n  - content: Hello there.\n\
             - name: leaves\n  kind: poison\n  decisions: [{ content: Goodbye. }]\n",
        )
        .file(
            "json.scenario.json",
            r#"{"name": "json", "prompt": "Say hello.", "target_facts": [["hello"]], "reference_cases": [
                {"name": "greets", "kind": "golden", "decisions": [{"content": "Hello there."}]},
                {"name": "leaves", "kind": "poison", "decisions": [{"content": "Goodbye."}]}]}"#,
        );
    folder.wt("selftest").succeeds().says("6 cases: 6 PASS");
}

#[test]
fn half_of_an_answer_that_is_taken_for_the_whole_is_judged_as_what_it_is() {
    let decision =
        "{ content = 'Order A-17 is on its way: it arrives on 12 May.', faults = [{ kind = 'truncated' }] }";
    let scenario = |name: &str, fact: &str, case: &str| {
        format!(
            "name = '{name}'\nprompt = 'Where is it?'\ntarget_facts = [['{fact}']]\n\n\
             [[reference_cases]]\nname = 'half'\n{case}\ndecisions = [{decision}]\n"
        )
    };
    let folder = Folder::new()
        .file("pack.toml", "name = 'desk'\nruntime = 'loop'\n")
        .file("first.scenario.toml", scenario("first", "A-17", "kind = 'golden'"))
        .file("second.scenario.toml", scenario("second", "12 May", "kind = 'poison'\ncaught_by = 'outcome'"));
    folder.wt("selftest").succeeds().says("PASS desk/first/half").says("PASS desk/second/half");

    // The fact is not there, and a golden case says so.
    let golden = scenario("second", "12 May", "kind = 'golden'");
    fs::write(folder.path("second.scenario.toml"), golden).unwrap();
    folder.wt("selftest").exits(1).says("GOLDEN_FAILED desk/second/half").says("12 May");
}
