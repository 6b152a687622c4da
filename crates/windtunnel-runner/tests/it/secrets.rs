//! What is secret is neither stored nor reported.

use windtunnel_api::secret::{Redactor, Secret};
use windtunnel_runner::{Interrupts, SweepOptions, sweep};

use crate::platform::{Platform, Wrong};
use crate::stage::{Stage, artifact_guard, channel, files_below, says, suite_options, write};

const CANARY: &str = "canary-4711";

async fn stored_and_reported(platform: Platform) -> (String, String) {
    let mut stage = Stage::new(platform).hooked();
    stage.bench = stage.bench.with_redactor(Redactor::new([Secret::new(CANARY)]));
    let options = SweepOptions { suite: suite_options(1), runs: 1, label: "l".into(), git_sha: None };
    let (events, mut receiver) = channel();
    let found = vec![stage.found(artifact_guard())];
    sweep(&stage.bench, &stage.runtimes(), found, &options, &events, &mut Interrupts::never()).await.unwrap();
    let read = |file: String| std::fs::read_to_string(stage.runs_dir().join(file)).unwrap();
    let stored: String = files_below(&stage.runs_dir()).into_iter().map(read).collect();
    let told: Vec<_> = std::iter::from_fn(|| receiver.try_recv().ok()).collect();
    (stored, serde_json::to_string(&told).unwrap())
}

#[tokio::test]
async fn a_secret_in_calls_and_answers_is_taken_out_before_judging() {
    let decisions = vec![write(CANARY), says(&format!("artifact complete, the key is {CANARY}"))];
    let (stored, told) = stored_and_reported(Platform { live: decisions, ..Platform::new() }).await;
    assert!(!stored.contains(CANARY) && stored.contains("the key is ***"), "{stored}");
    assert!(!told.contains(CANARY), "{told}");
    assert!(told.contains(r#""verdict":"PASS""#), "{told}");
}

#[tokio::test]
async fn a_secret_in_an_error_is_not_told() {
    // The name of the server's step is in the error's text.
    let platform = Platform { live: vec![write("x"), says("y")], ..Platform::new() };
    let mut stage = Stage::new(platform.wrong("provision", Wrong::Fails));
    stage.bench = stage.bench.with_redactor(Redactor::new([Secret::new("as scripted")]));
    let options = SweepOptions { suite: suite_options(1), runs: 1, label: "l".into(), git_sha: None };
    let (events, _receiver) = channel();
    let found = vec![stage.found(artifact_guard())];
    let outcome = sweep(&stage.bench, &stage.runtimes(), found, &options, &events, &mut Interrupts::never())
        .await
        .unwrap();
    assert_eq!(outcome.cases[0].detail, "the agent could not be provisioned: provision failed ***");
    let rows = ["ledger.ndjsonl", "events.ndjsonl"];
    let rows = rows.map(|file| std::fs::read_to_string(stage.runs_dir().join(file)).unwrap());
    assert!(rows.iter().all(|rows| !rows.contains("as scripted") && rows.contains("***")), "{rows:?}");
}
