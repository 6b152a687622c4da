use std::time::Duration;

use windtunnel_api::event::{CaseRecord, CaseStatus};
use windtunnel_runner::Interrupts;
use windtunnel_runner::cases::{CasesRun, Ended, Options};

use crate::folder::{Folder, PLANNED, STUCK};

fn ended(run: &CasesRun) -> Vec<(String, CaseStatus, &str)> {
    run.reports.iter().map(|one| (one.id.to_string(), one.status, one.verdict.as_str())).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn each_scenario_ends_as_its_own_case() {
    let folder = Folder::new()
        .with_passing("passes")
        .with("diverges", &format!("{PLANNED}]\nexpect: {{finalNode: complete}}"))
        .with("malformed", "steps: [{jump: {}}]");
    folder.write("s/empty/notes.md", "");
    let options = Options { jobs: 4, ..Options::default() };
    let run = folder.run(&folder.setup(), &options, &mut Interrupts::never()).await;
    let of = |name: &str, status, verdict| (format!("process/{name}"), status, verdict);
    assert_eq!(
        ended(&run),
        [
            of("diverges", CaseStatus::Failed, "FAIL"),
            of("empty", CaseStatus::Errored, "ERROR"),
            of("malformed", CaseStatus::Errored, "ERROR"),
            of("passes", CaseStatus::Passed, "PASS"),
        ]
    );
    insta::assert_snapshot!(folder.said(&run.reports[0]), @r#"
    ScenarioAssertionError: expect.finalNode: expected "complete", found "stuck"
      asked for by expect at s/diverges/scenario.yaml:4:10
      before it, steps[1] complete (scenario.yaml:3) was answered: pass, now at stuck
    observed:
      current node: stuck, status: running
      walk (2): plan, stuck
      labels (1): loop:plan
      events (2):
        start (scenario.yaml:2)
          [0] graph.started node: plan
        steps[0] emit (scenario.yaml:3)
        steps[1] complete (scenario.yaml:3)
          [1] graph.advanced node: plan, to: stuck, outcome: pass
    "#);
    insta::assert_snapshot!(folder.said(&run.reports[1]), @"ScenarioFormatError: s/empty: there is no scenario.yaml in this folder, though it lies beside scenarios; every visible folder there has to be one: add the file, move the folder, or put a dot in front of its name");
    insta::assert_snapshot!(folder.said(&run.reports[2]), @r#"ScenarioFormatError: s/malformed/scenario.yaml:3:10: steps[0].jump: unknown step "jump"; expected one of comment, emit, complete, advance, ask, reply, inner-loop, fail-github, restore-github, expect"#);
    assert_eq!(run.reports[3].detail, "");
    let CaseRecord::Process(record) = &run.reports[3].record else { unreachable!() };
    assert_eq!((record.walk.join(" "), record.passed, &record.error), ("plan stuck".to_owned(), true, &None));
    assert_eq!(folder.files("runs"), [""; 0], "nothing is kept unless it is asked for");
}

#[cfg(unix)]
#[tokio::test]
async fn a_symlink_beside_scenarios_is_a_failure_that_says_why() {
    let folder = Folder::new().with_passing("passes");
    folder.write("elsewhere/scenario.yaml", "");
    std::os::unix::fs::symlink(folder.at("elsewhere"), folder.at("s/link")).unwrap();
    let run = folder.run(&folder.setup(), &Options::default(), &mut Interrupts::never()).await;
    assert_eq!(run.reports.len(), 2);
    insta::assert_snapshot!(folder.said(&run.reports[0]), @"ScenarioFormatError: s/link: this is a symbolic link beside scenarios, and is not followed; put a copy in its place, or name the folder that it leads to");
}

#[tokio::test]
async fn a_panic_in_a_gate_is_the_failure_of_its_scenario() {
    let folder = Folder::new().with("panics", STUCK).with_passing("passes");
    let setup = folder.setup_with("panicking");
    let run = folder.run(&setup, &Options::default(), &mut Interrupts::never()).await;
    assert_eq!(run.ended, Ended::Completed);
    let said = folder.said(&run.reports[0]);
    assert!(said.contains(r#"found "block" (panicking failed: it panicked: a bug in a gate)"#), "{said}");
    assert_eq!(run.reports[1].status, CaseStatus::Passed);
}

#[tokio::test]
async fn an_interrupted_scenario_is_cancelled_and_its_world_is_gone() {
    let folder = Folder::new().with("stuck", STUCK);
    let (interrupter, mut interrupts) = Interrupts::channel();
    let setup = folder.setup();
    let options = Options::default();
    let suite = folder.run(&setup, &options, &mut interrupts);
    let (run, ()) = tokio::join!(suite, async {
        while folder.files("worlds").is_empty() {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        interrupter.interrupt();
    });
    assert_eq!(run.ended, Ended::Interrupted);
    assert_eq!(ended(&run), [("process/stuck".to_owned(), CaseStatus::Cancelled, "CANCELLED")]);
    assert_eq!(run.reports[0].detail, "stopped before its end");
}

#[tokio::test]
async fn a_scenario_over_its_limit_says_so() {
    let folder = Folder::new().with("stuck", STUCK);
    let options = Options { case_timeout: Duration::from_secs(1), ..Options::default() };
    let run = folder.run(&folder.setup(), &options, &mut Interrupts::never()).await;
    assert_eq!(run.reports[0].status, CaseStatus::Errored);
    assert_eq!(run.reports[0].detail, "it passed the case limit of 1 s (timeouts.case_s)");
}
