//! `await-inner-loops`.

use windtunnel_process::hook::Outcome;
use windtunnel_process::state::{ItemState, STATE_FILE};

use crate::world::{World, block, wait};

fn stands(world: &World, folder: &str, node: &str) {
    let path = world.folder.join("pr-loops").join(folder);
    std::fs::create_dir_all(&path).unwrap();
    let state = ItemState::at("pdlc-pr-loop", "pr-1", node);
    std::fs::write(path.join(STATE_FILE), serde_json::to_vec(&state).unwrap()).unwrap();
}

fn ask(world: &mut World) -> Outcome {
    world.run("await-inner-loops", "", "implementation").unwrap()
}

#[test]
fn nothing_started_and_nothing_declared_passes() {
    let mut world = World::new();
    assert_eq!(ask(&mut world), Outcome::pass());
    world.write("execution-log.md", "---\nrepos:\n---\n# Log\n");
    world.write("pr-loops/README.md", "");
    std::fs::create_dir_all(world.folder.join("pr-loops/pr-1")).unwrap();
    assert_eq!(ask(&mut world), Outcome::pass());
}

#[test]
fn every_started_loop_has_to_be_complete() {
    let mut world = World::new();
    stands(&world, "pr-1", "complete");
    stands(&world, "e2e__other/pr-2", "complete");
    assert_eq!(ask(&mut world), Outcome::pass());
    stands(&world, "pr-3", "review");
    stands(&world, "e2e__other/pr-4", "checks");
    assert_eq!(
        ask(&mut world),
        wait([
            "pr-loops/e2e__other/pr-4 stands at checks; complete is waited for",
            "pr-loops/pr-3 stands at review; complete is waited for",
        ])
    );
}

#[test]
fn every_declared_repository_needs_a_loop() {
    let mut world = World::new();
    let declared = "---\nrepos:\n  - E2E/e2e\n  - other\n  - acme/tools\n---\n# Log\n";
    world.write("execution-log.md", declared);
    let lacking = |repo| format!("no loop was started in {repo}, which execution-log.md declares");
    assert_eq!(ask(&mut world), wait([&lacking("E2E/e2e"), &lacking("e2e/other"), &lacking("acme/tools")]));
    stands(&world, "pr-1", "complete");
    stands(&world, "acme__tools/pr-9", "complete");
    assert_eq!(ask(&mut world), wait([&lacking("e2e/other")]));
    stands(&world, "e2e__other/pr-2", "review");
    assert_eq!(ask(&mut world), wait(["pr-loops/e2e__other/pr-2 stands at review; complete is waited for"]));
    stands(&world, "e2e__other/pr-2", "complete");
    assert_eq!(ask(&mut world), Outcome::pass());
}

#[test]
fn a_single_repository_may_be_declared_without_a_list() {
    let mut world = World::new();
    world.write("execution-log.md", "---\nrepos: acme/tools\n---\n");
    assert_eq!(ask(&mut world), wait(["no loop was started in acme/tools, which execution-log.md declares"]));
}

#[test]
fn the_items_own_repository_is_the_origin_where_none_is_configured() {
    let mut world = World::new();
    world.config.origin_repo = None;
    world.write("execution-log.md", "---\nrepos: [e2e]\n---\n");
    stands(&world, "pr-1", "complete");
    assert_eq!(ask(&mut world), Outcome::pass());
}

#[test]
fn a_loop_that_cannot_be_read_blocks() {
    let mut world = World::new();
    stands(&world, "pr-1", "review");
    world.write("pr-loops/pr-2/graph-state.json", "{");
    let Outcome::Block { findings } = ask(&mut world) else { panic!("it has to block") };
    assert_eq!(findings.len(), 1);
    assert!(findings[0].starts_with("pr-loops/pr-2: where it stands cannot be read: "), "{findings:?}");
}

#[test]
fn a_folder_that_may_be_meant_for_a_loop_blocks() {
    let mut world = World::new();
    stands(&world, "pr-1", "complete");
    stands(&world, "acme__a__b/pr-2", "complete");
    assert_eq!(ask(&mut world), Outcome::pass());
    for folder in ["_", "a.b__c/pr-3", "__c/pr-3", "acme-tools/pr-3", "pr-03", "pr-x", "PR-3"] {
        stands(&world, folder, "review");
        let place = folder.split('/').next().unwrap();
        let expected = "this is no folder of a loop; expected pr-<number> or <owner>__<repo>";
        assert_eq!(ask(&mut world), block([&format!("pr-loops/{place}: {expected}")]), "{folder}");
        std::fs::remove_dir_all(world.folder.join("pr-loops").join(place)).unwrap();
    }
    stands(&world, "acme__a__b/pr-+3", "review");
    let expected = "pr-loops/acme__a__b/pr-+3: this is no folder of a loop; expected pr-<number>";
    assert_eq!(ask(&mut world), block([expected]));
}

#[cfg(unix)]
#[test]
fn a_link_in_the_place_of_a_loop_blocks() {
    let mut world = World::new();
    stands(&world, "pr-1", "complete");
    crate::world::link(&world.folder.join("pr-loops/acme-tools"), "pr-1".into());
    let expected =
        "pr-loops/acme-tools: this is no folder of a loop; expected pr-<number> or <owner>__<repo>";
    assert_eq!(ask(&mut world), block([expected]));
}

#[test]
fn a_declaration_that_names_no_repository_blocks() {
    let mut world = World::new();
    world.write("execution-log.md", "---\nrepos:\n  - e2e\n  - a__b/c\n  - {name: e2e}\n---\n");
    stands(&world, "pr-1", "complete");
    assert_eq!(
        ask(&mut world),
        block([
            "execution-log.md:4: \"a__b/c\" is no repository; expected <owner>/<repo>, or <repo>",
            "execution-log.md:5: {\"name\":\"e2e\"} is no repository; expected <owner>/<repo>, or <repo>",
        ])
    );
    world.write("execution-log.md", "---\nrepos: [\n---\n");
    assert_eq!(ask(&mut world), block(["execution-log.md:2:8: unclosed bracket '['"]));
}
