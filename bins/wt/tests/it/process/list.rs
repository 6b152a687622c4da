use serde::Deserialize;
use windtunnel_testkit::Folder;

use super::WithScenarios as _;
use crate::harness::CallWt;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct List {
    #[serde(rename = "windtunnel_list")]
    version: u32,
    scenarios: Vec<serde_json::Value>,
    #[serde(default)]
    process: Vec<Row>,
}

#[derive(Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    scenario: String,
    folder: String,
    description: Option<String>,
    tier: Option<i64>,
    steps: Option<usize>,
    error: Option<String>,
}

fn some() -> Folder {
    Folder::new()
        .with_pack()
        .with_passing("one")
        .file(
            "s/two/scenario.yaml",
            "name: two\ndescription: Nothing happens\ntier: 3\nworkItem: issue-7\nsteps: [advance, advance]\nexpect: {parked: true}\n",
        )
        .file("s/broken/scenario.yaml", "steps: 1")
}

#[test]
fn the_text_has_a_line_for_each_of_either_kind() {
    insta::assert_snapshot!(some().wt("list").succeeds().stdout, @"
    desk/greet      bot  0 golden, 0 poison  [smoke]
    process/broken  malformed: ScenarioFormatError: 3 faults
    process/one     1 step
    process/two     2 steps  tier 3
    4 scenarios
    ");
}

#[test]
fn names_that_would_paint_the_terminal_are_written_out() {
    let folder = Folder::new().with_passing("good").file("s/a\u{1b}[31m\u{1}\r/scenario.yaml", "");
    let finished = folder.wt("list").succeeds();
    finished.says(r"process/a\x1b[31m\x01\r  malformed");
    assert!(!finished.stdout.contains(['\u{1b}', '\u{1}', '\r']), "{finished}");
    let finished = folder.wt("doctor").exits(1);
    assert!(!finished.stdout.contains(['\u{1b}', '\u{1}', '\r']), "{finished}");
}

#[test]
fn the_json_says_what_would_be_played() {
    let list: List = some().wt("list --format json").succeeds().json();
    assert_eq!((list.version, list.scenarios.len(), list.process.len()), (1, 1, 3));
    let [broken, _, two] = list.process.as_slice() else { unreachable!() };
    assert_eq!((broken.scenario.as_str(), broken.steps), ("broken", None));
    assert!(broken.error.as_deref().unwrap().starts_with("ScenarioFormatError: "), "{broken:?}");
    let expected = Row {
        scenario: "two".to_owned(),
        folder: "s/two".to_owned(),
        description: Some("Nothing happens".to_owned()),
        tier: Some(3),
        steps: Some(2),
        error: None,
    };
    assert_eq!(*two, expected);
    let list: List = some().wt("list desk --format json").succeeds().json();
    assert!(list.process.is_empty());
}
