use std::fs;

use windtunnel_testkit::Folder;

use crate::harness::CallWt;

#[test]
fn the_starter_passes_and_can_be_broken() {
    let folder = Folder::new();
    folder.wt("new --process work/flow").succeeds().says("wt run work/flow");
    folder.wt("run work/flow").succeeds().says("PASS process/flow-requirements").says("1 case: 1 PASS");
    folder.wt("run").succeeds().says("1 case: 1 PASS");

    let manifest = folder.path("work/flow/flow-requirements/scenario.yaml");
    let text = fs::read_to_string(&manifest).unwrap();
    fs::write(&manifest, text.replace("outcome: approved}", "outcome: changes-requested}")).unwrap();
    let finished = folder.wt("run work/flow").exits(1);
    finished.says("FAIL process/flow-requirements").says("expect.events[2]").says("changes-requested");

    fs::remove_file(folder.path("work/flow/flow-requirements/artifacts/draft.md")).unwrap();
    folder.wt("run work/flow").exits(1).says("ScenarioFormatError").says("draft.md");
}

#[test]
fn what_it_advises_can_be_typed() {
    let folder = Folder::new();
    for (line, advice) in [
        ("new --process -- -x", "wt run ./-x"),
        ("new --process 'a b/ü'", "wt run 'a b/ü'"),
        ("new \"it's\"", r"wt selftest 'it'\''s'"),
    ] {
        let finished = folder.shell_wt(&format!("\"$WT\" {line}")).succeeds();
        finished.says(advice);
        let typed = advice.replace("wt ", "\"$WT\" ");
        folder.shell_wt(&typed).succeeds().says(" PASS");
    }
}

#[test]
fn it_is_made_as_carefully_as_a_pack() {
    let folder = Folder::new().file("mine/notes.md", "mine");
    folder.wt("new --process mine").exits(2).complains("mine is not empty");
    assert_eq!(folder.files(""), ["mine/notes.md"]);
    fs::create_dir(folder.path("empty")).unwrap();
    folder.wt("new --process empty").succeeds();
    assert_eq!(
        folder.files("empty"),
        [
            "empty/README.md",
            "empty/empty-requirements/artifacts/draft.md",
            "empty/empty-requirements/artifacts/requirements.md",
            "empty/empty-requirements/scenario.yaml",
        ]
    );
}

#[test]
fn a_second_one_does_not_clash_with_the_first_or_with_a_pack() {
    let folder = Folder::new();
    folder.wt("new --process one").succeeds();
    folder.wt("new --process two").succeeds();
    folder.wt("new three").succeeds();
    folder.wt("run one two").succeeds().says("2 cases: 2 PASS");
    folder.wt("list").succeeds().says("3 scenarios");
    folder.wt("selftest").succeeds().says("3 cases: 3 PASS");
}
