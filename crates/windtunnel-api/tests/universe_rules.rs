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
fn a_field_like_one_that_may_be_left_out_is_a_slip() {
    for (from, to, fault) in [
        (
            r#""args": {"id": 7}"#,
            r#""arg": {"id": 7}"#,
            "o.universe.json:9:32: recordings[0].arg: unknown field \"arg\"; did you mean \"args\"?",
        ),
        (
            r#""args": {"id": 7}"#,
            r#""arguments": {"id": 7}"#,
            "o.universe.json:9:32: recordings[0].arguments: unknown field \"arguments\"; did you mean \"args\"?",
        ),
        (
            r#""is_error": true"#,
            r#""isError": true"#,
            "o.universe.json:10:78: recordings[1].isError: unknown field \"isError\"; did you mean \"is_error\"?",
        ),
        (
            r#""annotations": {}"#,
            r#""annotation": {}"#,
            "o.universe.json:5:104: tools[0].annotation: unknown field \"annotation\"; did you mean \"annotations\"?",
        ),
        (
            r#""arg_keys""#,
            r#""argkeys""#,
            "o.universe.json:14:5: matching.argkeys: unknown field \"argkeys\"; did you mean \"arg_keys\"?",
        ),
        (
            r#""matching""#,
            r#""matchin""#,
            "o.universe.json:12:3: matchin: unknown field \"matchin\"; did you mean \"matching\"?",
        ),
    ] {
        assert_eq!(read(&SOUND.replace(from, to)).unwrap_err(), fault);
    }
    read(&SOUND.replace(r#""args": {"id": 7}"#, r#""args": {"id": 7}, "arg": 1"#)).unwrap();
}

#[test]
fn arguments_that_decide_are_some_that_the_tool_has() {
    let declared = |schema: &str, keys: &str| {
        let schema = format!(r#""input_schema": {schema}, "result_schema""#);
        let text = SOUND.replace(r#""input_schema": {"type": "object"}, "result_schema""#, &schema);
        assert_ne!(text, SOUND);
        read(&text.replace(r#"["id"]"#, keys)).map(drop)
    };
    // `id` was recorded.
    let schema = r#"{"properties": {"order_id": {}, "at": {}}}"#;
    insta::assert_snapshot!(
        declared(schema, r#"["id", "order_di", "customer"]"#).unwrap_err(),
        @r#"
    o.universe.json:14:38: matching.arg_keys.get_order[1]: get_order has no argument "order_di"; did you mean "order_id"?
    o.universe.json:14:50: matching.arg_keys.get_order[2]: get_order has no argument "customer"; it takes order_id, at
    "#
    );
    insta::assert_snapshot!(
        declared(r#"{"properties": {}}"#, r#"["at"]"#).unwrap_err(),
        @r#"o.universe.json:14:32: matching.arg_keys.get_order[0]: get_order has no argument "at"; it takes none"#
    );
    for open in [
        r#"{"properties": {}, "additionalProperties": true}"#,
        r#"{"properties": {}, "anyOf": []}"#,
        r#"{"type": "object"}"#,
    ] {
        let text = SOUND.replace(r#"{"type": "object"}"#, open);
        read(&text.replace(r#"["id"]"#, r#"["at"]"#)).unwrap();
    }
}

#[test]
fn what_is_to_be_synthesized_is_said_where_it_is_written() {
    let synthesized = |from: &str, to: &str| {
        let universe = read(&SOUND.replace(from, to)).unwrap();
        universe.synthesized().iter().map(|fault| fault.path.to_string()).collect::<Vec<_>>()
    };
    assert_eq!(synthesized("", ""), Vec::<String>::new());
    assert_eq!(synthesized(r#""on_miss": "empty""#, r#""on_miss": "synthesize""#), ["matching.on_miss"]);
    assert_eq!(synthesized(r#""nearest""#, r#""synthesize""#), ["matching.per_tool_on_miss.list_orders"]);
    let mut universe = read(SOUND).unwrap();
    universe.matching.on_miss = MissPolicy::Synthesize;
    universe.matching.per_tool_on_miss.insert("get_order".to_owned(), MissPolicy::Empty);
    assert_eq!(universe.synthesized(), [], "every tool has a policy of its own");
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
