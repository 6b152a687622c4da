//! `ask` and `reply`.

use std::sync::Arc;

use async_trait::async_trait;
use windtunnel_process::state::Status;
use windtunnel_process::transport::{Operation, SessionError, SessionTransport, is_question};
use windtunnel_process::{ProcessError, WorkItem};

use crate::world::World;

#[tokio::test]
async fn a_question_is_posted_as_a_comment_of_the_process_and_parks_the_item() {
    let world = World::at("build").await;
    assert_eq!(world.ask("which one?").await, "wait build, at build: a question is open: which one?");
    assert_eq!(world.told(), ["session.awaiting_input question=which one? comment_posted=true"]);
    let posted = world.posted();
    assert!(posted.len() == 1 && posted[0].starts_with("which one?"), "{posted:?}");
    assert!(is_question(&posted[0]), "{posted:?}");
    assert_eq!(world.state().status, Status::Waiting);
}

#[tokio::test]
async fn a_question_that_cannot_be_posted_is_asked_all_the_same() {
    let world = World::at("build").await;
    world.control.fail([Operation::AddComment]);
    world.ask("which one?").await;
    assert_eq!(world.told(), ["session.awaiting_input question=which one? comment_posted=false"]);
    assert!(world.state().question.is_some());
}

#[tokio::test]
async fn nothing_is_decided_while_a_question_is_open() {
    let world = World::at("build").await;
    world.says("build", "block no");
    world.ask("which one?").await;
    world.told();
    let before = world.state_file();
    let open = "wait build, at build: a question is open: which one?";
    assert_eq!(world.advance().await, open);
    assert_eq!(world.complete("build").await, open);
    assert_eq!(world.complete("draft").await, "noop draft, at build: draft is behind");
    assert_eq!(world.complete("done").await, "refused done, at build: the item stands at build, not at done");
    assert!(world.told().is_empty());
    assert_eq!(world.state_file(), before);
}

#[tokio::test]
async fn a_reply_is_delivered_and_gives_the_item_back_as_it_was() {
    for (node, verdict, status) in [
        ("build", "", Status::Running),
        ("build", "block no", Status::Blocked),
        ("approval", "wait x", Status::Waiting),
    ] {
        let world = World::at(node).await;
        if !verdict.is_empty() {
            world.says(node, verdict);
            world.advance().await;
        }
        world.ask("which one?").await;
        world.told();
        assert_eq!(world.reply("the left one").await.unwrap(), format!("pass {node}, at {node}"));
        assert_eq!(world.told(), ["session.reply_sent actor=owner"]);
        assert_eq!(world.delivered(), ["the left one"]);
        assert_eq!((world.state().status, world.state().question), (status, None));
    }
}

#[tokio::test]
async fn a_reply_to_no_session_leaves_everything_as_it_was() {
    let world = World::at("build").await;
    world.ask("which one?").await;
    world.told();
    let before = world.state_file();
    world.session.set_missing(true);
    let error = world.reply("the left one").await.unwrap_err();
    assert!(matches!(error, ProcessError::Session(SessionError::Missing { .. })), "{error}");
    assert_eq!(error.to_string(), "no session works on issue-42");
    assert!(world.told().is_empty() && world.delivered().is_empty());
    assert_eq!(world.posted().len(), 1, "nothing but the question");
    assert_eq!(world.state_file(), before);
    world.session.set_missing(false);
    assert_eq!(world.reply("the left one").await.unwrap(), "pass build, at build");
}

#[tokio::test]
async fn another_question_takes_the_place_of_one_that_is_open() {
    let world = World::at("build").await;
    world.says("build", "block no");
    world.advance().await;
    world.ask("which one?").await;
    world.ask("the left one?").await;
    assert_eq!(world.state().question.unwrap().text, "the left one?");
    world.reply("yes").await.unwrap();
    assert_eq!(world.state().status, Status::Blocked, "as it was before the first");
}

#[tokio::test]
async fn a_reply_that_nobody_asked_for_is_delivered() {
    let world = World::at("build").await;
    assert_eq!(world.reply("hurry").await.unwrap(), "pass build, at build");
    assert_eq!(world.told(), ["session.reply_sent actor=owner"]);
    assert_eq!(world.state().status, Status::Running);
}

#[tokio::test]
async fn nothing_is_asked_or_replied_with_no_words() {
    let world = World::at("build").await;
    assert_eq!(world.ask(" ").await, "refused build, at build: the question is empty");
    assert_eq!(world.reply("\n").await.unwrap(), "refused build, at build: the reply is empty");
    assert!(world.told().is_empty() && world.posted().is_empty() && world.delivered().is_empty());
}

#[tokio::test]
async fn a_question_that_is_too_long_is_refused() {
    let world = World::at("build").await;
    let answer = world.ask(&"?".repeat(16_385)).await;
    assert_eq!(answer, "refused build, at build: the question has 16385 bytes; at most 16384 are taken");
    assert!(world.told().is_empty() && world.posted().is_empty());
}

#[tokio::test]
async fn a_reply_that_is_too_long_is_not_delivered() {
    let world = World::at("build").await;
    let answer = world.reply(&"!".repeat(16_385)).await.unwrap();
    assert_eq!(answer, "refused build, at build: the reply has 16385 bytes; at most 16384 are taken");
    let by = "n".repeat(257);
    let envelope = world.runtime.reply(&world.item, "yes", &by).await.unwrap();
    assert_eq!(envelope.messages, ["the name has 257 bytes; at most 256 are taken"]);
    assert!(world.told().is_empty() && world.delivered().is_empty());
}

/// A session that never answers.
struct Deaf;

#[async_trait]
impl SessionTransport for Deaf {
    async fn deliver(&self, _: &WorkItem, _: &str) -> Result<(), SessionError> {
        std::future::pending().await
    }
}

#[tokio::test(start_paused = true)]
async fn a_session_that_does_not_answer_is_given_up_after_a_minute() {
    let world = World::at("build").await;
    let runtime = world.another_runtime().with_session(Arc::new(Deaf));
    let error = runtime.reply(&world.item, "yes", "owner").await.unwrap_err();
    assert_eq!(error.to_string(), "the session of issue-42 was not reached: it took longer than 60 s");
    assert!(world.told().is_empty());
}

#[tokio::test]
async fn a_question_is_of_the_node_it_was_asked_at() {
    let world = World::at("build").await;
    world.ask("which one?").await;
    world.force("draft").await;
    assert_eq!((world.state().question, world.state().status), (None, Status::Running));
    world.ask("which other one?").await;
    world.skip(&["draft"]).await;
    assert_eq!(world.state().question, None);
    world.ask("anybody?").await;
    world.skip(&["build"]).await;
    assert!(world.state().question.is_some(), "the item stands where it was asked");
}
