//! How `wt` ends when it is interrupted or out of time: with nothing left that it started.

use rustix::process::Signal;

use crate::harness::{CallWt, SCENARIO};
use windtunnel_testkit::{Folder, Marker, Started, eventually};

/// A pack on an agent that starts a process in a session of its own, and then only sleeps.
fn sleeper(marker: &Marker, agent: &str, settings: &str) -> Folder {
    let seconds = marker.seconds();
    let agent = agent.replace("SECONDS", seconds);
    Folder::new()
        .file("pack.toml", "name = 'desk'\nruntime = 'bot'\n")
        .file("greet.scenario.toml", SCENARIO)
        .file("agent.sh", agent)
        .file(
            "wt.toml",
            format!(
                "{settings}\n[runtimes.bot]\nkind = 'command'\ncommand = ['sh', 'agent.sh']\ncwd = '.'\n\
                 inference = {{ base_url_env = 'OPENAI_BASE_URL' }}\n"
            ),
        )
}

const SLEEPS: &str = "setsid sleep SECONDS &\nsleep SECONDS\n";

/// An agent that does not listen to requests to end, and says when it got one.
const STUBBORN: &str =
    "trap 'touch asked' TERM\nsetsid sleep SECONDS &\nwhile :; do sleep SECONDS & wait; done\n";

/// Waits until the agent and what it started in a session of its own both sleep.
fn both_sleep<'f>(started: Started<'f>, marker: &Marker) -> Started<'f> {
    started.until("the agent and its child sleep", || marker.alive() >= 2)
}

#[test]
fn an_interrupted_run_leaves_no_process_and_no_workspace() {
    for line in ["run", "selftest --jobs 1"] {
        let marker = Marker::new();
        let folder = sleeper(&marker, SLEEPS, "");
        let started = both_sleep(folder.wt(line).start(), &marker);
        started.signal(Signal::INT);
        let finished = started.exits(130);
        assert_eq!(marker.alive(), 0, "{finished}");
    }
}

#[test]
fn an_interrupted_run_is_told_in_its_events() {
    let marker = Marker::new();
    let folder = sleeper(&marker, SLEEPS, "");
    let started = both_sleep(folder.wt("run").start(), &marker);
    started.signal(Signal::INT);
    started.exits(130);
    let events = folder.read("runs/events.ndjsonl");
    let last: serde_json::Value = serde_json::from_str(events.lines().last().unwrap()).unwrap();
    assert_eq!((&last["event"], &last["exit_code"]), (&"sweep_finished".into(), &130.into()), "{events}");
}

#[test]
fn a_request_to_terminate_is_an_interrupt() {
    let marker = Marker::new();
    let folder = sleeper(&marker, SLEEPS, "");
    let started = both_sleep(folder.wt("run").start(), &marker);
    started.signal(Signal::TERM);
    let finished = started.exits(130);
    assert_eq!(marker.alive(), 0, "{finished}");
}

#[test]
fn a_second_interrupt_waits_for_nobody() {
    let marker = Marker::new();
    let folder = sleeper(&marker, STUBBORN, "");
    let started = both_sleep(folder.wt("run").start(), &marker);
    started.signal(Signal::INT);
    let started = started.until("the agent is asked to end", || folder.exists("asked"));
    started.signal(Signal::INT);
    started.exits(130);
    // Its process tree ends by itself then.
    eventually("nothing is left", || (marker.alive() == 0).then_some(()));
}

#[test]
fn an_agent_that_does_not_listen_was_killed_all_the_same() {
    let marker = Marker::new();
    let folder = sleeper(&marker, STUBBORN, "");
    let started = both_sleep(folder.wt("run").start(), &marker);
    started.signal(Signal::INT);
    let finished = started.exits(130);
    assert_eq!(marker.alive(), 0, "{finished}");
}

#[test]
fn a_case_that_takes_too_long_is_an_error_that_names_the_limit() {
    for line in ["run", "selftest --scenario greet --jobs 1"] {
        let marker = Marker::new();
        let folder = sleeper(&marker, SLEEPS, "timeouts = { case_s = 0.7 }");
        let finished = folder.wt(line).exits(1);
        finished.says("ERROR desk/greet").says("it passed the case limit of 0.7 s (timeouts.case_s)");
        assert_eq!(marker.alive(), 0, "{finished}");
    }
}

#[test]
fn a_turn_that_takes_too_long_makes_an_invalid_run_that_names_the_limit() {
    let marker = Marker::new();
    let folder = sleeper(&marker, SLEEPS, "timeouts = { turn_s = 0.5 }");
    let finished = folder.wt("run").exits(1);
    finished.says("INVALID desk/greet").says("no answer within 0.5 s (timeouts.turn_s)");
    assert_eq!(marker.alive(), 0, "{finished}");
}

#[test]
fn a_killed_run_takes_its_processes_along() {
    let marker = Marker::new();
    let folder = sleeper(&marker, SLEEPS, "");
    let started = both_sleep(folder.wt("run").start(), &marker);
    started.signal(Signal::KILL);
    started.was_killed();
    eventually("nothing is left", || (marker.alive() == 0).then_some(()));
}
