//! Brains that do not end are ended, and the test says where they were.

use std::time::{Duration, Instant};

use windtunnel_testkit::Finished;

use crate::harness::CallOmwTest;
use crate::harness::test;

/// Far beyond the limit of one second that these tests have, and far below any limit of the runtime's own.
const SOON: Duration = Duration::from_secs(8);

fn times_out(brain: &str, rest: &str) -> Finished {
    let folder = test(brain, rest);
    let started = Instant::now();
    let finished = folder.omw_test("run .").env("OMW_TEST__TUNABLES__TEST_TIMEOUT_SECS", "1").exits(1);
    assert!(started.elapsed() < SOON, "{finished}");
    assert_eq!(finished.stdout, "FAIL omw.test.toml\n0 passed, 1 failed\n");
    finished
}

const COMPLETES: &str = "[assertions.alice]\noutcome = \"completed\"\n";

#[test]
fn a_loop_without_an_end() {
    times_out("omw::host::whoami(); loop {}", COMPLETES).complains("in its own code after whoami");
}

#[test]
fn a_loop_that_catches_everything() {
    times_out("loop { try { throw 1; } catch {} }", COMPLETES).complains("before its first call");
}

#[test]
fn a_wait_for_an_event_that_never_comes() {
    times_out("omw::host::recv()", COMPLETES).complains("in recv for 1.");
}

#[test]
fn a_call_of_a_tool_that_never_answers() {
    let tooling =
        "[tooling.t]\nkind = \"mock\"\ndelay_ms = 0\ntool_calls = [{ name = \"x\", pending = true }]\n";
    let brain = r#"omw::tooling::get("t").call_tool_blocking("x", #{});"#;
    times_out(brain, &format!("{tooling}\n{COMPLETES}")).complains("in call_tool_blocking");
}

#[test]
fn a_sleep_of_a_day() {
    times_out("omw::host::sleep_for(86400000)", COMPLETES).complains("in sleep_for");
}

#[test]
fn a_flood_of_another_agents_inbox_raises_and_hangs_nobody() {
    let brain = r#"
        let sent = 0;
        try {
            loop { omw::host::send_agent("bob", "x"); sent += 1; }
        } catch (error) {
            omw::host::memory_set("why", error);
        }
        sent > 0
    "#;
    let bob = r#"
[agents.bob]
runtime = "rhai"
script = "bob.rhai"

[tunables]
inbox_bound = 16

[assertions.alice]
outcome = "asserted"
events = [{ kind = "call", op = "memory_set", detail = { value = "inbox of agent \"bob\" is full" } }]
"#;
    let idle = r#"omw::host::subscribe_agent("alice"); loop { omw::host::sleep_for(50); }"#;
    let folder = test(&format!("omw::host::sleep_for(50);{brain}"), bob).file("bob.rhai", idle);
    folder.omw_test("run .").succeeds().says("1 passed, 0 failed");
}

#[test]
fn recursion_without_a_bottom_is_a_failure_of_the_brain() {
    let folder = test("fn f(n) { f(n + 1) } f(0)", COMPLETES);
    folder.omw_test("run .").exits(1).complains("Stack overflow");
}

#[test]
fn a_verdict_that_is_there_does_not_wait_for_a_brain_that_sleeps() {
    let asserted =
        "[assertions.alice]\noutcome = \"asserted\"\nevents = [{ kind = \"call\", op = \"whoami\" }]\n";
    let folder = test("loop { omw::host::whoami(); omw::host::sleep_for(60000); }", asserted);
    let started = Instant::now();
    folder.omw_test("run .").succeeds();
    assert!(started.elapsed() < SOON);
}
