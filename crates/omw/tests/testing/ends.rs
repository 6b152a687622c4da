//! Tests whose time is over, and threads that do not end.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use omw::prelude::*;

use crate::bench::{Bench, raise};

/// Durations vary; what is said about them does not.
const FILTERS: [(&str, &str); 1] = [(r"for \d+\.\d s", "for N s")];

const ONE_SECOND: &str = "[tunables]\ntest_timeout_secs = 1\n";

#[tokio::test(flavor = "multi_thread")]
async fn a_test_over_its_time_says_where_each_agent_was() {
    let bench = Bench::new()
        .agent("alice", |host| {
            host.whoami();
            host.recv().map_err(raise)?;
            Ok(None)
        })
        .agent("bob", |host| {
            loop {
                host.sleep_for(60_000).map_err(raise)?;
            }
        })
        .agent("carol", |_| Ok(None));
    let began = Instant::now();
    let report = bench
        .run(&format!(
            "{ONE_SECOND}[assertions.alice]\nevents = [{{ kind = \"call\", op = \"chat\" }}]\n[assertions.carol]\noutcome = \"completed\""
        ))
        .await;
    assert!(began.elapsed() < Duration::from_secs(4), "{:?}", began.elapsed());
    insta::with_settings!({ filters => FILTERS }, {
        insta::assert_snapshot!(report, @r#"
        the test ran over its time limit of 1 s (tunables.test_timeout_secs)
        agent "bob" still ran: in sleep_for for N s, after 1 call, with an empty inbox
        agent "alice" failed:
          timed out: in recv for N s, after 2 calls, with an empty inbox
          expectation [0] was not met: {kind: "call", op: "chat"}
            cursor: 0 (2 seen)
            closest: [0] op: expected "chat", found "whoami"
          its trace:
            [0] call whoami {}
            [1] returned whoami {"result":"alice"}
        "#);
    });
}

#[tokio::test(flavor = "multi_thread")]
async fn an_agent_without_assertions_can_use_up_the_time_too() {
    let bench = Bench::new().agent("alice", |_| Ok(None)).agent("bob", |host| {
        loop {
            host.recv().map_err(raise)?;
        }
    });
    let report = bench.run(&format!("{ONE_SECOND}[assertions.alice]\noutcome = \"completed\"")).await;
    insta::with_settings!({ filters => FILTERS }, {
        insta::assert_snapshot!(report, @r#"
        the test ran over its time limit of 1 s (tunables.test_timeout_secs)
        agent "bob" still ran: in recv for N s, after 1 call, with an empty inbox
        "#);
    });
}

#[tokio::test(flavor = "multi_thread")]
async fn a_thread_that_does_not_end_is_named_and_does_not_hold_up_the_verdict() {
    static RELEASED: AtomicBool = AtomicBool::new(false);
    let stuck = |host: &dyn Host| {
        host.whoami();
        while !RELEASED.load(Ordering::Relaxed) {
            std::thread::sleep(Duration::from_millis(5));
        }
        Ok(None)
    };
    let report = Bench::new()
        .agent("alice", stuck)
        .run("[tunables]\ninterrupt_budget_ms = 20\n[assertions.alice]\noutcome = \"asserted\"\nevents = [{ kind = \"call\" }]")
        .await;
    RELEASED.store(true, Ordering::Relaxed);
    assert!(report.passed(), "{report}");
    insta::with_settings!({ filters => FILTERS }, {
        insta::assert_snapshot!(report.warnings.join("\n"), @r#"agent "alice" did not end when it was interrupted; its thread was left behind in its own code after whoami for N s, after 1 call, with an empty inbox"#);
    });
}

#[tokio::test(flavor = "multi_thread")]
async fn zero_is_no_limit() {
    let bench = Bench::new().agent("alice", |host| {
        host.sleep_for(1_100).map_err(raise)?;
        Ok(None)
    });
    let report =
        bench.run("[tunables]\ntest_timeout_secs = 0\n[assertions.alice]\noutcome = \"completed\"").await;
    assert!(report.passed(), "{report}");
}
