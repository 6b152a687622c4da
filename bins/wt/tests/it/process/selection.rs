use windtunnel_testkit::Folder;

use super::{WithScenarios as _, passing};
use crate::harness::CallWt;

#[test]
fn globs_choose_among_both_kinds() {
    let folder = Folder::new().with_pack().with_passing("grow").with_passing("other");
    let finished = folder.wt("run --scenario g*").succeeds();
    finished.says("PASS desk/greet").says("PASS process/grow").says("2 cases: 2 PASS");
    folder.wt("run --scenario other").succeeds().says("1 case: 1 PASS");
    folder.wt("run --scenario otter").exits(2).complains("did you mean \"other\"?");
}

#[test]
fn what_only_packs_have_leaves_process_scenarios_out() {
    let folder = Folder::new().with_pack().with_passing("one");
    for line in ["run --tag smoke", "run --pack desk", "run --owner docs"] {
        folder.wt(line).succeeds().says("PASS desk/greet").says("1 case: 1 PASS");
    }
    folder.wt("run s --tag smoke").exits(2).complains("--tag \"smoke\" matches nothing; none is known");
}

#[test]
fn a_scenario_is_named_by_its_folder_its_manifest_or_any_folder_above() {
    let folder = Folder::new().with_passing("one").with_passing("two");
    for line in ["run s/one", "run s/one/", "run ./s/one/scenario.yaml", "run s/one s/two/../one"] {
        folder.wt(line).succeeds().says("PASS process/one").says("1 case: 1 PASS");
    }
    for line in ["run", "run .", "run s", "run s/one s"] {
        folder.wt(line).succeeds().says("2 cases: 2 PASS");
    }
    folder.shell_wt("cd s/one && \"$WT\" run").succeeds().says("PASS process/one");
}

#[test]
fn hidden_and_ignored_folders_and_what_is_inside_of_a_scenario_are_left_alone() {
    let folder = Folder::new()
        .with_passing("one")
        .file("s/.draft/scenario.yaml", "nonsense")
        .file("built/two/scenario.yaml", "nonsense")
        .file("s/one/artifacts/two/scenario.yaml", "nonsense")
        .file(".gitignore", "built/\n");
    folder.wt("run").succeeds().says("1 case: 1 PASS");
}

#[test]
fn ignore_files_hide_nothing_beside_scenarios() {
    let folder = Folder::new()
        .with_passing("one")
        .with_failing("two")
        .file("s/three/notes.md", "")
        .file("s/.gitignore", "two/\n")
        .file(".git/info/exclude", "three/\n");
    let finished = folder.wt("run s").exits(1);
    finished.says("FAIL process/two").says("ERROR process/three").says("3 cases: 1 PASS, 1 FAIL, 1 ERROR");
    folder.wt("list").succeeds().says("3 scenarios");
}

#[test]
fn the_folder_of_runs_may_lie_beside_scenarios() {
    let folder = Folder::new().with_passing("one");
    for line in ["run", "run", "run .", "list", "run --runs-dir ./runs"] {
        let finished = folder.shell_wt(&format!("cd s && \"$WT\" {line}")).succeeds();
        assert!(!finished.stdout.contains("process/runs"), "{finished}");
    }
    assert!(folder.exists("s/runs/process/one"));
    folder.shell_wt("cd s && \"$WT\" run --runs-dir elsewhere").exits(1).says("ERROR process/runs");
}

#[test]
fn a_symlink_that_is_named_is_followed_and_one_beside_scenarios_is_a_failure() {
    let folder = Folder::new()
        .with_passing("one")
        .file("elsewhere/two/scenario.yaml", passing("two"))
        .symlink("s/link", "../elsewhere/two");
    folder.wt("run s/link").succeeds().says("PASS process/two");
    let finished = folder.wt("run s").exits(1);
    finished.says("PASS process/one").says("ERROR process/link").says("s/link: this is a symbolic link");
}

#[test]
fn two_scenarios_of_one_name_are_refused_with_both_places() {
    let folder = Folder::new().with_passing("one").file("t/one/scenario.yaml", passing("one"));
    let finished = folder.wt("run").exits(2);
    finished.complains("t/one: the scenario name \"one\" is taken by s/one");
    folder.wt("list").exits(2).complains("taken by s/one");

    let folder = Folder::new().with_pack().with_passing("greet");
    let finished = folder.wt("run").exits(2);
    finished.complains("s/greet: the scenario name \"greet\" is taken by desk/greet.scenario.toml");
    assert!(!folder.exists("runs"));
}

#[test]
fn nothing_found_names_both_kinds() {
    let folder = Folder::new().file("notes.md", "");
    for line in ["run", "list"] {
        let finished = folder.wt(line).exits(2);
        finished.complains("*.scenario.toml").complains("scenario.yaml").complains("wt new");
    }
    let finished = folder.wt("run nowhere").exits(2);
    finished.complains("nowhere: cannot read").complains("a process scenario's folder");
}
