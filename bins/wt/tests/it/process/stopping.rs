use rustix::process::Signal;
use serde_json::Value;
use windtunnel_testkit::Folder;

use super::WithScenarios as _;
use crate::harness::CallWt;

/// Many scenarios, each of many steps.
fn long() -> Folder {
    (0..100).fold(Folder::new(), |folder, number| {
        let name = format!("n{number:03}");
        let steps = "  - advance\n".repeat(400);
        folder.file(
            &format!("s/{name}/scenario.yaml"),
            format!(
                "name: {name}\nworkItem: issue-1\nsteps:\n{steps}expect: {{currentNode: phase-selection}}\n"
            ),
        )
    })
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
    // Worlds that were cut off stay in the folder for temporary files, as everything there does.
    let left: Vec<_> = std::fs::read_dir(folder.beside("tmp")).unwrap().map(|entry| entry.unwrap()).collect();
    assert!(left.len() <= 2, "one for each job: {left:?}");
    for world in left {
        assert!(world.file_name().to_string_lossy().starts_with("wt-scenario-"), "{world:?}");
        std::fs::remove_dir_all(world.path()).unwrap();
    }
    let folder = folder.with_passing("next");
    folder.wt("run s/next").succeeds().says("PASS process/next");
}

#[test]
fn a_scenario_that_takes_too_long_is_an_error_that_names_the_limit() {
    let folder = long().file("wt.toml", "timeouts = { case_s = 0.01 }\n");
    let finished = folder.wt("run s/n000").exits(1);
    finished.says("ERROR process/n000").says("it passed the case limit of 0.01 s (timeouts.case_s)");
}
