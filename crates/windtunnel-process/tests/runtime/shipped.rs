//! The verbs over the shipped graph and its own hooks.

use windtunnel_process::graph::work_item_loop;
use windtunnel_process::state::Status;
use windtunnel_process::transport::{Comment, Operation, marked};

use crate::world::World;

const SKIP_BOTH: &str = "the-loop execute\n\n- [ ] spec-chain\n- [ ] review-chain\n";

/// The labels that were set, in order.
fn labels(world: &World) -> Vec<String> {
    let calls =
        world.control.calls().into_iter().filter(|call| call.succeeded && call.operation == "set-labels");
    calls.map(|call| call.arguments["labels"].to_string()).collect()
}

/// A started item on the shipped graph.
async fn started() -> World {
    let world = World::of_graph(work_item_loop().unwrap());
    assert_eq!(world.start().await, "pass phase-selection, to phase-selection");
    world
}

/// What was told of these names, without what was told of others.
fn told_of(world: &World, names: &[&str]) -> Vec<String> {
    let told = world.told().into_iter();
    told.filter(|line| names.iter().any(|name| line.split(' ').next() == Some(name))).collect()
}

#[tokio::test]
async fn a_walk_begins_with_a_label_a_checklist_and_a_pause() {
    let world = started().await;
    assert_eq!(world.told(), ["graph.started node=phase-selection", "graph.parked node=phase-selection"]);
    assert_eq!(labels(&world), ["[\"loop:phase-selection\"]"]);
    let [checklist] = world.posted().try_into().unwrap();
    assert!(checklist.contains("- [x] `spec-chain`"), "{checklist}");
}

#[tokio::test]
async fn a_small_item_is_walked_from_its_selection_to_its_end() {
    let world = started().await;
    world.told();
    let sets = |name| work_item_loop().unwrap().skip_sets().find(|(set, _)| *set == name).unwrap().1.to_vec();
    let (spec, review) = (sets("spec-chain"), sets("review-chain"));
    assert_eq!(world.comment(SKIP_BOTH).await, "pass phase-selection on selected, to implementation");
    let told = world.told();
    let nodes = serde_json::to_string(&[spec.clone(), review.clone()].concat()).unwrap();
    assert_eq!(
        told[..3],
        [
            format!("graph.skips_declared via=selection nodes={nodes} by=@owner"),
            "graph.skips_declared via=not-selected nodes=[\"design-critic-review\"]".to_owned(),
            "graph.advanced node=phase-selection to=brainstorming outcome=selected".to_owned()
        ]
    );
    let skipped: Vec<_> = told.iter().filter(|line| line.starts_with("graph.node_skipped")).collect();
    assert_eq!(skipped.len(), spec.len() + 1);
    assert!(
        skipped
            .iter()
            .all(|line| line.ends_with("via=selection by=@owner") || line.ends_with("via=not-selected"))
    );

    assert_eq!(world.complete("implementation").await, "pass implementation on pass, to verification");
    world.says("execution-log.md", "# Log\n\n## Verification results\n\nAll green.\n");
    assert_eq!(world.complete("verification").await, "pass verification on pass, to human-approval");
    assert_eq!(world.told().last().unwrap(), "graph.parked node=human-approval");
    assert_eq!(world.comment("approved").await, "pass human-approval on approved, to complete");
    assert_eq!(world.state().status, Status::Running);
    assert_eq!(world.complete("complete").await, "pass complete, at complete");
    assert_eq!(
        world.told(),
        ["graph.advanced node=human-approval to=complete outcome=approved", "graph.completed node=complete"]
    );
    assert_eq!(
        labels(&world),
        [
            "[\"loop:phase-selection\"]",
            "[\"loop:implementation\"]",
            "[\"loop:verification\"]",
            "[\"loop:complete\"]"
        ]
    );
}

#[tokio::test]
async fn only_people_who_may_speak_release_a_gate() {
    let world = started().await;
    world.told();
    let execute = "the-loop execute".to_owned();
    for comment in [
        Comment { author: "stranger".to_owned(), body: execute.clone() },
        Comment { author: "owner".to_owned(), body: marked(&execute) },
    ] {
        let answer = world.hear(comment).await;
        assert!(answer.starts_with("wait phase-selection, at phase-selection: "), "{answer}");
        assert_eq!(world.told(), ["graph.parked node=phase-selection"]);
    }
    let owner = Comment { author: "Owner".to_owned(), body: execute };
    assert_eq!(world.hear(owner).await, "pass phase-selection on selected, to brainstorming");
}

#[tokio::test]
async fn a_missing_artifact_blocks_and_twice_in_a_row_gives_the_node_up() {
    let world = started().await;
    world.comment("the-loop execute\n- [ ] brainstorming").await;
    world.told();
    let blocked = world.complete("requirements-definition").await;
    assert!(blocked.starts_with("block requirements-definition, at requirements-definition: "), "{blocked}");
    assert!(blocked.contains("no requirements.md or bugfix.md"), "{blocked}");
    let told = world.told();
    assert_eq!(told.len(), 1);
    assert!(
        told[0].starts_with("graph.blocked node=requirements-definition hook=validate-artifacts messages=[")
    );
    let given_up = world.complete("requirements-definition").await;
    assert!(given_up.starts_with("escalated requirements-definition, to escalated: "), "{given_up}");
    assert_eq!(world.told()[1..], ["graph.escalated node=requirements-definition attempts=2"]);
    assert_eq!(world.state().status, Status::Escalated);
}

#[tokio::test]
async fn an_outage_degrades_and_changes_no_verdict() {
    let world = started().await;
    world.comment(SKIP_BOTH).await;
    world.told();
    world.control.fail(Operation::ALL);
    assert_eq!(world.complete("implementation").await, "pass implementation on pass, to verification");
    let told = world.told();
    assert_eq!(told[0], "graph.advanced node=implementation to=verification outcome=pass");
    assert_eq!(told.len(), 2);
    assert!(
        told[1].starts_with("graph.hook_degraded node=verification hook=set-phase-label error="),
        "{}",
        told[1]
    );
}

#[tokio::test]
async fn phases_can_be_skipped_by_hand_on_the_way() {
    let world = started().await;
    world.comment("the-loop execute").await;
    world.told();
    assert_eq!(world.skip(&["spec-chain"]).await, "pass brainstorming, to implementation");
    let told = told_of(&world, &["graph.skips_declared", "graph.node_skipped"]);
    assert_eq!(told.len(), 9, "a declaration, seven nodes of the set and the opt-in: {told:#?}");
    assert_eq!(
        world.skip(&["phase-selection", "complete"]).await,
        "refused implementation, at implementation: phase-selection cannot be skipped: it is required; \
         complete cannot be skipped: the walk ends there"
    );
}

#[tokio::test]
async fn a_walk_is_tidied_up_after_by_hand() {
    let world = started().await;
    assert_eq!(world.force("cleanup").await, "pass phase-selection, to cleanup");
    assert_eq!(world.complete("cleanup").await, "pass cleanup, at cleanup");
    assert_eq!(world.told().last().unwrap(), "graph.completed node=cleanup");
    assert_eq!(labels(&world).last().unwrap(), "[\"loop:cleanup\"]");
}

#[tokio::test]
async fn a_question_parks_the_agent_and_the_answer_reaches_its_session() {
    let world = started().await;
    world.comment(SKIP_BOTH).await;
    let assigned = world.delivered().len();
    world.ask("Keep the old name?").await;
    assert!(world.complete("implementation").await.starts_with("wait implementation"));
    world.session.set_missing(true);
    assert!(world.reply("Yes.").await.is_err());
    world.session.set_missing(false);
    world.reply("Yes.").await.unwrap();
    assert_eq!(world.delivered()[assigned..], ["Yes."]);
    assert_eq!(
        told_of(&world, &["session.awaiting_input", "session.reply_sent"]),
        [
            "session.awaiting_input question=Keep the old name? comment_posted=true",
            "session.reply_sent actor=owner"
        ]
    );
    assert_eq!(world.complete("implementation").await, "pass implementation on pass, to verification");
}
