//! What perturbations do to the runs of a scenario, and what is said of it.

use tokio_util::sync::CancellationToken;
use windtunnel_api::scenario::{Perturbation, PerturbationKind as Kind};
use windtunnel_api::{Evidence, Scenario, Verdict};
use windtunnel_runner::scenario::ScenarioErrorKind;

use crate::order::{live, run};
use crate::platform::{History, Platform};
use crate::stage::{Stage, artifact_guard};

fn disturbed(perturbations: impl IntoIterator<Item = Perturbation>) -> Scenario {
    Scenario { perturbations: perturbations.into_iter().collect(), ..artifact_guard() }
}

#[tokio::test]
async fn every_run_is_disturbed_and_says_so() {
    let stage = Stage::new(live());
    let scenario =
        disturbed([Perturbation::new(Kind::SchemaError), Perturbation::new(Kind::FallbackRenderLeak)]);
    let outcome = run(&stage, scenario, 2, CancellationToken::new()).await;
    assert!(outcome.error.is_none(), "{:?}", outcome.error);
    let (failing, leaked) = (
        "perturbation_applied: schema_error tool=write_file",
        "perturbation_applied: fallback_render_leak turn_idx=0",
    );
    for run in &outcome.runs {
        assert_eq!(run.score.verdict, Verdict::Pass, "{:?}", run.score);
        assert_eq!(run.trace.worker_warnings[..2], [failing, leaked]);
        assert!(run.score.integrity.detail.contains("perturbations: 2 of 2 applied"));
        let unseen =
            "fallback_render_leak turn_idx=0 was handed to the agent; nobody saw whether its model got it";
        assert_eq!(run.trace.worker_warnings[2], unseen);
        let first: Vec<_> = run.trace.events.iter().take(4).collect();
        assert_eq!(first[0], &Evidence::Warning { text: failing.to_owned() });
        assert_eq!(first[1], &Evidence::Warning { text: leaked.to_owned() });
        assert!(matches!(first[3], Evidence::Turn { content, .. } if content == "Create the safe artifact."));
        assert_eq!(run.trace.turns.len(), 2, "what was put before the turn was said by nobody");
    }
    let log = stage.platform.log();
    let count = |line: &str| log.iter().filter(|logged| *logged == line).count();
    assert_eq!(count("inject schema_error into write_file"), 1, "it lasts over every refresh");
    let before = r#"before it Assistant "tool: {\"name\":\"write_file\",\"arguments\":{}}""#;
    assert_eq!(count(before), 2, "{log:?}");
}

#[tokio::test]
async fn an_agent_that_takes_no_history_makes_the_run_invalid_without_a_marker() {
    let stage = Stage::new(Platform { history: History::Refused, ..live() });
    let outcome =
        run(&stage, disturbed([Perturbation::new(Kind::FallbackRenderLeak)]), 1, CancellationToken::new())
            .await;
    let run = &outcome.runs[0];
    assert_eq!(run.score.verdict, Verdict::Invalid);
    let detail = &run.score.integrity.detail;
    assert!(
        detail.contains("the run broke off: turn 1 failed: this agent cannot be given the earlier messages"),
        "{detail}"
    );
    assert!(detail.contains("agents of the runtimes loop and omw can"), "{detail}");
    assert!(detail.contains("fallback_render_leak was declared and left no marker"), "{detail}");
    assert_eq!(run.trace.turns, [], "the turn was not sent");
    let is_turn = |event: &Evidence| matches!(event, Evidence::Turn { .. });
    assert!(!run.trace.events.iter().any(is_turn), "{:?}", run.trace.events);
}

#[tokio::test]
async fn an_agent_that_keeps_the_history_from_its_model_makes_the_run_invalid() {
    let stage = Stage::new(Platform { history: History::LeftOut, ..live() });
    let outcome =
        run(&stage, disturbed([Perturbation::new(Kind::FallbackRenderLeak)]), 1, CancellationToken::new())
            .await;
    let run = &outcome.runs[0];
    assert_eq!(run.score.verdict, Verdict::Invalid);
    assert_eq!(run.trace.worker_warnings[0], "perturbation_left_out: fallback_render_leak turn_idx=0");
    assert_eq!(
        run.score.integrity.detail,
        "the agent left out the perturbation fallback_render_leak turn_idx=0: it was handed in `history`, and no request of that \
         turn showed it to the model; put the messages of `history` before `prompt`"
    );
}

#[tokio::test]
async fn what_cannot_be_disturbed_is_an_error_before_anything_is_sent() {
    let stage = Stage::new(live());
    let wrong = Perturbation { tool: Some("write_flie".into()), ..Perturbation::new(Kind::Timeout) };
    let outcome = run(&stage, disturbed([wrong]), 1, CancellationToken::new()).await;
    let error = outcome.error.unwrap();
    assert_eq!(error.kind(), ScenarioErrorKind::Setup);
    insta::assert_snapshot!(error, @"perturbations[0]: timeout: write_flie is not served; served are write_file, remember; did you mean write_file?");
    assert!(!stage.platform.log().iter().any(|line| line.starts_with("send")));
}
