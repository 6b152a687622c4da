//! Every rule of a universe file: broken alone, it is reported alone, at its place.

#![expect(clippy::unwrap_used, reason = "a test stops at what it does not expect")]

use windtunnel_api::universe::{MatchMode, MissPolicy, Universe};
use windtunnel_doc::{Document, Format};

/// A file that keeps every rule, with places to break one.
const SOUND: &str = r#"{
  "windtunnel_universe": 1,
  "made_by": "a later version",
  "tools": [
    {"name": "get_order", "description": "d", "input_schema": {"type": "object"}, "result_schema": {}, "annotations": {}},
    {"name": "list_orders", "input_schema": {}}
  ],
  "recordings": [
    {"tool_name": "get_order", "args": {"id": 7}, "result": {"status": "paid"}, "took_ms": 3},
    {"tool_name": "get_order", "args": {"id": 8}, "result": "no such order", "is_error": true}
  ],
  "matching": {
    "on_miss": "empty",
    "arg_keys": {"get_order": ["id"]},
    "per_tool_on_miss": {"list_orders": "nearest"},
    "mode": {"list_orders": "sequence"}
  }
}"#;

fn read(text: &str) -> Result<Universe, String> {
    let document = Document::parse("o.universe.json", text, Format::Json, &Universe::limits()).unwrap();
    Universe::of_document(&document).map_err(|problems| problems.to_string())
}

#[test]
fn a_sound_file_is_read_and_fields_of_later_versions_are_left_alone() {
    let universe = read(SOUND).unwrap();
    assert_eq!((universe.tools.len(), universe.recordings.len()), (2, 2));
    assert!(universe.recordings[1].is_error && !universe.recordings[0].is_error);
    assert_eq!(universe.matching.on_miss_of("get_order"), MissPolicy::Empty);
    assert_eq!(universe.matching.on_miss_of("list_orders"), MissPolicy::Nearest);
    assert_eq!(universe.matching.mode_of("list_orders"), MatchMode::Sequence);
    assert_eq!(universe.matching.mode_of("get_order"), MatchMode::Stateless);
}

#[test]
fn each_rule_broken_alone_is_reported_alone() {
    for (from, to, fault) in [
        (
            r#""windtunnel_universe": 1"#,
            r#""windtunnel_universe": 2"#,
            "o.universe.json:2:26: windtunnel_universe: expected version 1, found 2",
        ),
        (
            r#""windtunnel_universe": 1"#,
            r#""windtunnel_universe": "1""#,
            "o.universe.json:2:26: windtunnel_universe: expected an integer, found string \"1\"",
        ),
        (
            r#"{"name": "list_orders", "input_schema": {}}"#,
            r#"{"name": "list_orders", "input_schema": {}}, {"name": "get_order", "input_schema": {}}"#,
            "o.universe.json:6:59: tools[2].name: the tool \"get_order\" is there twice",
        ),
        (
            r#"{"name": "list_orders", "input_schema": {}}"#,
            r#"{"name": "list_orders", "input_schema": {}}, {"name": " ", "input_schema": {}}"#,
            "o.universe.json:6:59: tools[2].name: the text is empty",
        ),
        (
            r#""input_schema": {}"#,
            r#""input_schema": "object""#,
            "o.universe.json:6:45: tools[1].input_schema: expected an object, found a string",
        ),
        (
            r#""result_schema": {}"#,
            r#""result_schema": []"#,
            "o.universe.json:5:100: tools[0].result_schema: expected an object, found an array",
        ),
        (
            r#""args": {"id": 7}"#,
            r#""args": [7]"#,
            "o.universe.json:9:40: recordings[0].args: expected an object, found an array",
        ),
        (
            r#"{"tool_name": "get_order", "args": {"id": 8}"#,
            r#"{"tool_name": "get_ordre", "args": {"id": 8}"#,
            "o.universe.json:10:19: recordings[1].tool_name: no tool is called \"get_ordre\"; did you mean \"get_order\"?",
        ),
        (
            r#""arg_keys": {"get_order""#,
            r#""arg_keys": {"orders""#,
            "o.universe.json:14:18: matching.arg_keys.orders: no tool is called \"orders\"; there are get_order, list_orders",
        ),
        (
            r#"["id"]"#,
            r#"["id", "id"]"#,
            "o.universe.json:14:38: matching.arg_keys.get_order[1]: \"id\" is named twice",
        ),
        (
            r#""mode": {"list_orders""#,
            r#""mode": {"list_order""#,
            "o.universe.json:16:14: matching.mode.list_order: no tool is called \"list_order\"; did you mean \"list_orders\"?",
        ),
        (
            r#""nearest""#,
            r#""nearby""#,
            "o.universe.json:15:41: matching.per_tool_on_miss.list_orders: unknown value \"nearby\"",
        ),
    ] {
        let text = SOUND.replace(from, to);
        let found = read(&text).unwrap_err();
        assert!(found.starts_with(fault), "expected {fault}\nfound    {found}");
        assert_eq!(found.lines().filter(|line| line.starts_with("o.universe")).count(), 1, "{found}");
    }
}

#[test]
fn too_many_recordings_are_refused() {
    let mut universe = read(SOUND).unwrap();
    let one = universe.recordings[0].clone();
    universe.recordings = vec![one; Universe::MAX_RECORDINGS + 1];
    let faults = universe.validate();
    assert_eq!(faults.len(), 1);
    assert_eq!(faults[0].message, "there are 50001 recordings; 50000 is the most of one file");
}
