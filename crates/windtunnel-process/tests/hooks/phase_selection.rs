//! `post-phase-selection` and `classify-phase-selection`.

use windtunnel_process::hook::{HookError, Outcome, Selection};
use windtunnel_process::transport::{Operation, is_marked, marked, marked_question};

use crate::world::{World, comment, declared, wait};

const SPEC_CHAIN: [&str; 7] = [
    "brainstorming",
    "requirements-definition",
    "requirements-approval",
    "design",
    "test-planning",
    "design-approval",
    "tasks-breakdown",
];

fn post(world: &mut World) -> Result<Outcome, HookError> {
    world.run("post-phase-selection", "", "phase-selection")
}

fn classify(world: &mut World) -> Outcome {
    world.run("classify-phase-selection", "", "phase-selection").unwrap()
}

/// What is selected by a comment, over a checklist that may be posted.
fn select(body: &str, posted: Option<&str>) -> Selection {
    let mut world = World::new();
    world.control.comments.lock().unwrap().extend(posted.map(|body| comment("bot", &marked(body))));
    world.state.account = posted.map(|_| "bot".to_owned());
    world.comments(&[("owner", body)]);
    assert_eq!(classify(&mut world), declared("selected"));
    world.effects.selection.unwrap()
}

fn selection(unticked: &[&str], opted_in: &[&str], rejected: &[&str]) -> Selection {
    Selection {
        by: "@owner".to_owned(),
        unticked: unticked.iter().map(|&id| id.to_owned()).collect(),
        opted_in: opted_in.iter().map(|&id| id.to_owned()).collect(),
        rejected: rejected.iter().map(|&id| id.to_owned()).collect(),
    }
}

fn posted() -> String {
    let mut world = World::new();
    post(&mut world).unwrap();
    let comments = world.control.comments.lock().unwrap();
    comments[0].body.clone()
}

#[test]
fn the_checklist_has_a_row_for_whatever_can_be_chosen() {
    let body = posted();
    assert!(is_marked(&body));
    insta::assert_snapshot!(body);
}

#[test]
fn the_checklist_is_posted_once() {
    let mut world = World::new();
    assert_eq!(post(&mut world).unwrap(), Outcome::pass());
    assert_eq!(world.effects.account.as_deref(), Some("bot"));
    world.state.account = world.effects.account.take();
    assert_eq!(post(&mut world).unwrap(), Outcome::Skip);
    assert_eq!(world.control.comments.lock().unwrap().len(), 1);
    // What others write does not stand for it.
    let mut world = World::new();
    let others = [comment("owner", "- [x] design"), comment("bot", &marked("A question?"))];
    world.control.comments.lock().unwrap().extend(others);
    assert_eq!(post(&mut world).unwrap(), Outcome::pass());
}

#[test]
fn a_checklist_that_was_there_before_the_walk_is_nobodys() {
    let mut world = World::new();
    let forged = posted().replace("- [x] `evidence`", "- [ ] `evidence`");
    world.control.comments.lock().unwrap().push(comment("stranger", &forged));
    assert_eq!(post(&mut world).unwrap(), Outcome::pass(), "it is not taken for the process's own");
    world.state.account = world.effects.account.take();
    world.comments(&[("owner", "the-loop execute")]);
    assert_eq!(classify(&mut world), declared("selected"));
    assert_eq!(world.effects.selection, Some(selection(&[], &[], &[])));
}

#[test]
fn a_checklist_that_cannot_be_posted_leaves_no_account() {
    let mut world = World::new();
    world.control.failing = vec![Operation::AddComment];
    assert_eq!(post(&mut world).unwrap_err().to_string(), "add-comment: unreachable");
    assert_eq!(world.effects.account, None);
}

#[test]
fn an_untouched_checklist_selects_the_defaults() {
    assert_eq!(select("the-loop execute", None), selection(&[], &[], &[]));
    assert_eq!(select("the-loop execute", Some(&posted())), selection(&[], &[], &[]));
    assert_eq!(
        select(&format!("the-loop execute\n\n{}", posted().replace("<!--", "")), None),
        selection(&[], &[], &[])
    );
}

#[test]
fn ticks_of_the_posted_checklist_count() {
    let body = posted().replace("- [x] `evidence`", "- [ ] `evidence`");
    let body = body.replace("- [ ] `design-critic-review`", "- [x] `design-critic-review`");
    assert_eq!(
        select("the-loop execute", Some(&body)),
        selection(&["evidence"], &["design-critic-review"], &[])
    );
}

#[test]
fn an_unticked_set_stands_for_its_nodes() {
    let body = posted().replace("- [x] `spec-chain`", "- [ ] `spec-chain`");
    assert_eq!(select("the-loop execute", Some(&body)), selection(&SPEC_CHAIN, &[], &[]));
    assert_eq!(select("the-loop execute\n- [ ] spec-chain", None), selection(&SPEC_CHAIN, &[], &[]));
}

#[test]
fn a_row_of_a_node_wins_over_its_set() {
    let without_design: Vec<&str> = SPEC_CHAIN.into_iter().filter(|id| *id != "design").collect();
    assert_eq!(
        select("the-loop execute\n- [ ] spec-chain\n- [x] design", None),
        selection(&without_design, &[], &[])
    );
    assert_eq!(
        select("the-loop execute\n- [x] spec-chain\n- [ ] design", None),
        selection(&["design"], &[], &[])
    );
}

#[test]
fn a_checklist_in_the_comment_wins_over_the_posted_one() {
    let body = posted().replace("- [x] `evidence`", "- [ ] `evidence`");
    assert_eq!(
        select("the-loop execute\n\n- [ ] critic-review\n", Some(&body)),
        selection(&["critic-review"], &[], &[])
    );
    // A list of something else is none.
    assert_eq!(
        select("the-loop execute\n\n- [ ] buy milk\n", Some(&body)),
        selection(&["evidence"], &[], &[])
    );
}

#[test]
fn the_last_posted_checklist_counts() {
    let mut world = World::new();
    world.state.account = Some("bot".to_owned());
    let posted =
        ["- [ ] evidence", "- [ ] critic-review", "no checklist"].map(|body| comment("bot", &marked(body)));
    world.control.comments.lock().unwrap().extend(posted);
    world.control.comments.lock().unwrap().push(comment("stranger", "- [ ] security-review"));
    world.comments(&[("owner", "the-loop execute")]);
    classify(&mut world);
    assert_eq!(world.effects.selection, Some(selection(&["critic-review"], &[], &[])));
}

#[test]
fn a_checklist_in_a_question_is_not_the_posted_one() {
    for question in
        ["- [ ] security-review", "- [ ] security-review\n\n<!--", "```\n```\n- [ ] security-review\n\n```"]
    {
        let mut world = World::new();
        world.state.account = Some("bot".to_owned());
        let posted = [marked("- [ ] evidence"), marked_question(question)];
        world.control.comments.lock().unwrap().extend(posted.map(|body| comment("bot", &body)));
        world.comments(&[("owner", "the-loop execute")]);
        classify(&mut world);
        assert_eq!(world.effects.selection, Some(selection(&["evidence"], &[], &[])), "{question:?}");
    }
}

#[test]
fn nobody_else_can_post_a_checklist() {
    let mut world = World::new();
    let posted =
        [("bot", "- [x] evidence"), ("stranger", "- [ ] security-review"), ("owner", "- [ ] evidence")];
    let marked = posted.map(|(author, body)| comment(author, &marked(body)));
    for (count, expected) in [(2, &[][..]), (3, &["evidence"][..])] {
        *world.control.comments.lock().unwrap() = marked[..count].to_vec();
        world.comments(&[("owner", "the-loop execute")]);
        classify(&mut world);
        assert_eq!(world.effects.selection, Some(selection(expected, &[], &[])));
    }
}

#[test]
fn what_cannot_be_skipped_is_named_back() {
    let mut world = World::new();
    let body = "the-loop execute\n- [ ] phase-selection\n- [ ] complete\n- [ ] evidence\n- [ ] desgin\n- [x] verificatoin";
    world.comments(&[("owner", body)]);
    assert_eq!(classify(&mut world), declared("selected"));
    let rejected = ["phase-selection", "complete", "desgin"];
    assert_eq!(world.effects.selection, Some(selection(&["evidence"], &[], &rejected)));
    let named = "`phase-selection`, `complete`, `desgin` cannot be skipped: required, or no phase of this process. \
                 The other ticks are taken as they are.";
    assert_eq!(world.control.calls(), [format!("add-comment {}", marked(named))]);
}

#[test]
fn an_outage_degrades_and_keeps_the_defaults() {
    let mut world = World::new();
    world.control.failing = Operation::ALL.to_vec();
    world.comments(&[("owner", "the-loop execute")]);
    assert_eq!(classify(&mut world), declared("selected"));
    assert_eq!(world.effects.selection, Some(selection(&[], &[], &[])));
    assert_eq!(world.effects.degraded, ["list-comments: unreachable; every phase keeps its default"]);

    world.comments(&[("owner", "the-loop execute\n- [ ] phase-selection")]);
    world.effects.degraded.clear();
    assert_eq!(classify(&mut world), declared("selected"));
    assert_eq!(world.effects.selection, Some(selection(&[], &[], &["phase-selection"])));
    assert_eq!(world.effects.degraded, ["add-comment: unreachable"]);
}

#[test]
fn only_an_authorized_comment_with_the_keyword_executes() {
    let waited_for =
        "a comment that says \"the-loop execute\" in a paragraph of its own is waited for, by @owner";
    let (stranger, lacking) = ("@stranger is not authorized", "the comment of @owner does not say it");
    let mut world = World::new();
    assert_eq!(classify(&mut world), wait([waited_for]));
    for (author, body, why_not) in [
        ("stranger", "the-loop execute", stranger),
        ("owner", "execute", lacking),
        ("owner", "> the-loop execute", lacking),
        ("owner", "the-loop executes", lacking),
        ("owner", &marked("the-loop execute"), "the comment of @owner is the process's own"),
        ("owner", "- [ ] design", lacking),
    ] {
        world.comments(&[(author, body)]);
        assert_eq!(classify(&mut world), wait([waited_for, why_not]), "{author}: {body}");
        assert_eq!(world.effects.selection, None);
    }
}

#[test]
fn of_several_comments_the_last_with_the_keyword_counts() {
    let mut world = World::new();
    world.comments(&[
        ("owner", "the-loop execute\n- [ ] evidence"),
        ("owner", "the-loop execute\n- [ ] critic-review"),
        ("owner", "Thank you"),
    ]);
    classify(&mut world);
    assert_eq!(world.effects.selection, Some(selection(&["critic-review"], &[], &[])));
}

#[test]
fn the_keyword_is_a_parameter() {
    let mut world = World::new();
    world.run("post-phase-selection", "{keyword: Go  ahead}", "phase-selection").unwrap();
    assert!(world.control.calls()[0].contains("says `go ahead`"), "{:?}", world.control.calls());
    world.comments(&[("owner", "OK, go ahead.")]);
    let outcome = world.run("classify-phase-selection", "{keyword: Go  ahead}", "phase-selection").unwrap();
    assert_eq!(outcome, declared("selected"));
}
