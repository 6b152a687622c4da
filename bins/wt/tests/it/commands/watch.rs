//! `--watch`

use std::fs;

use rustix::process::Signal;
use windtunnel_testkit::{Started, eventually};

use crate::harness::{CallWt, desk};

fn verdicts(running: &Started<'_>) -> Vec<String> {
    let said = running.said().stdout;
    said.lines()
        .filter(|line| line.contains("desk/greet"))
        .map(|line| line.split("  ").next().unwrap_or_default().to_owned())
        .collect()
}

fn comes_to(running: &Started<'_>, count: usize) -> Vec<String> {
    eventually(&format!("{count} verdicts"), || {
        let verdicts = verdicts(running);
        (verdicts.len() >= count).then_some(verdicts)
    })
}

#[test]
fn a_changed_scenario_is_run_again_and_a_broken_one_is_waited_for() {
    let folder = desk();
    let scenario = folder.read("greet.scenario.toml");
    let running = folder.wt("selftest . --watch --jobs 1").start();
    assert_eq!(comes_to(&running, 2), ["PASS desk/greet/greets", "PASS desk/greet/leaves"]);

    fs::write(folder.path("greet.scenario.toml"), scenario.replace("Goodbye", "hello")).unwrap();
    assert_eq!(comes_to(&running, 4)[3], "POISON_PASSED desk/greet/leaves");

    fs::write(folder.path("greet.scenario.toml"), "name = ").unwrap();
    eventually("it says what is wrong", || {
        running.said().stderr.contains("greet.scenario.toml:1").then_some(())
    });
    fs::write(folder.path("greet.scenario.toml"), scenario).unwrap();
    assert_eq!(comes_to(&running, 6)[5], "PASS desk/greet/leaves");

    running.signal(Signal::INT);
    running.exits(130);
}
