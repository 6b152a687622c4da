//! Verbs that are cut off: by a log or a state that cannot be written, and walks that another runtime takes up.

use proptest::prelude::*;
use windtunnel_process::ProcessError;
use windtunnel_process::state::STATE_FILE;

use crate::world::World;

#[tokio::test]
async fn a_verb_whose_events_cannot_all_be_told_is_done_again() {
    for room in 0..2 {
        let world = World::at("build").await;
        let before = world.state_file();
        world.log.limit(Some(room));
        let error = world.runtime.complete(&world.item, "build", "tester").await.unwrap_err();
        assert!(matches!(error, ProcessError::EventLog(_)), "{error}");
        assert_eq!(world.state_file(), before);
        world.log.limit(None);
        world.told();
        assert_eq!(world.complete("build").await, "pass build on pass, to done");
        assert_eq!(
            world.told(),
            [
                "graph.advanced node=build to=check outcome=pass",
                "graph.advanced node=check to=done outcome=pass"
            ]
        );
    }
}

#[tokio::test]
async fn a_start_that_cannot_be_told_started_nothing() {
    let world = World::new();
    world.log.limit(Some(1));
    assert!(matches!(world.runtime.start(&world.item).await, Err(ProcessError::EventLog(_))));
    assert!(world.runtime.state(&world.item).unwrap().is_none());
    world.log.limit(None);
    assert_eq!(world.start().await, "pass choose, to choose");
}

#[tokio::test]
async fn a_state_that_cannot_be_written_leaves_the_one_before() {
    let world = World::at("build").await;
    let before = world.state_file();
    // The draft of a state is written to this place, where now no file can be made.
    std::fs::create_dir(world.folder().join(".graph-state.json.draft")).unwrap();
    let error = world.runtime.complete(&world.item, "build", "tester").await.unwrap_err();
    assert!(matches!(error, ProcessError::State(_)), "{error}");
    assert_eq!(world.state_file(), before);
}

#[tokio::test]
async fn a_gate_that_finds_more_than_can_be_kept_is_an_attempt_like_any_other() {
    let world = World::at("build").await;
    world.says("build", &format!("block {}", "x".repeat(1 << 20)));
    let envelope = world.runtime.complete(&world.item, "build", "tester").await.unwrap();
    assert_eq!(envelope.messages, [format!("{}…", "x".repeat(500))]);
    world.says("build", &format!("block {}", vec!["x"; 1_000_000].join("; ")));
    let envelope = world.runtime.complete(&world.item, "build", "tester").await.unwrap();
    assert_eq!(envelope.messages.len(), 51);
    assert_eq!(envelope.messages[50], "… and 999950 more");
    assert_eq!(world.state().attempts.count, 2);
    assert_eq!(world.state().attempts.messages, envelope.messages);
}

#[tokio::test]
async fn a_verb_writes_nothing_but_the_state() {
    let world = World::at("build").await;
    world.ask("which one?").await;
    world.reply("the left one").await.unwrap();
    world.force("draft").await;
    let names = std::fs::read_dir(world.folder()).unwrap().map(|entry| entry.unwrap().file_name());
    let mut names: Vec<String> = names.map(|name| name.into_string().unwrap()).collect();
    names.sort();
    // Where a folder cannot be locked there is a file for it.
    names.retain(|name| name != ".graph-state.lock");
    assert_eq!(names, ["approval", STATE_FILE]);
}

/// What may happen to an errand.
#[derive(Debug, Clone)]
enum Happening {
    Says(&'static str, &'static str),
    Advance,
    Claim(&'static str),
    ClaimCurrent,
    Skip(&'static str),
    Force(&'static str),
    Ask,
    Reply,
}

fn a_happening() -> impl Strategy<Value = Happening> {
    let node =
        || prop::sample::select(vec!["choose", "draft", "sketch", "approval", "build", "check", "done"]);
    let line = prop::sample::select(vec![
        "skip",
        "block a",
        "block b",
        "wait x",
        "fail y",
        "pass approved",
        "pass changes-requested",
        "select -draft +sketch",
    ]);
    prop_oneof![
        6 => (node(), line).prop_map(|(node, line)| Happening::Says(node, line)),
        2 => Just(Happening::Advance),
        1 => node().prop_map(Happening::Claim),
        8 => Just(Happening::ClaimCurrent),
        1 => node().prop_map(Happening::Skip),
        1 => node().prop_map(Happening::Force),
        1 => Just(Happening::Ask),
        1 => Just(Happening::Reply),
    ]
}

/// Lets all of it happen, and returns everything that was answered and told, and the state in the end.
async fn walked(happenings: &[Happening], resume: bool) -> (Vec<String>, String) {
    let mut world = World::new();
    let mut heard = vec![world.start().await];
    for happening in happenings {
        if resume {
            world = world.resumed();
        }
        heard.push(match happening {
            Happening::Says(file, line) => {
                world.says(file, line);
                continue;
            }
            Happening::Advance => world.advance().await,
            Happening::Claim(node) => world.complete(node).await,
            Happening::ClaimCurrent => world.complete(&world.state().current_node).await,
            Happening::Skip(name) => world.skip(&[name]).await,
            Happening::Force(node) => world.force(node).await,
            Happening::Ask => world.ask("which?").await,
            Happening::Reply => world.reply("that one").await.unwrap(),
        });
        heard.extend(world.told());
    }
    (heard, world.state_file())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_walk_that_another_runtime_takes_up_after_any_verb_is_the_same(
        happenings in prop::collection::vec(a_happening(), 1..24),
    ) {
        let tokio = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
        let (whole, cut) = tokio.block_on(async { (walked(&happenings, false).await, walked(&happenings, true).await) });
        prop_assert_eq!(whole, cut);
    }
}
