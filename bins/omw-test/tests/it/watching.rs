//! Tests that are run again when their files change.

use std::fs;

use rustix::process::Signal;
use windtunnel_testkit::eventually;

use crate::harness::{AGENT, CallOmwTest, test};

#[test]
fn a_change_runs_again_what_it_affects_and_only_that() {
    let folder = test("1", "[assertions.alice]\noutcome = { exited = \"1\" }\n")
        .file("other/brain.rhai", "2")
        .file("other/omw.test.toml", AGENT);
    let mut running = folder
        .omw_test("run . --watch -j 1 --dump dump.json")
        .env("OMW_TEST__TUNABLES__WATCH_DEBOUNCE_MS", "50")
        .start();
    assert_eq!(running.first_line(), "PASS omw.test.toml");
    let verdicts = |running: &windtunnel_testkit::Started<'_>| {
        running
            .said()
            .stdout
            .lines()
            .filter(|line| line.contains("omw.test.toml"))
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    eventually("both ran", || (verdicts(&running).len() == 2).then_some(()));
    fs::write(folder.path("brain.rhai"), "3").unwrap();
    eventually("it fails now", || (verdicts(&running).len() == 3).then_some(()));
    assert_eq!(verdicts(&running)[2], "FAIL omw.test.toml");
    fs::write(folder.path("brain.rhai"), "1").unwrap();
    eventually("it passes again", || (verdicts(&running).len() == 4).then_some(()));
    assert_eq!(verdicts(&running)[3], "PASS omw.test.toml");
    running.signal(Signal::INT);
    running.exits(130);
}
