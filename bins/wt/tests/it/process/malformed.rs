use windtunnel_testkit::Folder;

use super::{WithScenarios as _, passing};
use crate::harness::CallWt;

/// Stands in manifests for the name of their folder.
const NAME: &str = "NAME";

/// A manifest that is all right but for one more line.
fn with(line: &str) -> String {
    passing(NAME) + line + "\n"
}

/// A manifest with these steps.
fn steps(steps: &str) -> String {
    format!("name: {NAME}\nworkItem: issue-1\nsteps: {steps}\nexpect: {{currentNode: brainstorming}}\n")
}

/// A manifest with these expectations.
fn expecting(expect: &str) -> String {
    format!("name: {NAME}\nworkItem: issue-1\nsteps: [advance]\nexpect: {expect}\n")
}

/// Manifests, and what is said of each.
fn malformed() -> [(String, &'static str); 30] {
    let text = str::to_owned;
    [
        (text(""), "scenario.yaml"),
        (text("[]"), "scenario.yaml"),
        (text("just text"), "scenario.yaml"),
        (text("name: [unclosed"), "scenario.yaml:1"),
        (text("name: a\nname: b\n"), "scenario.yaml:2"),
        (text("a: &a [*a]\n"), "scenario.yaml"),
        (with("colour: red"), "unknown field \"colour\""),
        (passing(NAME).replace("workItem", "workitem"), "workItem"),
        (passing("another"), "\"another\" is not the name of the scenario's folder"),
        (passing(NAME).replace("issue-1", "../issue-1"), "workItem"),
        (passing(NAME).replace("issue-1", "issue"), "workItem"),
        (with("tier: high"), "tier"),
        (steps("{}"), "steps"),
        (steps("[{jump: {}}]"), "unknown step \"jump\""),
        (steps("[jump]"), "unknown step \"jump\""),
        (steps("[{advance: {}, ask: {question: q}}]"), "steps[0]"),
        (steps("[{complete: {}}]"), "node"),
        (steps("[{complete: {node: dessign}}]"), "\"design\""),
        (steps("[{complete: {node: design, status: passed}}]"), "status"),
        (steps("[{comment: {author: owner}}]"), "comment"),
        (steps("[{comment: {author: 1, body: x}}]"), "author"),
        (steps("[{emit: {artifact: design.md, fixture: absent.md}}]"), "absent.md"),
        (steps("[{emit: {artifact: ../design.md, fixture: scenario.yaml}}]"), "../design.md"),
        (steps("[{emit: {artifact: design.md, fixture: /etc/passwd}}]"), "/etc/passwd"),
        (steps("[{emit: {artifact: design.md, fixture: ../scenario.yaml}}]"), "../scenario.yaml"),
        (steps("[{inner-loop: {pr: many, node: complete}}]"), "pr"),
        (steps("[{fail-github: {ops: [close-issue]}}]"), "close-issue"),
        (expecting("{finalnode: complete}"), "unknown field \"finalnode\""),
        (expecting("{nodes: [nowhere]}"), "nowhere"),
        (expecting("{status: sleeping}"), "sleeping"),
    ]
}

#[test]
fn thirty_malformed_folders_each_fail_alone() {
    let cases = malformed();
    let mut folder = Folder::new().with_passing("good").with_passing("zenith");
    for (index, (manifest, _)) in cases.iter().enumerate() {
        let name = format!("bad-{index:02}");
        folder = folder.file(&format!("s/{name}/scenario.yaml"), manifest.replace(NAME, &name));
    }
    let finished = folder.wt("run s --jobs 2").exits(1);
    finished.says("PASS process/good").says("PASS process/zenith").says("32 cases: 2 PASS, 30 ERROR in");
    for (index, (_, said)) in cases.iter().enumerate() {
        let head = format!("ERROR process/bad-{index:02} ");
        let shown = finished.stdout.split_once(&head).unwrap_or_else(|| panic!("no {head}\n{finished}")).1;
        let mut lines = shown.lines().skip(1).take_while(|line| line.starts_with(' '));
        let first = lines.next().unwrap_or_default();
        assert!(first.starts_with("    ScenarioFormatError: "), "{head}: {first}");
        let told: String =
            std::iter::once(first).chain(lines).map(|line| line.trim().to_owned() + " ").collect();
        assert!(told.contains(said), "{head}: {told}");
        assert!(told.contains(&format!("s/bad-{index:02}/scenario.yaml")), "{head}: {told}");
    }
    folder
        .wt("list s")
        .succeeds()
        .says("process/bad-00  malformed: ScenarioFormatError")
        .says("32 scenarios");
}

#[test]
fn a_folder_without_a_manifest_is_a_failure_that_names_it() {
    let folder = Folder::new().with_passing("good").file("s/empty/artifacts/design.md", "");
    let finished = folder.wt("run s").exits(1);
    finished.says("PASS process/good").says("ERROR process/empty");
    finished.says("ScenarioFormatError: s/empty: there is no scenario.yaml in this folder, though it lies");
    let finished = folder.wt("run s/empty").exits(1);
    finished.says("ScenarioFormatError: s/empty: there is no scenario.yaml in this folder");
    folder.shell_wt("cd s/empty && \"$WT\" run").exits(2).complains("no scenario was found");
}

#[test]
fn the_doctor_sees_what_is_malformed() {
    let folder =
        Folder::new().with_passing("good").with_failing("fails").file("s/bad/scenario.yaml", "steps: 1");
    let finished = folder.wt("doctor s").exits(1);
    finished.says("WRONG  process scenario bad: ScenarioFormatError: 3 faults");
    finished.says("process scenarios: 2 of 3 can be played").says("1 thing is wrong");
    let finished = folder.wt("doctor s --scenario good").succeeds();
    finished.says("process scenarios: 1 of 1 can be played");
}

#[test]
fn a_manifest_that_leads_elsewhere_is_a_failure() {
    let folder = Folder::new()
        .with_passing("good")
        .file("elsewhere.yaml", passing("bad"))
        .file("s/bad/artifacts/notes.md", "")
        .symlink("s/bad/scenario.yaml", "../../elsewhere.yaml");
    let finished = folder.wt("run s").exits(1);
    finished.says("ERROR process/bad").says("s/bad/scenario.yaml").says("leads out of the scenario's folder");
}
