use windtunnel_testkit::Folder;

use super::WithScenarios as _;
use crate::harness::CallWt;

#[test]
fn scenarios_are_played_without_a_model_and_leave_no_ledger() {
    let folder = Folder::new().with_passing("one").with_passing("two");
    let finished = folder.wt("run s").succeeds();
    finished.says("PASS process/one").says("PASS process/two").says("2 cases: 2 PASS in");
    let kept = folder.files("runs");
    assert_eq!(kept.len(), 4, "{kept:?}");
    for (file, ending) in kept.iter().zip([".events.jsonl", ".verdict.json"].into_iter().cycle()) {
        assert!(file.starts_with("runs/process/") && file.ends_with(ending), "{kept:?}");
    }
}

#[test]
fn a_failure_says_what_was_expected_and_found_where_and_what_was_observed() {
    let folder = Folder::new().with_passing("good").with_failing("bad");
    let finished = folder.wt("run s --runs-dir elsewhere").exits(1);
    let shown = finished.stdout.split_once("FAIL process/bad").unwrap().1;
    let lines: Vec<&str> = shown.lines().skip(1).take_while(|line| line.starts_with("    ")).collect();
    let (log, said) = lines.split_last().unwrap();
    assert!(log.starts_with("    events: elsewhere/process/bad/") && log.ends_with(".events.jsonl"), "{log}");
    insta::assert_snapshot!(said.join("\n"), @r#"
    ScenarioAssertionError: expect.nodes[1]: expected "design", found "brainstorming"
      asked for by expect at s/bad/scenario.yaml:6:28
      before it, steps[0] comment (scenario.yaml:4) was answered: pass on selected, now at brainstorming
    observed:
      current node: brainstorming, status: running
      walk (2): phase-selection, brainstorming
      labels (2): loop:phase-selection, loop:brainstorming
      events (4):
        start (scenario.yaml:2)
          [0] graph.started node: phase-selection
          [1] graph.parked node: phase-selection
        steps[0] comment (scenario.yaml:4)
          [2] graph.skips_declared via: not-selected, nodes: ["design-critic-review"]
          [3] graph.advanced node: phase-selection, to: brainstorming, outcome: selected
    "#);
    finished.says("PASS process/good").says("2 cases: 1 PASS, 1 FAIL in");
}

#[test]
fn both_kinds_are_one_suite() {
    let folder = Folder::new().with_pack().with_passing("one").with_failing("two");
    let finished = folder.wt("run --jobs 1").exits(1);
    finished.says("PASS desk/greet").says("PASS process/one").says("FAIL process/two");
    finished.says("3 cases: 2 PASS, 1 FAIL in").complains("run: 3 cases on bot");
    assert_eq!(folder.read("runs/ledger.ndjsonl").lines().count(), 1);
    folder.wt("run desk s/one").succeeds().says("2 cases: 2 PASS");
    folder.wt("run desk").succeeds().says("1 case: 1 PASS");
}

#[test]
fn a_pack_that_cannot_be_run_does_not_concern_process_scenarios() {
    let folder = Folder::new()
        .with_passing("one")
        .file("desk/pack.toml", "name = 'desk'\n")
        .file("desk/greet.scenario.toml", "name = 'greet'\nprompt = 'Hi'\ntarget_facts = [['hi']]\n");
    folder.wt("run").exits(2).complains("OPENAI_MODEL").complains("to play them alone: `wt run s/one`");
    folder.wt("run s").succeeds();
    folder.wt("run --scenario one").succeeds().complains("run: 1 case\n");
}

#[test]
fn several_runs_are_for_agents() {
    let folder = Folder::new().with_passing("one");
    folder.wt("run s --runs 3").succeeds().says("1 case: 1 PASS");
    assert_eq!(folder.files("runs").len(), 2);
}

#[test]
fn the_first_failure_can_end_it() {
    let folder = Folder::new().with_failing("a").with_passing("b").with_passing("c");
    folder.wt("run s --jobs 1 --fail-fast").exits(1).says("1 case: 1 FAIL in").says("; 2 were not run");
}

#[test]
fn quiet_shows_what_failed() {
    let folder = Folder::new().with_failing("bad").with_passing("good");
    let finished = folder.wt("run s --quiet").exits(1);
    finished.says("FAIL process/bad").says("2 cases: 1 PASS, 1 FAIL");
    assert!(!finished.stdout.contains("process/good"), "{finished}");
}

#[test]
fn a_kept_world_can_be_looked_at() {
    let folder = Folder::new().with_passing("one");
    let finished = folder.wt("run s --keep-workspace").succeeds();
    let world =
        finished.stdout.lines().find_map(|line| line.trim().strip_prefix("workspace kept: ")).unwrap();
    let state =
        std::fs::read_to_string(format!("{world}/checkout/docs/specs/issue-1/graph-state.json")).unwrap();
    assert!(state.contains(r#""current_node": "brainstorming""#), "{state}");
}

#[test]
fn self_tests_leave_process_scenarios_out_and_say_so_where_there_is_nothing_else() {
    let folder = Folder::new().with_passing("one");
    let finished = folder.wt("selftest s").exits(2);
    finished.complains("there are only process scenarios here, as s/one").complains("`wt run` plays them");
    folder.wt("doctor s").succeeds().says("process scenarios: 1 of 1 can be played");

    let folder = crate::harness::desk().with_passing("one");
    let finished = folder.wt("selftest").succeeds();
    finished.says("2 cases: 2 PASS");
    assert!(!finished.stdout.contains("process/"), "{finished}");
}
