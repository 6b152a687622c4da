//! `wt surface`

use std::fs;

use serde_json::Value;

use crate::harness::{CallWt, desk};
use windtunnel_testkit::Folder;

const CONFIG: &str = "[runtimes.bot]\nkind = \"loop\"\nsystem_prompt = \"Be kind.\\nBe brief.\"\n";

fn with_prompt(folder: &Folder, prompt: &str) {
    fs::write(folder.path("wt.toml"), CONFIG.replace("Be brief.", prompt)).unwrap();
}

#[test]
fn a_changed_instruction_fails_the_check_and_is_shown_where_its_text_is_known() {
    let folder = desk().file("wt.toml", CONFIG);
    folder
        .wt("surface record --runtime bot --with-text")
        .succeeds()
        .says("desk: 1 surface of 1 scenario in surface.golden.json");
    folder.wt("surface check --runtime bot").succeeds().says("the surface is as it was remembered");
    with_prompt(&folder, "Be thorough.");
    let changed = "desk/greet\n  instructions changed\n    - Be brief.\n    + Be thorough.\n";
    assert_eq!(folder.wt("surface check --runtime bot").exits(1).stdout, changed);
    assert_eq!(folder.wt("surface diff --runtime bot").succeeds().stdout, changed);
}

#[test]
fn no_text_is_kept_and_every_changed_tool_is_named() {
    let folder = desk().file("wt.toml", CONFIG);
    folder.wt("surface record --runtime bot").succeeds();
    let golden = fs::read_to_string(folder.path("surface.golden.json")).unwrap();
    assert!(!golden.contains("Be kind"), "{golden}");
    let golden: Value = serde_json::from_str(&golden).unwrap();
    assert_eq!(golden["windtunnel_surface_golden"], 1);
    fs::write(folder.path("pack.toml"), "name = \"desk\"\n[tools.files]\nkind = \"workspace\"\n").unwrap();
    let changed = folder.wt("surface check --runtime bot").exits(1);
    for tool in ["read_file", "write_file", "list_files", "delete_file"] {
        changed.says(tool).says("added");
    }
    assert!(!changed.stdout.contains("instructions"), "{changed}");
}

#[test]
fn a_check_needs_something_to_compare_with() {
    let shown = desk().wt("surface check").exits(2);
    shown.complains("surface.golden.json is not there").complains("wt surface record");
}

#[test]
fn a_scenario_without_a_golden_case_has_no_surface_to_be_seen() {
    let folder = Folder::new()
        .file("pack.toml", "name = \"desk\"\n")
        .file("a.scenario.toml", "name = \"a\"\nprompt = \"Hi.\"\ntarget_facts = [[\"hi\"]]\n");
    folder.wt("surface record").exits(2).complains("golden reference case").complains("wt record");
}

#[test]
fn scenarios_that_are_left_out_are_named() {
    let folder = desk()
        .file("wt.toml", CONFIG)
        .file("bare.scenario.toml", "name = \"bare\"\nprompt = \"Hi.\"\ntarget_facts = [[\"hi\"]]\n");
    let left_out = "note: 1 scenario left out, without a golden reference case: desk/bare";
    let recorded = folder.wt("surface record --runtime bot").succeeds();
    recorded.says("desk: 1 surface of 1 scenario in").complains(left_out);
    for line in ["surface check --runtime bot", "surface diff --runtime bot"] {
        folder.wt(line).succeeds().says("the surface is as it was remembered").complains(left_out);
    }
    let seen = folder.wt("surface check --runtime bot --scenario greet").succeeds();
    assert!(!seen.stderr.contains("left out"), "{seen}");
}

#[test]
fn what_is_no_regular_file_is_neither_replaced_nor_compared_with() {
    let folder = desk().file("wt.toml", CONFIG).file("other.json", "mine");
    std::os::unix::fs::symlink("other.json", folder.path("link.json")).unwrap();
    let made = std::process::Command::new("mkfifo").arg(folder.path("fifo.json")).status().unwrap();
    assert!(made.success());
    for golden in ["link.json", "fifo.json", "/dev/null"] {
        let line = format!("surface record --runtime bot --golden {golden}");
        folder.wt(&line).exits(2).complains(golden).complains("is no regular file");
    }
    folder.wt("surface check --runtime bot --golden fifo.json").exits(2).complains("is no regular file");
    assert_eq!(fs::read_to_string(folder.path("other.json")).unwrap(), "mine");
}

#[test]
fn a_golden_file_of_wrong_types_is_told_with_its_field() {
    let folder = desk().file("wt.toml", CONFIG);
    folder.wt("surface record --runtime bot").succeeds();
    let golden: Value =
        serde_json::from_slice(&fs::read(folder.path("surface.golden.json")).unwrap()).unwrap();
    for (field, value, expected) in [
        ("tool_order", Value::from(7), "tool_order: expected an array"),
        ("tools", serde_json::json!({"a": 7}), "tools.a: expected a string"),
        (
            "scenarios",
            serde_json::json!({"s": {"tool_order": [7]}}),
            "scenarios.s.tool_order[0]: expected a string",
        ),
        (
            "windtunnel_surface_golden",
            Value::from(9),
            "windtunnel_surface_golden: expected version 1, found 9",
        ),
    ] {
        let mut wrong = golden.clone();
        wrong[field] = value;
        fs::write(folder.path("surface.golden.json"), wrong.to_string()).unwrap();
        let shown = folder.wt("surface check --runtime bot").exits(2);
        shown.complains("surface.golden.json:1:").complains(expected);
    }
}
