//! Tests with native brains: how their runs are ended.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use omw::prelude::*;
use tokio_util::sync::CancellationToken;

use crate::bench::{Bench, agent, raise};

#[tokio::test(flavor = "multi_thread")]
async fn a_test_passes_when_its_assertions_hold() {
    let bench = Bench::new().agent("alice", |host| {
        host.memory_set("k", "v").map_err(raise)?;
        host.memory_get("k").map_err(raise)
    });
    let report = bench
        .run(
            r#"
[assertions.alice]
outcome = { exited = "v" }
events = [
  { kind = "call", op = "memory_set", detail = { key = "^k$", value = "^v$" } },
  { kind = "returned", op = "memory_get", detail = { result = "v" } },
]"#,
        )
        .await;
    assert!(report.passed(), "{report}");
    assert_eq!(agent(&report, "alice").cursor, 2);
    assert_eq!(report.to_string(), "");
}

#[tokio::test(flavor = "multi_thread")]
async fn without_assertions_a_test_passes_unless_a_brain_fails() {
    let fine = Bench::new().agent("alice", |_| Ok(Some("x".into())));
    assert!(fine.run("").await.passed());
    let broken = fine.agent("bob", |_| Err(BrainError::Failed("boom".into())));
    let report = broken.run("").await;
    assert!(!report.passed());
    assert_eq!(report.error.as_deref(), Some("run failed: 1 agent run(s) failed: bob: boom"));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_asserted_agent_makes_no_call_after_the_one_that_settles_it() {
    let calls = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&calls);
    let bench = Bench::new().agent("alice", move |host| {
        loop {
            counted.fetch_add(1, Ordering::SeqCst);
            host.memory_set("k", "v").map_err(raise)?;
        }
    });
    let report = bench
        .run(
            r#"
[assertions.alice]
outcome = "asserted"
events = [{ kind = "call", op = "memory_set" }, { kind = "call", op = "memory_set" }, { kind = "call", op = "memory_set" }]"#,
        )
        .await;
    assert!(report.passed(), "{report}");
    assert_eq!(calls.load(Ordering::SeqCst), 3, "the third call was interrupted before it was carried out");
    let observed = &agent(&report, "alice").observed;
    assert_eq!(observed.iter().len(), 5, "three calls, and what the first two returned: {observed:?}");
}

/// Brains that never end by themselves.
fn endless(how: &'static str) -> Bench {
    Bench::new().agent("alice", move |host| {
        host.whoami();
        match how {
            "waiting" => loop {
                // Even what it catches does not keep it going.
                let _ = host.recv();
                if host.stop().is_interrupted() {
                    return Err(BrainError::Stopped);
                }
            },
            "sleeping" => loop {
                host.sleep_for(60_000).map_err(raise)?;
            },
            "calling" => loop {
                host.memory_set("k", "v").map_err(raise)?;
            },
            _ => loop {
                if host.stop().is_interrupted() {
                    return Err(BrainError::Stopped);
                }
            },
        }
    })
}

#[tokio::test(flavor = "multi_thread")]
async fn no_brain_outlives_the_verdict_of_its_test() {
    for how in ["waiting", "sleeping", "calling", "looping"] {
        let began = Instant::now();
        let report = endless(how)
            .run(
                "[assertions.alice]\noutcome = \"asserted\"\nevents = [{ kind = \"call\", op = \"whoami\" }]",
            )
            .await;
        assert!(report.passed(), "{how}: {report}");
        assert!(began.elapsed() < Duration::from_secs(2), "{how} took {:?}", began.elapsed());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_verdict_is_reached_in_a_flood_of_events() {
    let bench = Bench::new().agent("alice", |host| {
        host.subscribe_agent("alice").map_err(raise)?;
        for n in 0.. {
            host.send_agent("alice", &n.to_string()).map_err(raise)?;
            host.recv().map_err(raise)?;
        }
        Ok(None)
    });
    let report = bench
        .run(
            r#"
[assertions.alice]
outcome = "asserted"
events = [{ kind = "inbound", event = "message", payload = { data = "^20000$" } }]"#,
        )
        .await;
    assert!(report.passed(), "{report}");
    assert_eq!(agent(&report, "alice").observed.iter().len(), 200, "only the latest are kept");
}

#[tokio::test(flavor = "multi_thread")]
async fn one_agent_is_checked_in_isolation_while_others_run() {
    let bench = Bench::new()
        .agent("alice", |host| {
            loop {
                host.recv().map_err(raise)?;
            }
        })
        .agent("bob", |host| {
            host.whoami();
            Ok(Some("done".into()))
        });
    let report = bench
        .run("[assertions.bob]\noutcome = \"asserted\"\nevents = [{ kind = \"returned\", op = \"whoami\" }]")
        .await;
    assert!(report.passed(), "{report}");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_asserted_agent_that_failed_its_test_is_stopped_too() {
    let bench = Bench::new().agent("alice", |host| {
        host.list_models("none").ok();
        loop {
            host.whoami();
        }
    });
    let report = bench
        .run(
            r#"
[assertions.alice]
outcome = "asserted"
events = [
  { "$never" = { kind = "call", op = "whoami" } },
  { kind = "call", op = "chat" },
]"#,
        )
        .await;
    assert!(!report.passed());
    assert!(report.to_string().contains("was violated"), "{report}");
}

/// Whoever is first, and however often it is tried.
#[tokio::test(flavor = "multi_thread")]
async fn the_failure_of_another_agent_never_makes_a_verdict_flip() {
    for _ in 0..20 {
        let bench = Bench::new()
            .agent("alice", |host| {
                host.whoami();
                Ok(None)
            })
            .agent("bob", |_| Err(BrainError::Failed("boom".into())));
        let asserted = bench
            .run(
                "[assertions.alice]\noutcome = \"asserted\"\nevents = [{ kind = \"call\", op = \"whoami\" }]",
            )
            .await;
        assert!(asserted.passed(), "{asserted}");
        let completed = bench.run("[assertions.alice]\noutcome = \"completed\"").await;
        assert!(!completed.passed());
        assert!(completed.agents[0].passed(), "{completed}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_failure_of_another_agent_is_a_warning_where_an_agent_is_asserted() {
    let bench = Bench::new()
        .agent("alice", |host| {
            host.subscribe_agent("bob").map_err(raise)?;
            host.sleep_for(100).map_err(raise)?;
            host.whoami();
            Ok(None)
        })
        .agent("bob", |_| Err(BrainError::Failed("boom".into())));
    let report = bench
        .run("[assertions.alice]\noutcome = \"asserted\"\nevents = [{ kind = \"call\", op = \"whoami\" }]")
        .await;
    assert!(report.passed(), "{report}");
    assert_eq!(report.warnings, ["agent \"bob\", which is not asserted, failed: boom"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_that_cannot_start_fails_its_test() {
    let report = Bench::new()
        .agent("alice", |_| Ok(None))
        .run("[providers.llm]\nkind = \"nonsense\"\n[assertions.alice]\noutcome = \"asserted\"")
        .await;
    assert!(!report.passed());
    let error = report.error.unwrap();
    assert!(error.contains("nonsense") && error.contains("mock"), "{error}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cancelled_test_ends_at_once_and_has_no_verdict() {
    let bench = endless("waiting");
    let test = bench.test("[assertions.alice]\noutcome = \"completed\"");
    let cancel = CancellationToken::new();
    let began = Instant::now();
    let (report, ()) = tokio::join!(async { bench.harness().run_until(&test, &cancel).await }, async {
        tokio::time::sleep(Duration::from_millis(50)).await;
        cancel.cancel();
    });
    assert!(report.cancelled && !report.passed());
    assert!(began.elapsed() < Duration::from_secs(2));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_agent_that_has_its_verdict_at_the_start_does_not_act() {
    let acted = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&acted);
    let bench = Bench::new()
        .agent("alice", move |_| {
            count.fetch_add(1, Ordering::SeqCst);
            Ok(None)
        })
        .agent("bob", |_| Ok(Some("done".into())));
    let settled = "[assertions.alice]\noutcome = \"asserted\"\nevents = []\n";
    for rest in ["", "[assertions.bob]\noutcome = { exited = \"done\" }\n"] {
        let report = bench.run(&format!("{settled}{rest}")).await;
        assert!(report.passed(), "{report}");
        assert_eq!(acted.load(Ordering::SeqCst), 0, "{rest}");
    }
}
