//! The world of a play: a checkout of its own, which ends with it.

use std::fs;

use camino::Utf8PathBuf;
use windtunnel_process::scenario::{Player, Scenario, play};

use crate::kit::{Folder, STEPS, block_on, names_in, setup};

fn errand() -> Folder {
    Folder::of(&format!("{STEPS}expect: {{status: complete}}\n"))
}

#[test]
fn a_world_is_a_clean_checkout_with_one_commit() {
    let folder = Folder::of("steps:\n  - advance\nexpect: {finalNode: plan}\n");
    let scenario = folder.load().unwrap();
    let temporary = folder.above();
    let setup = setup().temporary_dir(&temporary);
    block_on(async {
        let player = Player::new(&scenario, &setup).await.unwrap();
        let worlds: Vec<String> =
            names_in(&temporary).into_iter().filter(|name| name.starts_with("wt-")).collect();
        let [world] = worlds.as_slice() else { panic!("{worlds:?}") };
        let checkout = temporary.join(world).join("checkout");
        let git = |arguments: &[&str]| {
            let mut git = std::process::Command::new("git");
            // Where the tests are run by a hook of git's, these point to another repository.
            for name in ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"] {
                git.env_remove(name);
            }
            let output = git.args(arguments).current_dir(&checkout).output().unwrap();
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
            String::from_utf8(output.stdout).unwrap()
        };
        assert_eq!(git(&["status", "--porcelain"]), "");
        assert_eq!(git(&["log", "--format=%an %s"]), "owner Describe the process\n");
        assert_eq!(git(&["ls-files"]), ".the-loop/harness-config.yaml\n");
        assert_eq!(git(&["branch", "--show-current"]), "main\n");
        git(&["fsck", "--strict"]);
        player.finish().await.outcome.unwrap();
        assert!(!checkout.exists());
    });
}

#[test]
fn a_world_ends_with_its_play_whatever_comes_of_it() {
    let passes = errand();
    let fails = Folder::of("steps:\n  - complete: {node: complete}\n");
    for folder in [passes, fails] {
        let before = names_in(&folder.above());
        folder.play_in(&setup().temporary_dir(folder.above()));
        assert_eq!(names_in(&folder.above()), before);
    }
}

#[test]
fn a_world_ends_with_a_play_that_is_dropped_or_panics() {
    let folder = errand();
    let scenario = folder.load().unwrap();
    let setup = setup().temporary_dir(folder.above());
    let before = names_in(&folder.above());
    block_on(async {
        let mut player = Player::new(&scenario, &setup).await.unwrap();
        assert!(player.step().await);
        drop(player);
        assert_eq!(names_in(&folder.above()), before);
    });
    let panicked = std::thread::scope(|scope| {
        let play = scope.spawn(|| {
            block_on(async {
                let _player = Player::new(&scenario, &setup).await.unwrap();
                panic!("halfway");
            });
        });
        play.join()
    });
    assert!(panicked.is_err());
    assert_eq!(names_in(&folder.above()), before);
}

#[test]
fn plays_at_the_same_time_share_nothing() {
    let folder = errand();
    let scenario: Scenario = folder.load().unwrap();
    let runs: Utf8PathBuf = folder.above().join("runs");
    let setup = setup().runs_dir(&runs).temporary_dir(folder.above());
    let played = block_on(async {
        tokio::join!(play(&scenario, &setup), play(&scenario, &setup), play(&scenario, &setup))
    });
    let played = [played.0, played.1, played.2];
    for one in &played {
        one.outcome.as_ref().unwrap();
        assert_eq!(one.trace, played[0].trace);
    }
    assert_eq!(names_in(&runs.join("process/errand")).len(), 3);
}

#[test]
fn the_event_log_is_kept_where_it_is_asked_for() {
    let folder = errand();
    let runs = folder.above().join("runs");
    let played = folder.play_in(&setup().runs_dir(&runs));
    played.outcome.unwrap();
    let path = played.events_path.unwrap();
    assert_eq!(path, runs.join("process/errand/20260301T120000000000Z_00000000.events.jsonl"));
    let log = fs::read_to_string(path).unwrap();
    assert_eq!(log.lines().count(), played.trace.events.len());
    assert!(log.starts_with("{\"ts\":\"2026-03-01T12:00:00.000000+00:00\",\"work_item\":\"issue-42\",\"ref\":\"github:e2e/e2e#42\",\"event\":\"graph.started\",\"node\":\"plan\"}\n"), "{log}");
}

#[test]
fn the_event_log_of_a_play_that_fails_is_kept_too() {
    let folder = Folder::of("steps:\n  - complete: {node: complete}\n");
    let played = folder.play_in(&setup().runs_dir(folder.above().join("runs")));
    assert!(played.outcome.is_err());
    assert!(played.events_path.unwrap().exists());
}
