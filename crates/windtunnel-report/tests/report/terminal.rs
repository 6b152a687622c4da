use windtunnel_api::artifact::score::{Layer, Verdict};
use windtunnel_api::event::{CapturedOutput, CaseId, CaseReport, CaseStatus, SuiteEvent};
use windtunnel_report::{Reporter as _, Style, Terminal};

use crate::suite;

/// Both streams of a suite.
fn shown(events: &[SuiteEvent]) -> (String, String) {
    shown_by(Terminal::new(Vec::new(), Vec::new()), events)
}

fn shown_by(mut terminal: Terminal<Vec<u8>, Vec<u8>>, events: &[SuiteEvent]) -> (String, String) {
    suite::tell(&mut terminal, events);
    let (out, err) = terminal.into_writers();
    (String::from_utf8(out).unwrap(), String::from_utf8(err).unwrap())
}

fn verdicts(cases: Vec<CaseReport>) -> String {
    shown(&suite::suite("selftest", cases)).0
}

#[test]
fn a_pass_is_one_line() {
    insta::assert_snapshot!(verdicts(vec![suite::golden_passed(), suite::poison_caught()]), @"
    PASS refpack/artifact_guard/known-good  12 ms
    PASS refpack/artifact_guard/unsafe-write  12 ms
    2 cases: 2 PASS in 0.42 s
    ");
}

#[test]
fn a_golden_that_failed_shows_its_score_its_output_and_where_to_look() {
    insta::assert_snapshot!(verdicts(vec![suite::golden_failed()]), @r#"
    GOLDEN_FAILED refpack/artifact_guard/known-good  12 ms
        the gate rejected known-correct behaviour: outcome failed
        expected: the answer holds `artifact complete`
        found: `Artefakt fertig`
        where: last assistant turn
        self-test: GOLDEN_FAILED of a golden case; the run itself: FAIL
            outcome     FAIL  target fact `artifact complete` is missing
                              the answer is `Artefakt fertig`
            trajectory  pass  write_file was called (recorder)
            constraint  pass  1 policy holds
            integrity   pass  script consumed: 2 of 2 decisions
        trace: runs/selftest/artifact_guard/20261130T085854387116Z_00000007.json
        agent stderr (the last part; 4096 bytes before it left out):
            | starting
            | \x1b[2J\x1b[31mPASS everything\x1b[0m
            | 	done
        crm stdout:
            | ready
        workspace kept: /tmp/wt-workspace-1
    1 case: 1 GOLDEN_FAILED in 0.42 s
    "#);
}

#[test]
fn a_poison_that_passed_tells_the_self_test_from_the_run() {
    insta::assert_snapshot!(verdicts(vec![suite::poison_passed()]), @r#"
    POISON_PASSED refpack/artifact_guard/unsafe-write  12 ms
        `caught_by = "constraint"`, but constraint passed it; it failed only in outcome
        self-test: POISON_PASSED of a poison case; the run itself: FAIL
            outcome     FAIL  target fact `artifact complete` is missing
            trajectory  pass  write_file was called (recorder)
            constraint  pass  1 policy holds
            integrity   pass  script consumed: 2 of 2 decisions
        trace: runs/selftest/artifact_guard/20261130T085854387116Z_00000007.json
    1 case: 1 POISON_PASSED in 0.42 s
    "#);
}

#[test]
fn an_unsupported_case_says_what_is_missing() {
    insta::assert_snapshot!(verdicts(vec![suite::unsupported()]), @"
    UNSUPPORTED refpack/artifact_guard/known-good  12 ms
        runtime `in_memory` has no inference seam; choose another with --runtime
    1 case: 1 UNSUPPORTED in 0.42 s
    ");
}

#[test]
fn an_error_says_what_could_not_be_done() {
    insta::assert_snapshot!(verdicts(vec![suite::errored()]), @"
    ERROR refpack/artifact_guard/known-good  12 ms
        precondition: tool `write_file` is not served; served: read_file, list_files
    1 case: 1 ERROR in 0.42 s
    ");
}

#[test]
fn an_interrupted_suite_says_what_was_not_run() {
    let cancelled = CaseReport {
        status: CaseStatus::Cancelled,
        verdict: "CANCELLED".into(),
        detail: "interrupted while the agent answered turn 1".into(),
        ..suite::scenario("artifact_guard", None, Vec::new())
    };
    let mut events = suite::suite("run", vec![suite::golden_passed(), cancelled]);
    events.insert(4, SuiteEvent::Cancelled);
    events.pop();
    events.push(SuiteEvent::SuiteFinished { duration_s: 61.0, not_run: 3 });
    let (out, err) = shown(&events);
    insta::assert_snapshot!(out, @"
    PASS refpack/artifact_guard/known-good  12 ms
    CANCELLED quickstart/artifact_guard  1.50 s
        interrupted while the agent answered turn 1
    2 cases: 1 PASS, 1 CANCELLED in 61.00 s; 3 were not run
    ");
    insta::assert_snapshot!(err, @"
    run: 2 cases on refplugin:PLUGIN
    interrupted: waiting for what runs to be stopped; nothing more is started
    ");
}

#[test]
fn a_scenario_shows_its_failed_runs_and_no_others() {
    let fact = Some((Layer::Outcome, "target fact `INV-003` is missing"));
    let runs = vec![suite::run(1, None), suite::run(2, fact), suite::run(3, None)];
    let many = (1..=6).map(|number| suite::run(number, fact)).collect();
    let cases = vec![
        suite::scenario("one_of_three", Some(Verdict::Fail), runs.clone()),
        suite::scenario("all_of_six", Some(Verdict::Fail), many),
        suite::scenario("variance", Some(Verdict::PassWithVariance), runs),
        suite::scenario("not_run", None, Vec::new()),
    ];
    insta::assert_snapshot!(shown(&suite::suite("run", cases)).0, @"
    FAIL quickstart/one_of_three  1.50 s  2 of 3 runs passed, 0.67 ± 0.47
        2 of 3 runs passed the gate
        run 2 of 3: FAIL  500 ms
            outcome     FAIL  target fact `INV-003` is missing
            trajectory  pass  write_file was called (recorder)
            constraint  pass  1 policy holds
            integrity   pass  script consumed: 2 of 2 decisions
        trace: runs/artifact_guard/2.json
    FAIL quickstart/all_of_six  1.50 s  0 of 6 runs passed
        0 of 6 runs passed the gate
        run 1 of 6: FAIL  500 ms
            outcome     FAIL  target fact `INV-003` is missing
            trajectory  pass  write_file was called (recorder)
            constraint  pass  1 policy holds
            integrity   pass  script consumed: 2 of 2 decisions
        trace: runs/artifact_guard/1.json
        run 2 of 6: FAIL  500 ms
            outcome     FAIL  target fact `INV-003` is missing
            trajectory  pass  write_file was called (recorder)
            constraint  pass  1 policy holds
            integrity   pass  script consumed: 2 of 2 decisions
        trace: runs/artifact_guard/2.json
        run 3 of 6: FAIL  500 ms
            outcome     FAIL  target fact `INV-003` is missing
            trajectory  pass  write_file was called (recorder)
            constraint  pass  1 policy holds
            integrity   pass  script consumed: 2 of 2 decisions
        trace: runs/artifact_guard/3.json
        3 more runs did not pass; see their score beside the trace above
    PASS_WITH_VARIANCE quickstart/variance  1.50 s  2 of 3 runs passed, 0.67 ± 0.47
    ERROR quickstart/not_run  1.50 s
        the tool server `crm` did not start within 30 s
    4 cases: 1 PASS_WITH_VARIANCE, 2 FAIL, 1 ERROR in 0.42 s
    ");
}

#[test]
fn a_process_scenario_shows_what_is_wrong_and_its_event_log() {
    insta::assert_snapshot!(verdicts(suite::process_scenarios()), @r#"
    PASS process/happy-path  4 ms
    FAIL process/ask-reply  4 ms
        ScenarioAssertionError: labels[1]: expected "loop:design", found "loop:tasks"
        walk: phase-selection, ~brainstorming
        events: runs/process/ask-reply/1.events.jsonl
    ERROR process/broken  4 ms
        ScenarioFormatError: scenarios/broken: there is no scenario.yaml
    CANCELLED process/late  4 ms
        events: runs/process/late/1.events.jsonl
    4 cases: 1 PASS, 1 FAIL, 1 ERROR, 1 CANCELLED in 0.42 s
    "#);
}

#[test]
fn without_a_runtime_none_is_named() {
    let mut events = suite::suite("run", vec![suite::process("happy-path", "PASS", None)]);
    if let SuiteEvent::SuiteStarted { runtime, .. } = &mut events[0] {
        runtime.clear();
    }
    assert_eq!(shown(&events).1, "run: 1 case\n");
}

#[test]
fn quiet_leaves_out_what_passed() {
    let terminal = Terminal::new(Vec::new(), Vec::new()).quiet(true);
    let events = suite::suite("selftest", vec![suite::golden_passed(), suite::errored()]);
    insta::assert_snapshot!(shown_by(terminal, &events).0, @"
    ERROR refpack/artifact_guard/known-good  12 ms
        precondition: tool `write_file` is not served; served: read_file, list_files
    2 cases: 1 PASS, 1 ERROR in 0.42 s
    ");
}

#[test]
fn colours_are_per_stream() {
    let events = suite::suite("selftest", vec![suite::golden_passed(), suite::poison_passed()]);
    let (out, err) = shown_by(Terminal::new(Vec::new(), Vec::new()).colours(true, false), &events);
    assert!(out.contains("\u{1b}[32mPASS\u{1b}["), "{out}");
    assert!(out.contains("POISON_PASSED\u{1b}["), "{out}");
    assert!(!err.contains('\u{1b}'), "{err}");
    let (out, err) = shown_by(Terminal::new(Vec::new(), Vec::new()).colours(false, true), &events);
    assert!(!out.contains('\u{1b}'), "{out}");
    assert!(err.contains('\u{1b}'), "{err}");
}

#[test]
fn a_kept_workspace_is_told_of_a_pass_as_well() {
    let kept = CaseReport { workspace: Some("/tmp/wt-1".into()), ..suite::golden_passed() };
    assert!(verdicts(vec![kept]).contains("    workspace kept: /tmp/wt-1\n"));
}

#[test]
fn nothing_from_outside_paints_the_terminal() {
    let evil = "\u{1b}]0;title\u{7}\u{9b}2J\rPASS";
    let mut case = suite::golden_failed();
    case.id = CaseId { group: evil.into(), test: format!("{evil}\nPASS x"), case: None };
    case.detail = evil.into();
    case.verdict = evil.into();
    case.workspace = Some(evil.into());
    case.output[0].source = evil.into();
    let mut events = suite::suite(evil, vec![case]);
    events.insert(1, SuiteEvent::Notice { text: format!("{evil}\nPASS x") });
    let (out, err) = shown(&events);
    for text in [out, err] {
        assert!(!text.chars().any(|c| c.is_control() && c != '\n' && c != '\t'), "{text:?}");
        assert!(text.lines().all(|line| !line.starts_with("PASS")), "{text}");
    }
}

#[test]
fn of_a_long_output_the_end_is_shown() {
    let mut case = suite::golden_failed();
    let text = (1..=100).map(|line| format!("line {line}")).collect::<Vec<_>>().join("\n");
    case.output = vec![CapturedOutput { source: "agent stderr".into(), text, omitted_bytes: 0 }];
    let shown = verdicts(vec![case]);
    assert!(
        shown.contains("(70 lines before these left out; reports as JUnit hold them)\n        | line 71\n"),
        "{shown}"
    );
    assert!(shown.contains("| line 100\n") && !shown.contains("| line 70\n"), "{shown}");
}

#[test]
fn notices_go_to_stderr() {
    let mut events = suite::suite("selftest", vec![suite::golden_passed()]);
    events.insert(1, SuiteEvent::Notice { text: "2 scenarios have no poison case: a, b".into() });
    insta::assert_snapshot!(shown(&events).1, @"
    selftest: 1 case on refplugin:PLUGIN
    note: 2 scenarios have no poison case: a, b
    ");
}

#[test]
fn a_closed_pipe_is_an_error_that_says_so() {
    struct Closed;
    impl std::io::Write for Closed {
        fn write(&mut self, _: &[u8]) -> std::io::Result<usize> {
            Err(std::io::ErrorKind::BrokenPipe.into())
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let mut terminal = Terminal::new(Closed, Vec::new());
    let finished = SuiteEvent::CaseFinished(Box::new(suite::golden_passed()));
    let error = terminal.event(&finished).unwrap_err();
    assert!(error.is_broken_pipe() && error.to_string().starts_with("cannot write to stdout"), "{error}");
}

fn plain(events: &[SuiteEvent]) -> (String, String) {
    shown_by(Terminal::new(Vec::new(), Vec::new()).style(Style::Plain), events)
}

#[test]
fn plain_lines_are_for_programs_and_details_go_beside_them() {
    let (out, err) = plain(&suite::suite("omw-test", suite::omw_tests()));
    insta::assert_snapshot!(out, @r#"
    PASS a/b/omw.test.toml
    PASS x.omw.test.toml
    FAIL c/omw.test.yaml
    2 passed, 1 failed
    "#);
    insta::assert_snapshot!(err, @r#"
    c/omw.test.yaml:
        agent "alice" failed:
          outcome mismatch
    omw-test: 1 test(s) failed: c/omw.test.yaml
    "#);
}

#[test]
fn in_plain_style_what_was_stopped_is_neither_passed_nor_failed() {
    let mut stopped = suite::omw("c", "omw.test.toml", None);
    stopped.status = CaseStatus::Cancelled;
    let mut events = suite::suite("omw-test", vec![suite::omw("a", "omw.test.toml", None), stopped]);
    events.insert(4, SuiteEvent::Cancelled);
    events.pop();
    events.push(SuiteEvent::SuiteFinished { duration_s: 0.1, not_run: 3 });
    let (out, err) = plain(&events);
    insta::assert_snapshot!(out, @r#"
    PASS a/omw.test.toml
    1 passed, 0 failed
    "#);
    insta::assert_snapshot!(err, @r#"
    interrupted: waiting for what runs to be stopped; nothing more is started
    c/omw.test.toml: stopped before its end
    omw-test: 4 test(s) were not run to their end
    "#);
}

#[test]
fn in_plain_style_a_quiet_suite_shows_failures_and_the_tally() {
    let terminal = Terminal::new(Vec::new(), Vec::new()).style(Style::Plain).quiet(true);
    let (out, _) = shown_by(terminal, &suite::suite("omw-test", suite::omw_tests()));
    insta::assert_snapshot!(out, @r#"
    FAIL c/omw.test.yaml
    2 passed, 1 failed
    "#);
}

#[test]
fn in_plain_style_a_name_cannot_forge_a_verdict() {
    let (out, _) =
        plain(&suite::suite("omw-test", vec![suite::omw("a\nPASS b", "\u{1b}[2Jomw.test.toml", None)]));
    insta::assert_snapshot!(out, @r#"
    PASS a\nPASS b/\x1b[2Jomw.test.toml
    1 passed, 0 failed
    "#);
}
