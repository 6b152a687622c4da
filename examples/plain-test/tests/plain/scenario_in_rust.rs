//! One scenario built in Rust, without any file.

use crate::lab::{Lab, at_most, greeting};
use windtunnel_core::prelude::*;

// ANCHOR: verdicts
#[tokio::test]
async fn the_gate_accepts_its_golden_and_rejects_its_poisons() {
    let lab = Lab::new().await;
    let found = lab.found(at_most(1));
    for case in &found.scenario().reference_cases {
        let record = lab.run(&found, case).await;
        assert_eq!(record.verdict, SelftestVerdict::Pass, "{}: {}", case.name, record.detail);
    }
}
// ANCHOR_END: verdicts

#[tokio::test]
async fn a_gate_that_is_too_weak_lets_the_poison_through() {
    let lab = Lab::new().await;
    let found = lab.found(at_most(2));
    let poison = &greeting().reference_cases[1];
    let record = lab.run(&found, poison).await;
    assert_eq!(record.verdict, SelftestVerdict::PoisonPassed, "{}", record.detail);
}
