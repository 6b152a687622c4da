//! Scenarios whose outcome a model judges.

use std::sync::Arc;

use windtunnel_api::scenario::{LlmJudge, OutcomeScorer};
use windtunnel_api::{JudgeVerdict, ReferenceCase, ReferenceKind, Scenario, SelftestVerdict, Verdict};
use windtunnel_runner::{Interrupts, SelftestOptions, SweepOptions, selftest, sweep};
use windtunnel_spi::doubles::FixedJudge;

use crate::platform::Platform;
use crate::stage::{Stage, channel, says, suite_options};

fn judged(judge: Option<JudgeVerdict>) -> Scenario {
    let case =
        ReferenceCase { judge, ..ReferenceCase::new("polite", ReferenceKind::Golden, [says("Thank you.")]) };
    let rubric = LlmJudge { rubric: "The answer is polite.".into(), provider: None };
    Scenario {
        outcome: Some(OutcomeScorer::LlmJudge(rubric)),
        reference_cases: vec![case],
        ..Scenario::new("politeness", "Say thanks.")
    }
}

async fn verdict(stage: &Stage, scenario: Scenario) -> (SelftestVerdict, String) {
    let options = SelftestOptions { suite: suite_options(1), strict: false };
    let (events, _receiver) = channel();
    let found = vec![stage.found(scenario)];
    let outcome =
        selftest(&stage.bench, &stage.runtimes(), found, &options, &events, &mut Interrupts::never())
            .await
            .unwrap();
    let case = outcome.report.cases.into_iter().next().unwrap();
    (case.verdict, case.detail)
}

#[tokio::test]
async fn a_reference_case_says_what_the_judge_would_have_said() {
    for (judge, expected) in
        [(JudgeVerdict::Pass, SelftestVerdict::Pass), (JudgeVerdict::Fail, SelftestVerdict::GoldenFailed)]
    {
        let stage = Stage::new(Platform::new());
        let (verdict, detail) = verdict(&stage, judged(Some(judge))).await;
        assert_eq!(verdict, expected, "{detail}");
    }
}

#[tokio::test]
async fn without_any_judge_nothing_is_started() {
    let stage = Stage::new(Platform::new());
    let (verdict, detail) = verdict(&stage, judged(None)).await;
    assert_eq!(verdict, SelftestVerdict::Error);
    assert!(detail.starts_with("judge: the scenario's outcome asks a model to judge"), "{detail}");
    assert!(!stage.platform.log().contains(&"start files".to_owned()));
}

#[tokio::test]
async fn the_raw_answer_of_a_model_is_frozen_into_the_observations() {
    for (word, expected) in [("PASS", Verdict::Pass), ("Looks fine to me", Verdict::Fail)] {
        let mut stage = Stage::new(Platform { live: vec![says("Thank you.")], ..Platform::new() });
        stage.bench = stage.bench.with_judge(Arc::new(FixedJudge(word.to_owned())));
        let options = SweepOptions { suite: suite_options(1), runs: 1, label: "l".into(), git_sha: None };
        let (events, _receiver) = channel();
        let found = vec![stage.found(judged(None))];
        let outcome =
            sweep(&stage.bench, &stage.runtimes(), found, &options, &events, &mut Interrupts::never())
                .await
                .unwrap();
        let record = outcome.records().next().unwrap();
        assert_eq!(record.verdict, Some(expected), "{}", outcome.cases[0].detail);
        let trace = std::fs::read_to_string(record.runs[0].trace_path.as_ref().unwrap()).unwrap();
        let trace: serde_json::Value = serde_json::from_str(&trace).unwrap();
        assert_eq!(trace["observations"]["llm_judge"], word);
    }
}
