//! The process's own signals, and locks between suites.

use std::time::Duration;

use windtunnel_api::event::SuiteEvent;
use windtunnel_api::exit::Exit;
use windtunnel_runner::{Interrupts, SelftestOptions, selftest};

use crate::platform::{Platform, Wrong};
use crate::stage::{Stage, artifact_guard, channel, suite_options};

#[cfg(unix)]
#[tokio::test]
async fn sigint_sigterm_and_sighup_are_interrupts_and_no_longer_end_the_process() {
    use rustix::process::{Signal, getpid, kill_process};
    let mut interrupts = Interrupts::from_signals().unwrap();
    for signal in [Signal::INT, Signal::TERM, Signal::HUP, Signal::INT] {
        kill_process(getpid(), signal).unwrap();
        tokio::time::timeout(Duration::from_secs(10), interrupts.next()).await.unwrap();
    }
}

#[tokio::test]
async fn a_suite_waits_for_a_lock_and_an_interrupt_ends_the_wait() {
    let key = format!("test-lock-{}", std::process::id());
    let holding = Platform { lock_key: Some(key.clone()), ..Platform::new() };
    let holder = Stage::new(holding.wrong("send Create the safe artifact.", Wrong::Hangs));
    let waiter = Stage::new(Platform { lock_key: Some(key), ..Platform::new() });
    let options = SelftestOptions { suite: suite_options(1), strict: false };
    let (events, mut receiver) = channel();
    let (release, mut held) = Interrupts::channel();
    let (stop, mut stopped) = Interrupts::channel();

    let (holding, waiting) = (holder.runtimes(), waiter.runtimes());
    let found = |stage: &Stage| vec![stage.found(artifact_guard())];
    let first = selftest(&holder.bench, &holding, found(&holder), &options, &events, &mut held);
    let waits = |event: &SuiteEvent| matches!(event, SuiteEvent::Notice { text } if text.starts_with("waiting for test-lock"));
    let second = async {
        while !holder.platform.log().contains(&"pre_run".to_owned()) {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        let (events, mut receiver) = channel();
        let suite = selftest(&waiter.bench, &waiting, found(&waiter), &options, &events, &mut stopped);
        let (outcome, mut told) = tokio::join!(suite, async {
            let mut told = Vec::new();
            while !told.iter().any(waits) {
                told.push(receiver.recv().await.unwrap());
            }
            // Time for another try, which is not told.
            tokio::time::sleep(Duration::from_millis(150)).await;
            stop.interrupt();
            told
        });
        told.extend(std::iter::from_fn(|| receiver.try_recv().ok()));
        release.interrupt();
        (outcome.unwrap(), told)
    };
    let (_, (outcome, told)) = tokio::join!(first, second);
    assert_eq!((outcome.exit, outcome.not_run), (Exit::Interrupted, 2));
    assert_eq!(waiter.platform.log(), ["build"], "nothing was prepared without the lock");
    assert_eq!(told.iter().filter(|event| waits(event)).count(), 1, "{told:?}");
    assert!(!std::iter::from_fn(|| receiver.try_recv().ok()).any(|event| waits(&event)));
}
