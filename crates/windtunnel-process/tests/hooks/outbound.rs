//! The hooks that tell somebody something: `set-phase-label`, `log-entry`, `request-review`, `notify`, `deliver-assignment`.

use windtunnel_process::hook::{Effort, Outcome};
use windtunnel_process::transport::{Operation, SessionError, marked};

use crate::world::{World, bind};

#[test]
fn none_of_them_decides() {
    for name in [
        "set-phase-label",
        "log-entry",
        "request-review",
        "notify",
        "deliver-assignment",
        "post-phase-selection",
    ] {
        assert_eq!(bind(name, "").unwrap().effort(), Effort::BestEffort, "{name}");
    }
}

#[test]
fn the_label_of_a_phase_takes_the_place_of_the_last() {
    let mut world = World::new();
    *world.control.labels.lock().unwrap() =
        ["bug", "loop:phase-selection", "loop:left-over"].map(str::to_owned).to_vec();
    assert_eq!(world.run("set-phase-label", "", "design").unwrap(), Outcome::pass());
    assert_eq!(world.control.calls(), ["get-labels", "set-labels bug loop:design"]);
    // Also where it is there already: who follows the calls sees every phase.
    assert_eq!(world.run("set-phase-label", "", "design").unwrap(), Outcome::pass());
    assert_eq!(world.control.calls()[2..], ["get-labels", "set-labels bug loop:design"]);
}

#[test]
fn a_node_without_phase_changes_no_label() {
    let mut world = World::new();
    assert_eq!(world.run("set-phase-label", "", "design-approval").unwrap(), Outcome::Skip);
    assert_eq!(world.control.calls(), [""; 0]);
}

#[test]
fn without_a_prefix_only_phases_of_the_graph_are_replaced() {
    let mut world = World::new();
    world.config.workflow.phase_label_prefix.clear();
    *world.control.labels.lock().unwrap() = ["bug", "implementation"].map(str::to_owned).to_vec();
    world.run("set-phase-label", "", "design").unwrap();
    assert_eq!(*world.control.labels.lock().unwrap(), ["bug", "design"]);
}

#[test]
fn labels_that_cannot_be_read_are_not_replaced() {
    let mut world = World::new();
    world.control.failing = vec![Operation::GetLabels];
    let error = world.run("set-phase-label", "", "design").unwrap_err();
    assert_eq!(error.to_string(), "get-labels: unreachable");
    assert_eq!(world.control.calls(), [""; 0]);
}

#[test]
fn an_outage_is_told_by_each_of_them() {
    let mut world = World::new();
    world.control.failing = vec![Operation::SetLabels, Operation::AddComment, Operation::PostMessage];
    for (hook, operation) in [
        ("set-phase-label", "set-labels"),
        ("request-review", "add-comment"),
        ("notify", "post-message"),
        ("post-phase-selection", "add-comment"),
    ] {
        let error = world.run(hook, "", "phase-selection").unwrap_err();
        assert_eq!(error.to_string(), format!("{operation}: unreachable"), "{hook}");
    }
}

#[test]
fn an_entry_goes_to_the_end_of_the_log() {
    let mut world = World::new();
    assert_eq!(world.run("log-entry", "", "design").unwrap(), Outcome::Skip);
    assert_eq!(world.files(), [""; 0], "no log is made");
    world.write("execution-log.md", "# Log");
    assert_eq!(world.run("log-entry", "", "design").unwrap(), Outcome::pass());
    assert_eq!(world.run("log-entry", "", "design-approval").unwrap(), Outcome::pass());
    assert_eq!(
        world.read("execution-log.md"),
        "# Log\n\n### 2026-01-31 — entry design\n\n### 2026-01-31 — entry design-approval\n"
    );
}

#[test]
fn an_entry_that_would_be_lost_in_what_is_not_closed_is_told() {
    for open in ["```\ncode\n", "~~~~\n~~~\n", "<pre>\n", "<script>\n", "<!--\n"] {
        let mut world = World::new();
        let log = format!("# Log\n\n## Review cycles\n\n{open}");
        world.write("execution-log.md", &log);
        let error = world.run("log-entry", "", "design").unwrap_err();
        let expected =
            "execution-log.md ends in code or HTML that is not closed, which a checkpoint would be lost in";
        assert_eq!(error.to_string(), expected, "{open:?}");
        assert_eq!(world.read("execution-log.md"), log);
    }
}

#[test]
fn a_log_that_is_no_file_is_told() {
    let mut world = World::new();
    std::fs::create_dir(world.folder.join("execution-log.md")).unwrap();
    let error = world.run("log-entry", "", "design").unwrap_err();
    assert_eq!(error.to_string(), "execution-log.md is a folder; expected a regular file");
}

#[test]
fn a_review_is_asked_for_in_a_comment_of_the_process() {
    let mut world = World::new();
    world.write("design.md", "");
    world.run("request-review", "{artifacts: [design.md, tasks.md]}", "design-approval").unwrap();
    world.run("request-review", "", "human-approval").unwrap();
    let answer = "Answer with a paragraph that says \"approved\" and no more, or with one that begins with \"approved with comments:\" \
         or \"changes requested:\".";
    assert_eq!(
        world.control.calls(),
        [
            format!(
                "add-comment {}",
                marked(&format!("`design-approval`: please review `design.md`. {answer}"))
            ),
            format!("add-comment {}", marked(&format!("`human-approval`: please review issue-42. {answer}"))),
        ]
    );
}

#[test]
fn a_message_says_where_the_item_stands() {
    let mut world = World::new();
    world.run("notify", "", "complete").unwrap();
    world.run("notify", "{message: please look}", "escalated").unwrap();
    assert_eq!(
        world.control.calls(),
        [
            "post-message issue-42 stands at complete",
            "post-message issue-42 stands at escalated: please look"
        ]
    );
}

#[test]
fn an_assignment_goes_to_the_session() {
    let mut world = World::new();
    let outcome =
        world.run("deliver-assignment", "{message: Keep it short.}", "requirements-definition").unwrap();
    assert_eq!(outcome, Outcome::pass());
    let expected = "issue-42 stands at requirements-definition: that is your work now. It leaves requirements.md or \
                    bugfix.md behind, in docs/specs/issue-42. Keep it short. Claim requirements-definition when it is done.";
    assert_eq!(world.session.calls(), [expected]);
}

#[test]
fn an_assignment_without_a_session_is_none() {
    let mut world = World::new();
    world.session.session = Some(SessionError::Missing { item: "issue-42".to_owned() });
    assert_eq!(world.run("deliver-assignment", "", "design").unwrap(), Outcome::Skip);
    world.session.session =
        Some(SessionError::Failed { item: "issue-42".to_owned(), reason: "no socket".to_owned() });
    let error = world.run("deliver-assignment", "", "design").unwrap_err();
    assert_eq!(error.to_string(), "the session of issue-42 was not reached: no socket");
}
