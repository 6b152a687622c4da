use std::fs;

use rustix::process::Signal;
use windtunnel_testkit::{Folder, Started, eventually};

use super::{WithScenarios as _, failing, passing};
use crate::harness::CallWt;

/// Waits for so many verdicts, and returns those after the first `skipped`.
fn comes_to(running: &Started<'_>, count: usize, skipped: usize) -> Vec<String> {
    let is_verdict = |line: &&str| ["PASS ", "FAIL ", "ERROR "].iter().any(|word| line.starts_with(word));
    let mut verdicts = eventually(&format!("{count} verdicts"), || {
        let said = running.said().stdout;
        let lines: Vec<String> = said
            .lines()
            .filter(is_verdict)
            .map(|line| line.split("  ").next().unwrap_or_default().to_owned())
            .collect();
        (lines.len() >= count).then_some(lines)
    });
    verdicts.drain(..skipped);
    verdicts.sort();
    verdicts
}

fn waits(running: &Started<'_>, times: usize) {
    eventually("it waits for a change", || {
        (running.said().stderr.matches("waiting for a change").count() >= times).then_some(())
    });
}

#[test]
fn a_change_runs_the_scenario_that_it_is_in() {
    let folder = Folder::new().with_pack().with_passing("one").with_passing("two");
    let running = folder.wt("run desk s --watch --jobs 1").start();
    assert_eq!(comes_to(&running, 3, 0), ["PASS desk/greet", "PASS process/one", "PASS process/two"]);
    waits(&running, 1);

    fs::write(folder.path("s/two/scenario.yaml"), failing("two")).unwrap();
    assert_eq!(comes_to(&running, 4, 3), ["FAIL process/two"]);
    waits(&running, 2);

    fs::write(folder.path("s/two/scenario.yaml"), passing("two")).unwrap();
    assert_eq!(comes_to(&running, 5, 4), ["PASS process/two"]);
    waits(&running, 3);

    fs::create_dir(folder.path("s/three")).unwrap();
    fs::write(folder.path("s/three/scenario.yaml"), passing("three")).unwrap();
    assert!(comes_to(&running, 6, 5).contains(&"PASS process/three".to_owned()));
    waits(&running, 4);

    let greet = folder.path("desk/greet.scenario.toml");
    let before = comes_to(&running, 6, 0).len();
    fs::write(&greet, fs::read_to_string(&greet).unwrap() + "tags = ['new']\n").unwrap();
    assert_eq!(comes_to(&running, before + 1, before), ["PASS desk/greet"]);

    running.signal(Signal::INT);
    running.exits(130);
}

#[test]
fn without_a_path_new_scenarios_are_seen_as_well() {
    let folder = Folder::new().with_passing("one");
    let running = folder.wt("run --watch").start();
    comes_to(&running, 1, 0);
    waits(&running, 1);
    fs::create_dir(folder.path("s/two")).unwrap();
    fs::write(folder.path("s/two/scenario.yaml"), passing("two")).unwrap();
    assert!(comes_to(&running, 2, 1).contains(&"PASS process/two".to_owned()));
    running.signal(Signal::INT);
    running.exits(130);
}
