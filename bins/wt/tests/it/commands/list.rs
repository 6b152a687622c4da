//! `wt list`

use serde::Deserialize;

use crate::harness::{CallWt, PACK, SCENARIO, desk};
use windtunnel_testkit::Folder;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct List {
    windtunnel_list: u32,
    scenarios: Vec<Row>,
}

#[derive(Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    scenario: String,
    pack: String,
    owner: Option<String>,
    runtime: String,
    tags: Vec<String>,
    gate: Vec<String>,
    golden: Vec<String>,
    poison: Vec<String>,
    file: Option<String>,
}

fn two_packs() -> Folder {
    Folder::new()
        .file("desk/pack.toml", format!("{PACK}owner = 'docs'\ntags = ['smoke']\nruntime = 'in_memory'\n"))
        .file("desk/greet.scenario.toml", SCENARIO)
        .file(
            "desk/more/refund.scenario.yaml",
            "name: refund\nprompt: Refund it.\nmust_call: [refund]\ntags: [money]\n",
        )
        .file("travel/pack.toml", "name = 'travel'\n")
        .file(
            "travel/book.scenario.json",
            r#"{"name": "book", "prompt": "Book it.", "target_facts": [["booked"]]}"#,
        )
}

#[test]
fn the_text_has_a_line_per_scenario() {
    insta::assert_snapshot!(two_packs().wt("list").succeeds().stdout, @"
    desk/greet   in_memory  1 golden, 1 poison  [smoke]
    desk/refund  in_memory  0 golden, 0 poison  [money, smoke]
    travel/book  loop  0 golden, 0 poison
    3 scenarios
    ");
}

#[test]
fn the_json_says_what_would_be_run() {
    let list: List = two_packs().wt("list --scenario refund --format json").succeeds().json();
    assert_eq!(list.windtunnel_list, 1);
    let text = |words: &[&str]| words.iter().map(ToString::to_string).collect::<Vec<_>>();
    let refund = Row {
        scenario: "refund".to_owned(),
        pack: "desk".to_owned(),
        owner: Some("docs".to_owned()),
        runtime: "in_memory".to_owned(),
        tags: text(&["money", "smoke"]),
        gate: text(&["outcome", "trajectory"]),
        golden: Vec::new(),
        poison: Vec::new(),
        file: Some("desk/more/refund.scenario.yaml".to_owned()),
    };
    assert_eq!(list.scenarios, [refund]);
}

#[test]
fn selectors_of_one_kind_add_up_and_of_two_kinds_narrow_down() {
    let folder = two_packs();
    let names = |line: &str| {
        let list: List = folder.wt(&format!("list --format json {line}")).succeeds().json();
        list.scenarios.into_iter().map(|row| row.scenario).collect::<Vec<_>>()
    };
    assert_eq!(names("--scenario greet --scenario book"), ["greet", "book"]);
    assert_eq!(names("--scenario *r*"), ["greet", "refund"]);
    assert_eq!(names("--tag money --tag smoke"), ["greet", "refund"]);
    assert_eq!(names("--tag money --pack desk"), ["refund"]);
    assert_eq!(names("--owner docs"), ["greet", "refund"]);
    assert_eq!(names("travel"), ["book"]);
    assert_eq!(names("desk/greet.scenario.toml travel desk/greet.scenario.toml"), ["greet", "book"]);
}

#[test]
fn a_file_has_one_name_however_it_is_written() {
    let folder = desk().file("more/other.scenario.toml", SCENARIO.replace("greet\"", "other\""));
    for line in
        ["list", "list .", "list ./greet.scenario.toml . more", "list more/.. more/../greet.scenario.toml"]
    {
        let shown = folder.wt(line).succeeds();
        shown.says("desk/greet").says("desk/other").says("2 scenarios");
    }
    folder.wt("list").succeeds().says("2 scenarios");
}

#[test]
fn the_names_of_all_examples_are_apart() {
    let folder = Folder::examples_below("examples");
    for line in ["list", "list examples"] {
        folder
            .wt(line)
            .succeeds()
            .says("shop/refund_order ")
            .says("universe/refund_from_recording ")
            .says("python-agent/refund ");
    }
}
