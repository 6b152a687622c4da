//! The order of calls, and that everything started is ended wherever a case breaks off.

use std::time::Duration;

use crate::platform::{Platform, Wrong};
use crate::stage::{Stage, artifact_guard, says, write};
use tokio_util::sync::CancellationToken;
use windtunnel_api::scenario::Precondition;
use windtunnel_api::surface::{Surface, SurfaceStatus};
use windtunnel_api::{Scenario, Verdict};
use windtunnel_runner::scenario::{RunIdentity, ScenarioErrorKind, ScenarioOutcome, Subject};
use windtunnel_runner::{ScenarioRequest, run_scenario};
use windtunnel_spi::world::Limits;
use windtunnel_spi::{ModelLabel, ProbeFactory};

pub(crate) fn live() -> Platform {
    Platform { live: vec![write("safe"), says("artifact complete")], ..Platform::new() }
}

pub(crate) async fn run(
    stage: &Stage,
    scenario: Scenario,
    runs: usize,
    cancel: CancellationToken,
) -> ScenarioOutcome {
    let found = stage.found(scenario);
    let site = stage.bench.site(&stage.pack, "case", cancel).await.unwrap();
    let state_probe = Some(stage.platform.probe(&site.world).unwrap());
    let request = ScenarioRequest {
        gate: &found.gate,
        pack: &stage.pack,
        preconditions: &[],
        runtime: &stage.platform,
        subject: Subject::Live,
        identity: RunIdentity {
            agent_id: "wt-cli".to_owned(),
            variant_id: "l1".to_owned(),
            model: ModelLabel::default(),
        },
        site,
        state_probe,
        runs,
    };
    run_scenario(&stage.bench, request, &mut ()).await
}

#[tokio::test]
async fn two_runs_follow_the_order_to_the_letter() {
    let stage = Stage::new(live()).hooked();
    let outcome = run(&stage, artifact_guard(), 2, CancellationToken::new()).await;
    assert!(outcome.error.is_none(), "{:?}", outcome.error);
    assert_eq!(outcome.runs.iter().map(|run| run.score.verdict).collect::<Vec<_>>(), [Verdict::Pass; 2]);
    insta::assert_snapshot!(stage.platform.log().join("\n"), @"
    make probe
    make server files
    start files
    list tools
    provision
    hook provisioned
    hook run_start 1
    reset agent
    reset probe
    reset log
    send Create the safe artifact.
    capture
    drain log
    hook run_scored PASS
    hook run_end 1
    hook run_start 2
    refresh
    reset agent
    reset probe
    reset log
    send Create the safe artifact.
    capture
    drain log
    hook run_scored PASS
    hook run_end 2
    teardown
    stop files
    hook scenario_end
    ");
}

/// Where a case breaks off, what it says, and how much of the log follows the break.
#[tokio::test]
async fn everything_started_is_ended_wherever_it_breaks() {
    use ScenarioErrorKind::{Reset, Setup};
    for (step, kind, ended) in [
        ("make server files", Some(Setup), &[][..]),
        ("start files", Some(Setup), &["stop files"]),
        ("provision", Some(Setup), &["stop files"]),
        ("reset agent", Some(Reset), &["teardown", "stop files"]),
        ("reset probe", Some(Setup), &["teardown", "stop files"]),
        ("refresh", Some(Setup), &["teardown", "stop files"]),
        // What goes wrong inside of a run is in its trace, and the next run is made.
        ("send Create the safe artifact.", None, &["teardown", "stop files"]),
        ("capture", None, &["teardown", "stop files"]),
        ("drain log", None, &["teardown", "stop files"]),
        ("list tools", None, &["teardown", "stop files"]),
    ] {
        let stage = Stage::new(live().wrong(step, Wrong::Fails));
        let outcome = run(&stage, artifact_guard(), 2, CancellationToken::new()).await;
        let log = stage.platform.log();
        assert!(log.iter().any(|line| line == step), "{step}: {log:?}");
        assert_eq!(
            outcome.error.as_ref().map(windtunnel_runner::scenario::ScenarioError::kind),
            kind,
            "{step}"
        );
        assert!(log.ends_with(&ended.iter().map(ToString::to_string).collect::<Vec<_>>()), "{step}: {log:?}");
        if let Some(error) = outcome.error {
            assert!(error.to_string().contains("as scripted"), "{step}: {error}");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_step_that_hangs_passes_its_limit_which_is_named() {
    for (step, said) in [
        ("start files", "tool server files: starting it passed the start limit of 3 s (timeouts.start_s)"),
        ("provision", "provisioning the agent passed the start limit of 3 s (timeouts.start_s)"),
        ("reset agent", "resetting the agent passed the start limit of 3 s (timeouts.start_s)"),
        ("reset probe", "resetting the state probe passed the start limit of 3 s (timeouts.start_s)"),
        ("refresh", "tool server files: refreshing it passed the start limit of 3 s (timeouts.start_s)"),
    ] {
        let mut stage = Stage::new(live().wrong(step, Wrong::Hangs));
        let limits = Limits { start: Duration::from_secs(3), ..Limits::default() };
        stage.bench = stage.bench.with_limits(limits);
        let outcome = run(&stage, artifact_guard(), 2, CancellationToken::new()).await;
        assert_eq!(outcome.error.unwrap().to_string(), said, "{step}");
        assert_eq!(stage.platform.log().last().unwrap(), "stop files", "{step}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_hanging_teardown_holds_nothing_up_and_fails_no_run() {
    for step in ["teardown", "stop files"] {
        let stage = Stage::new(live().wrong(step, Wrong::Hangs));
        let outcome = run(&stage, artifact_guard(), 1, CancellationToken::new()).await;
        assert!(outcome.error.is_none(), "{step}");
        assert_eq!(outcome.runs[0].score.verdict, Verdict::Pass, "{step}");
        assert_eq!(stage.platform.log().last().unwrap(), "stop files", "{step}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_cancelled_case_is_torn_down_from_wherever_it_is() {
    for (step, ended) in [
        ("start files", &["stop files"][..]),
        ("provision", &["stop files"]),
        ("reset agent", &["teardown", "stop files"]),
        ("send Create the safe artifact.", &["teardown", "stop files"]),
        ("capture", &["teardown", "stop files"]),
    ] {
        let stage = Stage::new(live().wrong(step, Wrong::Hangs));
        let cancel = CancellationToken::new();
        let (outcome, ()) = tokio::join!(run(&stage, artifact_guard(), 1, cancel.clone()), async {
            tokio::time::sleep(Duration::from_secs(1)).await;
            cancel.cancel();
        });
        assert_eq!(outcome.error.unwrap().kind(), ScenarioErrorKind::Cancelled, "{step}");
        let log = stage.platform.log();
        assert!(log.ends_with(&ended.iter().map(ToString::to_string).collect::<Vec<_>>()), "{step}: {log:?}");
    }
}

#[tokio::test]
async fn a_panic_in_a_hook_goes_on_after_everything_is_ended() {
    let stage = Stage::new(live().wrong("hook run_scored PASS", Wrong::Panics)).hooked();
    let platform = stage.platform.clone();
    let ran =
        tokio::spawn(async move { run(&stage, artifact_guard(), 1, CancellationToken::new()).await }).await;
    assert!(ran.unwrap_err().is_panic());
    assert!(
        platform.log().ends_with(&["teardown".to_owned(), "stop files".to_owned()]),
        "{:?}",
        platform.log()
    );
}

#[tokio::test]
async fn all_failed_preconditions_are_reported_and_nothing_is_sent() {
    let stage = Stage::new(live());
    let scenario = Scenario {
        preconditions: vec![Precondition::StateProbe(true), Precondition::Tool("write_flie".into())],
        requires_files: vec!["missing.md".into(), "seed.md".into()],
        ..artifact_guard()
    };
    let outcome = run(&stage, scenario, 1, CancellationToken::new()).await;
    insta::assert_snapshot!(outcome.error.unwrap().to_string(), @"
    2 preconditions do not hold:
      tool: write_flie is not served; served are write_file, remember; did you mean write_file?
      file: missing.md is not in the workspace; see workspace.files in pack.toml
    ");
    let log = stage.platform.log();
    assert!(!log.iter().any(|line| line.starts_with("send") || line == "reset agent"), "{log:?}");
    assert!(log.ends_with(&["teardown".to_owned(), "stop files".to_owned()]));
}

#[tokio::test]
async fn a_failed_turn_is_a_stored_run_that_is_invalid() {
    let stage = Stage::new(live().wrong("send Create the safe artifact.", Wrong::Fails));
    let outcome = run(&stage, artifact_guard(), 1, CancellationToken::new()).await;
    let run = &outcome.runs[0];
    assert_eq!(run.score.verdict, Verdict::Invalid);
    assert!(run.trace_path.exists());
    insta::assert_snapshot!(run.trace.worker_warnings.join("\n"), @"
    runner_error: turn 1 failed: send Create the safe artifact. failed as scripted
    mcp_evidence: available
    ");
    assert!(run.trace.observations.contains_key("workspace"), "the evidence is collected all the same");
}

#[tokio::test(start_paused = true)]
async fn a_turn_over_its_limit_is_a_stored_run_that_names_the_limit() {
    let mut stage = Stage::new(live().wrong("send Create the safe artifact.", Wrong::Hangs));
    stage.bench = stage.bench.with_limits(Limits { turn: Duration::from_secs(7), ..Limits::default() });
    let outcome = run(&stage, artifact_guard(), 1, CancellationToken::new()).await;
    assert_eq!(outcome.runs[0].trace.worker_warnings[0], "runner_error: turn 1 passed the turn limit of 7 s");
}

#[tokio::test(start_paused = true)]
async fn the_agents_own_turn_limit_wins() {
    let platform = Platform { turn_limit: Some(Duration::from_secs(600)), ..live() };
    let stage = Stage::new(platform.wrong("send Create the safe artifact.", Wrong::Hangs));
    let outcome = run(&stage, artifact_guard(), 1, CancellationToken::new()).await;
    assert_eq!(
        outcome.runs[0].trace.worker_warnings[0],
        "runner_error: turn 1 passed the turn limit of 600 s"
    );
}

#[tokio::test]
async fn the_surface_is_kept_where_the_runtime_shows_it() {
    let surface = Surface { status: SurfaceStatus::Reported, ..Surface::default() };
    let shown = serde_json::json!(surface);
    let platform = || Platform { surface: Some(surface.clone()), ..live() };
    let invalid = serde_json::json!({ "status": "invalid", "error": "show surface failed as scripted" });
    for (platform, expected) in
        [(platform(), shown.clone()), (platform().wrong("show surface", Wrong::Fails), invalid)]
    {
        let stage = Stage::new(platform);
        let outcome = run(&stage, artifact_guard(), 1, CancellationToken::new()).await;
        assert_eq!(outcome.runs[0].trace.surface, Some(expected));
        assert_eq!(outcome.runs[0].score.verdict, Verdict::Pass);
    }
}

#[tokio::test]
async fn every_run_starts_from_the_seeded_workspace_and_a_fresh_server() {
    let platform =
        Platform { live: vec![crate::stage::remember("a"), write("x"), says("artifact complete")], ..live() };
    let stage = Stage::new(platform);
    let outcome = run(&stage, artifact_guard(), 3, CancellationToken::new()).await;
    for run in &outcome.runs {
        assert_eq!(run.trace.observations["workspace"]["files"], serde_json::json!(["out.md", "seed.md"]));
        assert_eq!(run.trace.mcp_calls.len(), 2);
        assert_eq!(run.trace.mcp_calls[0].result, "a", "the server remembers nothing of the run before");
    }
}

#[tokio::test]
async fn the_trace_of_a_run_has_all_its_fields() {
    let stage = Stage::new(live()).hooked();
    let scenario = Scenario {
        user_turns: vec!["Hello.".into(), "Create the safe artifact.".into()],
        ..artifact_guard()
    };
    let scenario = Scenario { reference_cases: Vec::new(), ..scenario };
    let outcome = run(&stage, scenario, 1, CancellationToken::new()).await;
    let trace = serde_json::to_string_pretty(&*outcome.runs[0].trace).unwrap();
    insta::assert_snapshot!("trace", trace);
    let files: Vec<String> = crate::stage::files_below(&stage.runs_dir());
    insta::assert_snapshot!(files.join("\n"), @"
    artifact_guard/wt-cli/l1/unknown/unknown/20261130T085854387116Z_00000000.json
    artifact_guard/wt-cli/l1/unknown/unknown/20261130T085854387116Z_00000000.score.json
    artifact_guard/wt-cli/l1/unknown/unknown/20261130T085854387116Z_00000000.staged.json
    ");
}
