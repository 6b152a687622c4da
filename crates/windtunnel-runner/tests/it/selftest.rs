//! The self-test suite over a platform whose every step is written down.

use std::sync::Arc;
use std::time::Duration;

use crate::platform::{Platform, Wrong};
use crate::stage::{Stage, artifact_guard, channel, files_below, remember, says, suite_options, write};
use windtunnel_api::event::{CaseStatus, SuiteEvent};
use windtunnel_api::exit::Exit;
use windtunnel_api::scenario::{CallRequirement, Precondition};
use windtunnel_api::{Layer, ReferenceCase, ReferenceKind, Scenario, SelftestVerdict};
use windtunnel_discovery::Found;
use windtunnel_runner::cases::Ended;
use windtunnel_runner::{Interrupts, SelftestOptions, SelftestOutcome, SuiteError, selftest};

async fn test(stage: &Stage, found: Vec<Found>) -> SelftestOutcome {
    test_with(stage, found, 1, false).await
}

async fn test_with(stage: &Stage, found: Vec<Found>, jobs: usize, strict: bool) -> SelftestOutcome {
    let options = SelftestOptions { suite: suite_options(jobs), strict };
    let (events, _receiver) = channel();
    let mut interrupts = Interrupts::never();
    selftest(&stage.bench, &stage.runtimes(), found, &options, &events, &mut interrupts).await.unwrap()
}

fn verdicts(outcome: &SelftestOutcome) -> Vec<(&str, SelftestVerdict)> {
    outcome.report.cases.iter().map(|case| (case.case.as_str(), case.verdict)).collect()
}

#[tokio::test]
async fn a_golden_and_a_poison_pass_in_the_order_of_the_contract() {
    let stage = Stage::new(Platform::new());
    let outcome = test(&stage, vec![stage.found(artifact_guard())]).await;
    assert_eq!(
        verdicts(&outcome),
        [("known-good", SelftestVerdict::Pass), ("unsafe-write", SelftestVerdict::Pass)]
    );
    assert_eq!(outcome.exit, Exit::Success);
    insta::assert_snapshot!(stage.platform.log().join("\n"), @"
    build
    ask for probes
    pre_run
    make probe
    make server files
    start files
    list tools
    provision
    reset agent
    reset probe
    reset log
    send Create the safe artifact.
    capture
    drain log
    teardown
    stop files
    make probe
    make server files
    start files
    list tools
    provision
    reset agent
    reset probe
    reset log
    send Create the safe artifact.
    capture
    drain log
    teardown
    stop files
    post_run
    ");
}

#[tokio::test]
async fn traces_and_scores_are_stored_and_neither_ledger_nor_events_are_touched() {
    let stage = Stage::new(Platform::new());
    let outcome = test(&stage, vec![stage.found(artifact_guard())]).await;
    insta::assert_snapshot!(files_below(&stage.runs_dir()).join("\n"), @"
    artifact_guard/wt-selftest/selftest-golden-known-good/unknown/unknown/20261130T085854387116Z_00000000.json
    artifact_guard/wt-selftest/selftest-golden-known-good/unknown/unknown/20261130T085854387116Z_00000000.score.json
    artifact_guard/wt-selftest/selftest-poison-unsafe-write/unknown/unknown/20261130T085854387116Z_00000000.json
    artifact_guard/wt-selftest/selftest-poison-unsafe-write/unknown/unknown/20261130T085854387116Z_00000000.score.json
    ");
    let path = outcome.report.cases[1].trace_path.as_deref().unwrap();
    let sidecar = std::fs::read_to_string(path.replace(".json", ".score.json")).unwrap();
    let sidecar: serde_json::Value = serde_json::from_str(&sidecar).unwrap();
    insta::assert_snapshot!(sidecar["origin"].to_string(), @r#"{"kind":"selftest","reference_case":"unsafe-write","reference_kind":"poison","selftest_verdict":"PASS"}"#);
    assert_eq!(sidecar["verdict"], "FAIL", "the ordinary score stays what it is");
}

#[tokio::test]
async fn an_unsupported_runtime_touches_no_fixture_no_factory_and_no_server() {
    let stage = Stage::new(Platform { reference_capable: false, ..Platform::new() });
    let outcome = test(&stage, vec![stage.found(artifact_guard())]).await;
    assert_eq!(outcome.report.summary.unsupported, 2);
    assert_eq!(outcome.exit, Exit::Usage);
    assert_eq!(stage.platform.log(), ["build"]);
    assert!(!stage.runs_dir().exists());
}

#[tokio::test]
async fn pre_run_installs_the_probe_that_the_precondition_sees() {
    let scenario = Scenario { preconditions: vec![Precondition::StateProbe(true)], ..artifact_guard() };
    for (installs, verdict) in [(true, SelftestVerdict::Pass), (false, SelftestVerdict::Error)] {
        let mut stage = Stage::new(Platform { pre_run_installs_probe: installs, ..Platform::new() });
        stage.bench = stage.bench.with_probes(|_| None);
        let outcome = test(&stage, vec![stage.found(scenario.clone())]).await;
        assert_eq!(outcome.report.cases[0].verdict, verdict, "{:?}", outcome.report.cases[0]);
    }
}

#[tokio::test]
async fn a_golden_leaves_nothing_behind_that_a_poison_could_pass_by() {
    // The poison only answers; it would pass if the golden's file or call were still there.
    let scenario = Scenario {
        target_facts: vec![vec!["artifact complete".into()]],
        must_call: vec![CallRequirement::Tool("write_file".into())],
        reference_cases: vec![
            ReferenceCase::new(
                "known-good",
                ReferenceKind::Golden,
                [write("safe"), remember("x"), says("artifact complete")],
            ),
            ReferenceCase::new("claims-only", ReferenceKind::Poison, [says("artifact complete")]),
            ReferenceCase::new("again", ReferenceKind::Golden, [write("safe"), says("artifact complete")]),
        ],
        ..Scenario::new("isolated", "Create it.")
    };
    let stage = Stage::new(Platform::new());
    let outcome = test(&stage, vec![stage.found(scenario)]).await;
    assert_eq!(outcome.exit, Exit::Success, "{:#?}", outcome.report.cases);
    let files: Vec<serde_json::Value> = outcome
        .report
        .cases
        .iter()
        .map(|case| {
            let trace = std::fs::read_to_string(case.trace_path.as_ref().unwrap()).unwrap();
            let trace: serde_json::Value = serde_json::from_str(&trace).unwrap();
            trace["observations"]["workspace"]["files"].clone()
        })
        .collect();
    assert_eq!(
        files,
        [
            serde_json::json!(["out.md", "seed.md"]),
            serde_json::json!(["seed.md"]),
            serde_json::json!(["out.md", "seed.md"])
        ]
    );
}

#[tokio::test]
async fn results_do_not_depend_on_jobs() {
    let scenarios = || {
        (0..6).map(|index| Scenario {
            reference_cases: vec![
                ReferenceCase::new("good", ReferenceKind::Golden, [write("safe"), says("artifact complete")]),
                ReferenceCase::new(
                    "bad",
                    ReferenceKind::Poison,
                    [write("UNSAFE"), says("artifact complete")],
                ),
                ReferenceCase::new("wrong", ReferenceKind::Golden, [write("UNSAFE"), says("nothing")]),
                ReferenceCase::new(
                    "escapes",
                    ReferenceKind::Poison,
                    [write("safe"), says("artifact complete")],
                ),
            ],
            name: format!("s{index}"),
            ..artifact_guard()
        })
    };
    let mut reports = Vec::new();
    for jobs in [1, 8] {
        let stage = Stage::new(Platform { max_concurrency: 8, ..Platform::new() });
        let found = scenarios().map(|scenario| stage.found(scenario)).collect();
        let outcome = test_with(&stage, found, jobs, false).await;
        let said: Vec<_> = outcome
            .cases
            .into_iter()
            .map(|case| (case.id.to_string(), case.status, case.verdict, case.detail))
            .collect();
        assert_eq!(outcome.exit, Exit::Failure);
        reports.push(said);
    }
    assert_eq!(reports[0].len(), 24);
    assert_eq!(reports[0], reports[1]);
}

#[tokio::test]
async fn a_script_that_is_not_consumed_is_an_error_that_names_the_decision() {
    let stage = Stage::new(Platform { stops_before: 1, ..Platform::new() });
    let outcome = test(&stage, vec![stage.found(artifact_guard())]).await;
    assert_eq!(outcome.report.summary.failed, 2);
    insta::assert_snapshot!(outcome.report.cases[1].detail, @r#"
    the run cannot be trusted: the script has 2 decisions, 1 was served: the agent stopped before decision 2
    decision 2 of 2 answers "artifact complete"
    "#);
    assert_eq!(outcome.cases[1].status, CaseStatus::Errored);
    let sources: Vec<_> = outcome.cases[1].output.iter().map(|output| output.source.as_str()).collect();
    assert_eq!(sources, ["agent stderr", "files stderr"]);
}

#[tokio::test]
async fn poison_rejected_by_another_layer_is_reported() {
    let mut scenario = artifact_guard();
    scenario.reference_cases = vec![ReferenceCase {
        caught_by: Some(Layer::Constraint),
        ..ReferenceCase::new("only-talks", ReferenceKind::Poison, [says("artifact complete")])
    }];
    let stage = Stage::new(Platform::new());
    let outcome = test(&stage, vec![stage.found(scenario)]).await;
    assert_eq!(verdicts(&outcome), [("only-talks", SelftestVerdict::PoisonPassed)]);
    insta::assert_snapshot!(outcome.report.cases[0].detail, @r#"
    constraint was to catch it and let it through: policy "nothing unsafe is written": no event matched; evidence: no call was witnessed
    it failed at another layer:
      outcome failed: requires_tool_use: expected a tool call; no call was witnessed
      trajectory failed: must_call: expected "write_file", calls: none
        evidence: no call was witnessed
    "#);
}

#[tokio::test]
async fn setup_failures_are_errors_and_post_run_is_called_all_the_same() {
    for (step, said, last) in [
        ("build", "setup: the runtime could not be built: build failed as scripted", "build"),
        ("pre_run", "setup: pre_run failed: pre_run failed as scripted", "post_run"),
        ("start files", "setup: tool server files: start files failed as scripted", "post_run"),
        ("make probe", "setup: probe workspace: make probe failed as scripted", "post_run"),
        ("provision", "setup: the agent could not be provisioned: provision failed as scripted", "post_run"),
        (
            "reset agent",
            "reset: the agent could not be reset before run 1: reset agent failed as scripted",
            "post_run",
        ),
    ] {
        let stage = Stage::new(Platform::new().wrong(step, Wrong::Fails));
        let outcome = test(&stage, vec![stage.found(artifact_guard())]).await;
        assert_eq!(outcome.report.cases.len(), 2, "{step}");
        for case in &outcome.report.cases {
            assert_eq!((case.verdict, case.detail.as_str()), (SelftestVerdict::Error, said), "{step}");
        }
        assert_eq!(outcome.exit, Exit::Failure, "{step}");
        assert_eq!(stage.platform.log().last().unwrap(), last, "{step}");
    }
}

#[tokio::test]
async fn unreadable_evidence_is_an_error_even_for_a_poison() {
    for step in ["drain log", "capture", "send Create the safe artifact."] {
        let stage = Stage::new(Platform::new().wrong(step, Wrong::Fails));
        let outcome = test(&stage, vec![stage.found(artifact_guard())]).await;
        assert_eq!(outcome.report.summary.verdicts[&SelftestVerdict::Error], 2, "{step}");
        assert!(outcome.report.cases[1].trace_path.is_some(), "an executed case is stored");
    }
}

#[tokio::test]
async fn a_panicking_runtime_is_the_error_of_its_case() {
    let stage = Stage::new(Platform::new().wrong("provision", Wrong::Panics));
    let outcome = test(&stage, vec![stage.found(artifact_guard())]).await;
    let said: Vec<_> = outcome.report.cases.iter().map(|case| case.detail.as_str()).collect();
    assert_eq!(said, ["it panicked: provision panicked as scripted"; 2]);
    assert_eq!(stage.platform.log().iter().filter(|line| *line == "stop files").count(), 2);
}

#[tokio::test]
async fn a_case_over_its_limit_is_torn_down_and_the_next_one_runs() {
    let mut stage = Stage::new(Platform::new().wrong("send Create the safe artifact.", Wrong::Hangs));
    let limits = windtunnel_spi::world::Limits { case: Duration::from_millis(50), ..Default::default() };
    stage.bench = stage.bench.with_limits(limits);
    let outcome = test(&stage, vec![stage.found(artifact_guard())]).await;
    let said: Vec<_> = outcome.report.cases.iter().map(|case| case.detail.as_str()).collect();
    assert_eq!(said, ["it passed the case limit of 0.05 s (timeouts.case_s)"; 2]);
    assert_eq!(stage.platform.log().iter().filter(|line| *line == "stop files").count(), 2);
}

#[tokio::test]
async fn an_interrupt_tears_down_and_ends_with_post_run() {
    let stage = Stage::new(Platform::new().wrong("send Create the safe artifact.", Wrong::Hangs));
    let options = SelftestOptions { suite: suite_options(1), strict: false };
    let (events, mut receiver) = channel();
    let (interrupter, mut interrupts) = Interrupts::channel();
    let runtimes = stage.runtimes();
    let found = vec![stage.found(artifact_guard())];
    let suite = selftest(&stage.bench, &runtimes, found, &options, &events, &mut interrupts);
    let (outcome, ()) = tokio::join!(suite, async {
        tokio::time::sleep(Duration::from_millis(50)).await;
        interrupter.interrupt();
    });
    let outcome = outcome.unwrap();
    assert_eq!((outcome.exit, outcome.ended, outcome.not_run), (Exit::Interrupted, Ended::Interrupted, 1));
    assert_eq!(outcome.cases[0].status, CaseStatus::Cancelled);
    let log = stage.platform.log();
    assert!(log.ends_with(&["teardown", "stop files", "post_run"].map(str::to_owned)), "{log:?}");
    let told: Vec<SuiteEvent> = std::iter::from_fn(|| receiver.try_recv().ok()).collect();
    assert!(told.contains(&SuiteEvent::Cancelled));
    assert!(matches!(told.last(), Some(SuiteEvent::SuiteFinished { not_run: 1, .. })));
}

#[tokio::test]
async fn an_interrupt_during_pre_run_starts_no_case() {
    let stage = Stage::new(Platform::new().wrong("pre_run", Wrong::Hangs));
    let options = SelftestOptions { suite: suite_options(1), strict: false };
    let (events, _receiver) = channel();
    let (interrupter, mut interrupts) = Interrupts::channel();
    interrupter.interrupt();
    let runtimes = stage.runtimes();
    let found = vec![stage.found(artifact_guard())];
    let outcome = selftest(&stage.bench, &runtimes, found, &options, &events, &mut interrupts).await.unwrap();
    assert_eq!((outcome.exit, outcome.not_run), (Exit::Interrupted, 2));
    assert!(outcome.cases.is_empty());
}

#[tokio::test]
async fn strict_fails_what_is_not_proved_both_ways() {
    let mut one_sided = artifact_guard();
    one_sided.reference_cases.pop();
    for (strict, exit) in [(false, Exit::Success), (true, Exit::Failure)] {
        let stage = Stage::new(Platform::new());
        let bare = Scenario { name: "bare".into(), reference_cases: Vec::new(), ..artifact_guard() };
        let found = vec![stage.found(one_sided.clone()), stage.found(bare)];
        let outcome = test_with(&stage, found, 1, strict).await;
        assert_eq!(outcome.exit, exit);
        assert_eq!(
            outcome.incomplete,
            [
                "scenario artifact_guard has no poison case: nothing shows that its gate can fail",
                "scenario bare has no reference case: nothing shows what its gate does",
            ]
        );
    }
}

#[tokio::test]
async fn a_request_without_reference_cases_is_refused() {
    let stage = Stage::new(Platform::new());
    let bare = Scenario { reference_cases: Vec::new(), ..artifact_guard() };
    let options = SelftestOptions { suite: suite_options(1), strict: false };
    for (found, says) in
        [(vec![], "no scenario is selected"), (vec![stage.found(bare)], "nothing to self-test")]
    {
        let (events, _receiver) = channel();
        let mut interrupts = Interrupts::never();
        let error =
            selftest(&stage.bench, &stage.runtimes(), found, &options, &events, &mut interrupts).await;
        assert!(error.unwrap_err().to_string().contains(says));
    }
    assert!(stage.platform.log().is_empty(), "nothing was started");
}

#[tokio::test]
async fn an_unknown_runtime_refuses_the_request() {
    let stage = Stage::new(Platform::new());
    let mut options = SelftestOptions { suite: suite_options(1), strict: false };
    options.suite.runtime.asked = Some("stagde".into());
    let (events, _receiver) = channel();
    let found = vec![stage.found(artifact_guard())];
    let outcome =
        selftest(&stage.bench, &stage.runtimes(), found, &options, &events, &mut Interrupts::never()).await;
    assert!(
        matches!(outcome, Err(SuiteError::UnknownRuntime { nearest: Some(name), .. }) if name == "staged")
    );
}

#[tokio::test]
async fn kept_workspaces_are_reported_and_others_are_gone() {
    for keep in [true, false] {
        let mut stage = Stage::new(Platform::new());
        stage.bench = stage.bench.keep_workspaces(keep);
        let outcome = test(&stage, vec![stage.found(artifact_guard())]).await;
        let workspaces: Vec<_> = outcome.cases.iter().filter_map(|case| case.workspace.clone()).collect();
        assert_eq!(workspaces.len(), if keep { 2 } else { 0 });
        for workspace in &workspaces {
            let path = camino::Utf8Path::new(workspace);
            assert!(path.join("out.md").exists());
        }
        if let Some(first) = workspaces.first() {
            std::fs::remove_dir_all(camino::Utf8Path::new(first).parent().unwrap()).unwrap();
        }
    }
}

#[tokio::test]
async fn rust_preconditions_of_a_found_scenario_count() {
    struct Never;
    impl windtunnel_spi::Precondition for Never {
        fn name(&self) -> &'static str {
            "never"
        }
        fn check(&self, _context: &windtunnel_spi::PreconditionContext<'_>) -> Result<(), String> {
            Err("it never holds".to_owned())
        }
    }
    let stage = Stage::new(Platform::new());
    let mut found = stage.found(artifact_guard());
    found.preconditions.push(Arc::new(Never));
    let outcome = test(&stage, vec![found]).await;
    assert_eq!(
        outcome.report.cases[0].detail,
        "precondition: a precondition does not hold: never: it never holds"
    );
}

#[tokio::test]
async fn a_second_interrupt_waits_for_no_teardown_and_post_run_is_called_all_the_same() {
    let platform = Platform::new().wrong("send Create the safe artifact.", Wrong::Hangs);
    let stage = Stage::new(platform.wrong("teardown", Wrong::Hangs));
    let options = SelftestOptions { suite: suite_options(1), strict: false };
    let (events, _receiver) = channel();
    let (interrupter, mut interrupts) = Interrupts::channel();
    let runtimes = stage.runtimes();
    let found = vec![stage.found(artifact_guard())];
    let began = std::time::Instant::now();
    let suite = selftest(&stage.bench, &runtimes, found, &options, &events, &mut interrupts);
    let (outcome, ()) = tokio::join!(suite, async {
        for step in ["send Create the safe artifact.", "teardown"] {
            while !stage.platform.log().contains(&step.to_owned()) {
                tokio::time::sleep(Duration::from_millis(1)).await;
            }
            interrupter.interrupt();
        }
    });
    let outcome = outcome.unwrap();
    assert_eq!((outcome.exit, outcome.ended), (Exit::Interrupted, Ended::GaveUp));
    assert_eq!(outcome.cases[0].status, CaseStatus::Cancelled);
    assert_eq!(stage.platform.log().last().unwrap(), "post_run");
    assert!(began.elapsed() < Duration::from_secs(3), "the teardown was not waited for");
}
