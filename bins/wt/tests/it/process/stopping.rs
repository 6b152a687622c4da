use rustix::process::Signal;
use serde_json::Value;
use windtunnel_testkit::Folder;

use super::WithScenarios as _;
use crate::harness::CallWt;

/// Many scenarios, each of many steps.
fn long() -> Folder {
    (0..100).fold(Folder::new(), |folder, number| with_steps(folder, &format!("n{number:03}"), 400))
}

/// Adds a scenario of so many steps.
fn with_steps(folder: Folder, name: &str, count: usize) -> Folder {
    let steps = "  - advance\n".repeat(count);
    folder.file(
        &format!("s/{name}/scenario.yaml"),
        format!("name: {name}\nworkItem: issue-1\nsteps:\n{steps}expect: {{currentNode: phase-selection}}\n"),
    )
}

#[test]
fn an_interrupted_run_stops_between_steps_and_leaves_no_world() {
    let folder = long();
    let mut running = folder.wt("run s --jobs 2").start();
    running.first_line();
    running.signal(Signal::INT);
    let finished = running.exits(130);
    finished.complains("interrupted").says("CANCELLED process/").says("were not run");
}

#[test]
fn a_killed_run_leaves_no_half_verdict_and_the_next_one_runs() {
    let folder = long();
    let mut running = folder.wt("run s --jobs 2").start();
    running.first_line();
    running.signal(Signal::KILL);
    running.was_killed();
    let verdicts: Vec<String> =
        folder.files("runs").into_iter().filter(|file| file.ends_with(".verdict.json")).collect();
    assert!(!verdicts.is_empty() && verdicts.len() < 100, "{verdicts:?}");
    for verdict in verdicts {
        let verdict: Value = serde_json::from_str(&folder.read(&verdict)).unwrap();
        assert_eq!(verdict["verdict"], "PASS");
    }
    // Worlds that were cut off stay, until there is another run.
    let left = || std::fs::read_dir(folder.beside("tmp")).unwrap().count();
    assert!(left() <= 2, "one for each job");
    std::thread::sleep(std::time::Duration::from_millis(300));
    let before = folder.files("runs").len();
    folder.wt("run s/n000").succeeds().says("PASS process/n000");
    assert_eq!(folder.files("runs").len(), before + 2);
    assert_eq!(left(), 0);
}

#[test]
fn more_jobs_than_files_may_be_open_are_no_failure() {
    let folder = (0..100).fold(Folder::new(), |folder, number| folder.with_passing(&format!("n{number:03}")));
    let finished = folder.shell_wt("ulimit -n 64 && \"$WT\" run s --jobs 500 --quiet").succeeds();
    finished.says("100 cases: 100 PASS");
    assert_eq!(std::fs::read_dir(folder.beside("tmp")).unwrap().count(), 0);
}

#[test]
fn a_git_that_does_nothing_is_an_error_that_names_it() {
    let folder = Folder::new().with_passing("one");
    let call = "mkdir bin && printf '#!/bin/sh\n' > bin/git && chmod +x bin/git && PATH=\"$PWD/bin:$PATH\" \"$WT\" run s/one";
    let finished = folder.shell_wt(call).exits(1);
    finished.says("ScenarioIoError: ").says("`git` reported no error, but made no checkout");
}

#[test]
fn a_scenario_that_takes_too_long_is_an_error_that_names_the_limit() {
    // As many steps as a scenario may have: each writes files, and all of them take many times the limit.
    let folder = with_steps(Folder::new(), "long", 2_000).file("wt.toml", "timeouts = { case_s = 0.01 }\n");
    let finished = folder.wt("run s/long").exits(1);
    finished.says("ERROR process/long").says("it passed the case limit of 0.01 s (timeouts.case_s)");
}
