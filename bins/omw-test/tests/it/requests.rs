//! What is run, and how requests end.

use windtunnel_testkit::Folder;

use crate::harness::{AGENT, CallOmwTest};

fn several() -> Folder {
    Folder::new()
        .file("brain.rhai", "omw::host::whoami();")
        .file("omw.test.toml", AGENT)
        .file("deep/a.omw.test.toml", AGENT.replace("brain.rhai", "../brain.rhai"))
        .file("deep/er/b.omw.test.json", r#"{"agents": {"a": {"runtime": "r", "script": "../../brain.rhai"}}, "runtime": {"r": {"kind": "rhai"}}}"#)
        .file("deep/omw.test.template.toml", "not a test")
        .file(".hidden/omw.test.toml", "not a test")
        .file("failing/omw.test.toml", AGENT)
}

#[test]
fn everything_below_a_folder_is_run_and_a_missing_script_fails_only_its_own_test() {
    let finished = several().omw_test("run . -j 1").exits(1);
    assert_eq!(
        finished.stdout,
        "PASS deep/a.omw.test.toml\nPASS deep/er/b.omw.test.json\nFAIL failing/omw.test.toml\nPASS omw.test.toml\n3 passed, 1 failed\n"
    );
    finished.complains("failing/brain.rhai").complains("omw-test: 1 test(s) failed: failing/omw.test.toml");
}

#[test]
fn globs_select_and_a_star_stays_within_its_folder() {
    for (line, tally) in [
        ("--include deep/*", "1 passed"),
        ("--include deep/**", "2 passed"),
        ("--include **/b.* --include omw.test.toml", "2 passed"),
        ("--exclude failing/**", "3 passed"),
        ("--include deep/** --exclude **/*.json", "1 passed"),
    ] {
        several().omw_test(&format!("run . {line}")).succeeds().says(tally);
    }
}

#[test]
fn requests_that_are_wrong_end_with_2_and_say_what_to_do() {
    for (line, said) in [
        ("run nowhere", "nowhere"),
        ("run . --include x/**", "deep/a.omw.test.toml"),
        ("run . --include [", "["),
        ("run .hidden/none", "none"),
        ("run -", "--format"),
        ("run . --junit missing/j.xml", "missing/j.xml"),
    ] {
        let finished = several().omw_test(line).exits(2);
        assert_eq!(finished.stdout, "", "{finished}");
        finished.complains(said);
    }
    several().omw_test("run . --include x/** --no-tests pass").succeeds();
}

#[test]
fn a_test_comes_from_standard_input() {
    let folder = several();
    let program = windtunnel_testkit::Program::new("omw-test", env!("CARGO_BIN_EXE_omw-test"));
    let finished = folder.shell(&program, "$OMW_TEST run - --format toml < omw.test.toml").succeeds();
    assert_eq!(finished.stdout, "PASS -\n1 passed, 0 failed\n");
}

#[test]
fn bases_are_inherited_and_the_environment_comes_last() {
    let folder = Folder::new()
        .file(
            "omw.test.base.toml",
            "[runtime.rhai]\nkind = \"rhai\"\n[agents.alice]\nruntime = \"rhai\"\nscript = \"brain.rhai\"\n",
        )
        .file("brain.rhai", r#"omw::host::memory_get("who")"#)
        .file("a/omw.test.base.yaml", "memory:\n  alice:\n    who: base\n")
        .file("a/omw.test.toml", "[assertions.alice]\noutcome = { exited = \"base\" }\n")
        .file(
            "a/own.omw.test.toml",
            "[memory.alice]\nwho = \"own\"\n[assertions.alice]\noutcome = { exited = \"own\" }\n",
        );
    folder.omw_test("run .").succeeds().says("2 passed");
    folder
        .omw_test("run . --include **/own.*")
        .env("OMW_TEST__MEMORY__alice__who", "env")
        .exits(1)
        .complains("env");
}

#[test]
fn the_first_failure_stops_the_others_where_that_is_asked_for() {
    let finished = several().omw_test("run . -j 1 --fail-fast").exits(1);
    finished.says("FAIL failing/omw.test.toml");
    assert!(!finished.stdout.contains("PASS omw.test.toml"), "{finished}");
}
