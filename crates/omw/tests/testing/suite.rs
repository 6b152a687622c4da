//! Suites of tests in a folder.

use std::fs;
use std::time::Duration;

use camino::{Utf8Path, Utf8PathBuf};
use omw::prelude::*;
use omw::testing::{DumpFormat, DumpTo, SuiteOptions, Summary, Tests, run_suite, watch};
use serde_json::Value;
use tempfile::TempDir;
use windtunnel_runner::Interrupts;

/// A folder of tests.
struct Folder {
    path: Utf8PathBuf,
    _folder: TempDir,
}

const RUNTIME: &str = "runtime.r.kind = \"rhai\"\n";

impl Folder {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().canonicalize().unwrap();
        Self { path: Utf8PathBuf::from_path_buf(path).unwrap(), _folder: folder }
    }

    fn write(&self, name: &str, text: &str) -> Utf8PathBuf {
        let path = self.path.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
        path
    }

    /// A test whose agent has this script and is expected to exit with this value.
    fn test(&self, folder: &str, script: &str, value: &str) {
        self.write(&format!("{folder}/a.rhai"), script);
        let text = format!(
            "agents.a = {{ runtime = \"r\", script = \"a.rhai\" }}\nassertions.a.outcome = {{ exited = \"{value}\" }}\n"
        );
        self.write(&format!("{folder}/omw.test.toml"), &text);
    }

    fn options(&self) -> SuiteOptions {
        SuiteOptions { environment: Vec::new(), ..SuiteOptions::new(Tests::Path(self.path.clone())) }
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path.join(name)).unwrap()
    }
}

/// Two tests that pass, one that fails, one whose script is missing, one that is malformed, and what they inherit.
fn mixed() -> Folder {
    let folder = Folder::new();
    folder.write("omw.test.base.toml", RUNTIME);
    folder.test("a", "1 + 1", "2");
    folder.test("b/c", "\"x\"", "x");
    folder.test("d", "3", "4");
    folder.test("e", "5", "5");
    fs::remove_file(folder.path.join("e/a.rhai")).unwrap();
    folder.test("f", "6", "6");
    folder
        .write("f/omw.test.toml", "agents.a = { runtime = \"r\", script = \"a.rhai\" }\nassertions.b = {}\n");
    folder
}

async fn run(options: &SuiteOptions) -> Summary {
    run_suite(options, &Registries::testing(), &mut Interrupts::never()).await.unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_test_that_cannot_be_run_fails_alone() {
    let folder = mixed();
    let reports = Folder::new();
    let json = reports.path.join("report.json");
    let junit = reports.path.join("junit.xml");
    let dump = DumpTo { path: reports.path.join("new/folder/dump.json"), format: DumpFormat::Json };
    let options = SuiteOptions { json: Some(json), junit: Some(junit), dump: Some(dump), ..folder.options() };
    let summary = run(&options).await;
    assert_eq!(summary, Summary { passed: 2, failed: 3, not_run: 0, interrupted: false });

    let report: Value = serde_json::from_str(&reports.read("report.json")).unwrap();
    let tests: Vec<(&str, bool)> = report["tests"]
        .as_array()
        .unwrap()
        .iter()
        .map(|test| (test["test"].as_str().unwrap(), test["passed"].as_bool().unwrap()))
        .collect();
    let expected = [
        ("a/omw.test.toml", true),
        ("b/c/omw.test.toml", true),
        ("d/omw.test.toml", false),
        ("e/omw.test.toml", false),
        ("f/omw.test.toml", false),
    ];
    assert_eq!(tests, expected, "in the order of their paths, however many run side by side");
    let error = |index: usize| report["tests"][index]["error"].as_str().unwrap();
    assert!(error(3).contains("a.rhai") && error(3).starts_with("run failed: agent \"a\""), "{}", error(3));
    assert!(
        error(4).contains("there is no agent \"b\"") && error(4).contains("omw.test.toml:2:"),
        "{}",
        error(4)
    );

    let dump: Value = serde_json::from_str(&reports.read("new/folder/dump.json")).unwrap();
    let dumped: Vec<_> =
        dump["tests"].as_array().unwrap().iter().map(|test| test["test"].as_str().unwrap()).collect();
    assert_eq!(dumped, expected.map(|(label, _)| label));
    assert_eq!(dump["tests"][0]["agents"]["a"]["outcome"], serde_json::json!({"exited": "2"}));
    assert_eq!(dump["tests"][3]["agents"], serde_json::json!({}));

    let junit = reports.read("junit.xml");
    assert!(junit.contains("<testsuite name=\"omw-test\" tests=\"5\""), "{junit}");
    assert!(junit.contains("<testcase name=\"b/c/omw.test.toml\" classname=\"b/c\""), "{junit}");
}

#[tokio::test(flavor = "multi_thread")]
async fn globs_and_fail_fast_say_which_tests_are_run() {
    let folder = mixed();
    let passing = SuiteOptions { include: vec!["a/*".into(), "b/**".into()], ..folder.options() };
    assert_eq!(run(&passing).await, Summary { passed: 2, ..Summary::default() });
    let fast = SuiteOptions { jobs: 1, fail_fast: true, exclude: vec!["a/*".into()], ..folder.options() };
    assert_eq!(run(&fast).await, Summary { passed: 1, failed: 1, not_run: 2, interrupted: false });
    let none = SuiteOptions { include: vec!["a".into()], ..folder.options() };
    let error = run_suite(&none, &Registries::testing(), &mut Interrupts::never()).await.unwrap_err();
    assert!(error.is_no_tests(), "{error}");
    let nowhere = SuiteOptions::new(Tests::Path(folder.path.join("nowhere")));
    let error = run_suite(&nowhere, &Registries::testing(), &mut Interrupts::never()).await.unwrap_err();
    assert!(!error.is_no_tests() && error.to_string().contains("nowhere"), "{error}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_test_can_be_a_text_and_the_environment_overlays_it() {
    let folder = Folder::new();
    let script = folder.write("wait.rhai", "omw::host::sleep_for(20000); 1");
    let text = format!(
        "{RUNTIME}agents.a = {{ runtime = \"r\", script = \"{script}\" }}\nassertions.a.outcome = {{ exited = \"1\" }}"
    );
    let tests = Tests::Text { text, format: windtunnel_doc::Format::Toml };
    let environment = vec![("omw_test__tunables__test_timeout_secs".into(), "1".into())];
    let json = folder.path.join("report.json");
    let options = SuiteOptions { environment, json: Some(json), ..SuiteOptions::new(tests) };
    let summary = run(&options).await;
    assert_eq!(summary, Summary { failed: 1, ..Summary::default() });
    let report: Value = serde_json::from_str(&folder.read("report.json")).unwrap();
    assert_eq!(report["tests"][0]["test"], "-");
    let error = report["tests"][0]["error"].as_str().unwrap();
    assert!(error.contains("ran over its time limit of 1 s"), "{error}");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_interrupt_ends_running_tests_at_once() {
    let folder = Folder::new();
    folder.write("omw.test.base.toml", RUNTIME);
    for name in ["a", "b", "c"] {
        folder.test(name, "loop { }", "never");
    }
    let (interrupter, mut interrupts) = Interrupts::channel();
    let options = SuiteOptions { jobs: 2, ..folder.options() };
    let registries = Registries::testing();
    let suite =
        tokio::time::timeout(Duration::from_secs(20), run_suite(&options, &registries, &mut interrupts));
    let (summary, ()) = tokio::join!(suite, async {
        tokio::time::sleep(Duration::from_millis(300)).await;
        interrupter.interrupt();
    });
    assert_eq!(summary.unwrap().unwrap(), Summary { passed: 0, failed: 0, not_run: 3, interrupted: true });
}

/// The tests that the last pass ran.
fn last_pass(report: &Utf8Path) -> Vec<String> {
    let report: Value =
        serde_json::from_str(&fs::read_to_string(report).unwrap_or_default()).unwrap_or_default();
    let tests = report["tests"].as_array().into_iter().flatten();
    tests.filter_map(|test| Some(format!("{} {}", test["test"].as_str()?, test["passed"]))).collect()
}

async fn until_pass_is(report: &Utf8Path, expected: &[&str]) {
    let mut last = Vec::new();
    for _ in 0..2_000 {
        last = last_pass(report);
        if last == expected {
            return;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("expected {expected:?}, the last pass was {last:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_watched_suite_runs_again_what_a_change_concerns() {
    let folder = Folder::new();
    folder.write("omw.test.base.toml", RUNTIME);
    folder.test("a", "1", "1");
    folder.test("b", "2", "2");
    let shared = Folder::new();
    let script = shared.write("shared.rhai", "3");
    folder.write(
        "c/omw.test.toml",
        &format!(
            "agents.a = {{ runtime = \"r\", script = \"{script}\" }}\nassertions.a.outcome = {{ exited = \"3\" }}\n"
        ),
    );
    // In the watched folder, to see that what is written itself is no change.
    let report = folder.path.join("report.json");
    let environment = vec![("OMW_TEST__TUNABLES__WATCH_DEBOUNCE_MS".into(), "30".into())];
    let options = SuiteOptions { json: Some(report.clone()), environment, ..folder.options() };
    let (interrupter, mut interrupts) = Interrupts::channel();
    let registries = Registries::testing();
    let watching = watch(&options, &registries, &mut interrupts);
    let (summary, ()) = tokio::join!(watching, async {
        let (a, b, c) = ("a/omw.test.toml true", "b/omw.test.toml true", "c/omw.test.toml true");
        until_pass_is(&report, &[a, b, c]).await;
        folder.write("a/a.rhai", "7");
        until_pass_is(&report, &["a/omw.test.toml false"]).await;
        shared.write("shared.rhai", "1 + 2");
        until_pass_is(&report, &[c]).await;
        folder.test("d", "4", "4");
        until_pass_is(&report, &["d/omw.test.toml true"]).await;
        folder.write("a/a.rhai", "1");
        until_pass_is(&report, &[a]).await;
        // A deleted test is not run again, its neighbours are when what they inherit changes.
        fs::remove_dir_all(folder.path.join("d")).unwrap();
        folder.write("omw.test.base.toml", &format!("{RUNTIME}\ntunables.inbox_bound = 10\n"));
        until_pass_is(&report, &[a, b, c]).await;
        interrupter.interrupt();
    });
    assert!(summary.unwrap().interrupted);
}
