//! `verify-tests`, with real processes.

use std::time::{Duration, Instant};

use windtunnel_process::hook::Outcome;

use crate::world::{World, bind, block};

fn run(script: &str, parameters: &str) -> (World, Outcome) {
    let mut world = World::new();
    world.config.testing.command = ["sh", "-c", script].map(str::to_owned).to_vec();
    let outcome = world.run("verify-tests", parameters, "verification").unwrap();
    (world, outcome)
}

#[test]
fn where_no_command_is_declared_there_is_nothing_to_do() {
    assert_eq!(World::new().run("verify-tests", "", "verification").unwrap(), Outcome::Skip);
}

#[test]
fn tests_that_pass_pass() {
    let (world, outcome) = run("pwd; pwd > here", "");
    assert_eq!(outcome, Outcome::pass());
    let here = std::fs::read_to_string(world.root.join("here")).unwrap();
    assert_eq!(here.trim_end(), world.root, "they run in the root of the checkout");
}

#[test]
fn tests_that_fail_are_reported_with_the_end_of_what_they_said() {
    let (_, outcome) = run("seq 100; echo 'one failed' >&2; exit 3", "");
    let Outcome::Block { findings } = outcome else { panic!("it has to block") };
    insta::assert_snapshot!(findings.join("\n---\n"));
}

#[test]
fn tests_that_fail_in_silence_are_reported() {
    assert_eq!(run("exit 1", "").1, block(["`sh -c exit 1` ended with exit code 1"]));
}

#[test]
fn tests_that_hang_are_killed() {
    let started = Instant::now();
    let (_, outcome) = run("echo waiting; sleep 60", "{timeoutSeconds: 1}");
    assert!(started.elapsed() < Duration::from_secs(20), "{:?}", started.elapsed());
    let expected = "`sh -c echo waiting; sleep 60` did not end within 1 s, and was killed\n\
                    standard output ended with:\nwaiting";
    assert_eq!(outcome, block([expected]));
}

#[test]
fn what_tests_leave_running_does_not_hold_them_up() {
    let started = Instant::now();
    let (world, outcome) = run("(sleep 60; touch late) & echo done", "");
    assert_eq!(outcome, Outcome::pass());
    assert!(started.elapsed() < Duration::from_secs(20), "{:?}", started.elapsed());
    assert!(!world.root.join("late").exists());
}

#[test]
fn a_program_that_is_not_there_is_an_error() {
    let mut world = World::new();
    world.config.testing.command = vec!["no-such-program-here".to_owned()];
    let error = world.run("verify-tests", "", "verification").unwrap_err();
    assert!(error.to_string().starts_with("program `no-such-program-here` was not found"), "{error}");
}

#[test]
fn tests_see_nothing_of_our_environment_that_is_not_allowed() {
    // Cargo sets this for this test.
    assert!(std::env::var_os("CARGO_MANIFEST_DIR").is_some());
    assert_eq!(run("test -z \"$CARGO_MANIFEST_DIR\"", "").1, Outcome::pass());
}

#[test]
fn its_own_limit_comes_before_that_of_the_chain() {
    let hook = bind("verify-tests", "{timeoutSeconds: 5}").unwrap();
    assert_eq!(hook.limit(), Duration::from_secs(15));
    assert_eq!(bind("notify", "").unwrap().limit(), Duration::from_secs(60));
}
