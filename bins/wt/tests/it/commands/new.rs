//! `wt new`

use std::fs;
use std::os::unix::fs::PermissionsExt as _;

use crate::harness::CallWt;
use windtunnel_testkit::Folder;

#[test]
fn the_starter_pack_passes_its_own_self_test() {
    let folder = Folder::new();
    folder.wt("new packs/my-pack").succeeds().says("wt selftest packs/my-pack");
    folder.wt("selftest packs/my-pack --strict").succeeds().says("3 cases: 3 PASS");
    folder.wt("doctor packs/my-pack").succeeds().says("everything is in order");
}

#[test]
fn a_folder_that_is_there_and_empty_is_filled() {
    let folder = Folder::new();
    fs::create_dir(folder.path("empty")).unwrap();
    folder.wt("new empty").succeeds();
    assert_eq!(
        folder.files("empty"),
        ["empty/README.md", "empty/greeting.scenario.toml", "empty/pack.toml", "empty/workspace/name.txt"]
    );
    assert_eq!(fs::metadata(folder.path("empty")).unwrap().permissions().mode() & 0o777, 0o755);
}

#[test]
fn a_folder_with_something_in_it_is_left_alone() {
    let folder = Folder::new().file("mine/notes.md", "mine");
    folder.wt("new mine").exits(2).complains("mine is not empty");
    assert_eq!(folder.files(""), ["mine/notes.md"]);
}

#[test]
fn a_second_pack_does_not_clash_with_the_first() {
    let folder = Folder::new();
    folder.wt("new one").succeeds();
    folder.wt("new two").succeeds();
    folder.wt("selftest").succeeds().says("6 cases: 6 PASS");
}
