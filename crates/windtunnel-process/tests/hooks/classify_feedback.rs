//! `classify-feedback`. What a comment says is tested where comments are read.

use windtunnel_process::hook::{Feedback, FeedbackKind, Outcome};
use windtunnel_process::transport::marked;

use crate::world::{World, comment, declared, wait};

const WAITING: &str = "a paragraph that says \"approved\" and no more than thanks beside it, or one that begins with \"approved with comments:\" or \
     \"changes requested:\", is waited for, by @owner";

fn hear(comments: &[(&str, &str)]) -> (Outcome, Option<Feedback>) {
    let mut world = World::new();
    world.comments(comments);
    let outcome = world.run("classify-feedback", "", "design-approval").unwrap();
    (outcome, world.effects.feedback)
}

#[test]
fn each_kind_is_an_outcome() {
    for kind in FeedbackKind::ALL {
        let (outcome, feedback) = hear(&[("owner", kind.name())]);
        assert_eq!(outcome, declared(kind.name()));
        assert_eq!(feedback, Some(Feedback { kind, comment: comment("owner", kind.name()) }));
    }
}

#[test]
fn the_last_decisive_comment_wins() {
    let comments =
        [("owner", "approved"), ("owner", "changes requested: the store"), ("owner", "Thank you!")];
    let (outcome, feedback) = hear(&comments);
    assert_eq!(outcome, declared("changes-requested"));
    assert_eq!(feedback.unwrap().comment.body, "changes requested: the store");
}

#[test]
fn without_a_decisive_comment_it_waits() {
    assert_eq!(hear(&[]), (wait([WAITING]), None));
    let undecided = "the comment of @owner decides nothing";
    assert_eq!(hear(&[("owner", "approved if CI is green")]), (wait([WAITING, undecided]), None));
    let mut world = World::new();
    assert_eq!(world.run("classify-feedback", "", "design-approval").unwrap(), wait([WAITING]));
}

#[test]
fn only_authorized_people_are_heard() {
    let stranger = "@stranger is not authorized";
    assert_eq!(hear(&[("stranger", "approved")]), (wait([WAITING, stranger]), None));
    let others = wait([WAITING, "@owner2 is not authorized", "@ is not authorized"]);
    assert_eq!(hear(&[("owner2", "approved"), ("", "approved"), ("owner2", "approved")]), (others, None));
    assert_eq!(hear(&[("Owner", "approved")]).0, declared("approved"));
}

#[test]
fn the_process_does_not_hear_itself() {
    let own = "the comment of @owner is the process's own";
    assert_eq!(hear(&[("owner", &marked("approved"))]), (wait([WAITING, own]), None));
    let comments = [("owner", "approved"), ("owner", &marked("changes requested"))];
    assert_eq!(hear(&comments).0, declared("approved"));
}

#[test]
fn where_nobody_is_authorized_that_is_said() {
    let mut world = World::new();
    world.config.authorized_users.clear();
    world.comments(&[("owner", "approved")]);
    let nobody = "nobody: .the-loop/harness-config.yaml names no authorizedUsers";
    let expected = WAITING.replace("@owner", nobody);
    assert_eq!(
        world.run("classify-feedback", "", "design-approval").unwrap(),
        wait([&expected, "@owner is not authorized"])
    );
}
