//! What each kind of fault is called.

use std::collections::BTreeMap;

use serde::Deserialize;
use windtunnel_doc::Format;

use crate::shapes::{CaseKind, Outcome, Tool, faults};

#[derive(Debug, Deserialize)]
#[expect(dead_code, reason = "only the types count")]
#[serde(deny_unknown_fields)]
struct Kinds {
    string: Option<String>,
    boolean: Option<bool>,
    i8: Option<i8>,
    u64: Option<u64>,
    i64: Option<i64>,
    float: Option<f32>,
    letter: Option<char>,
    list: Option<Vec<u8>>,
    pair: Option<(u8, String)>,
    map: Option<BTreeMap<String, u8>>,
    by_number: Option<BTreeMap<u16, u8>>,
    by_kind: Option<BTreeMap<CaseKind, u8>>,
    kind: Option<CaseKind>,
    nonzero: Option<std::num::NonZeroU8>,
    unit: Option<()>,
    newtype: Option<Name>,
    untagged: Option<TextOrNumber>,
    outcome: Option<Outcome>,
    tool: Option<Tool>,
}

#[derive(Debug, Deserialize)]
#[serde(try_from = "String")]
#[expect(dead_code, reason = "only the conversion counts")]
struct Name(String);

impl TryFrom<String> for Name {
    type Error = String;
    fn try_from(name: String) -> Result<Self, String> {
        if name.contains(' ') { Err(format!("a name has no spaces, {name:?} has")) } else { Ok(Self(name)) }
    }
}

#[derive(Debug, Deserialize)]
#[serde(untagged)]
#[expect(dead_code, reason = "only the types count")]
enum TextOrNumber {
    Text(String),
    Number(f64),
}

/// A text, and all that is said of it as [`Kinds`].
const FAULTS: &[(&str, &str)] = &[
    (
        r#"{"string": 1.5}"#,
        "1:12: string: expected a string, found number 1.5; write it in quotes for the text",
    ),
    (r#"{"string": {}}"#, "1:12: string: expected a string, found an object"),
    (r#"{"boolean": "true"}"#, "1:13: boolean: expected true or false, found string \"true\""),
    (r#"{"boolean": 1}"#, "1:13: boolean: expected true or false, found integer 1"),
    (r#"{"i8": -129}"#, "1:8: i8: expected an integer from -128 to 127, found integer -129"),
    (r#"{"i8": 1.0}"#, "1:8: i8: expected an integer, found number 1.0"),
    (r#"{"u64": -1}"#, "1:9: u64: expected an integer from 0 to 18446744073709551615, found integer -1"),
    (
        r#"{"i64": 9223372036854775808}"#,
        "1:9: i64: expected an integer from -9223372036854775808 to 9223372036854775807, found integer 9223372036854775808",
    ),
    (r#"{"float": "1"}"#, "1:11: float: expected a number, found string \"1\""),
    (r#"{"letter": "ab"}"#, "1:12: letter: expected a character, found string \"ab\""),
    (r#"{"list": {"a": 1}}"#, "1:10: list: expected an array, found an object"),
    (r#"{"list": [1, null]}"#, "1:14: list[1]: expected an integer, found null"),
    (r#"{"pair": [1]}"#, "1:10: pair: expected an array of 2 values, found 1"),
    (r#"{"pair": [1, 2]}"#, "1:14: pair[1]: expected a string, found integer 2; write \"2\" for the text"),
    (r#"{"map": []}"#, "1:9: map: expected an object, found an array"),
    (r#"{"map": {"a b": "c"}}"#, "1:17: map.\"a b\": expected an integer, found string \"c\""),
    (
        r#"{"by_number": {"x": 1}}"#,
        "1:16: by_number.x: expected an integer from 0 to 65535 as key, found string \"x\"",
    ),
    (
        r#"{"by_kind": {"gold": 1}}"#,
        "1:14: by_kind.gold: unknown value \"gold\"; expected one of golden, poison; did you mean \"golden\"?",
    ),
    (r#"{"kind": 3}"#, "1:10: kind: expected one of golden, poison, found integer 3"),
    (r#"{"nonzero": 0}"#, "1:13: nonzero: expected a nonzero u8, found integer 0"),
    (r#"{"unit": 0}"#, "1:10: unit: expected null, found integer 0"),
    (r#"{"newtype": "a b"}"#, "1:13: newtype: a name has no spaces, \"a b\" has"),
    (r#"{"untagged": []}"#, "1:14: untagged: data did not match any variant of untagged enum TextOrNumber"),
    (
        r#"{"outcome": {"obervation": {}}}"#,
        "1:14: outcome.obervation: unknown value \"obervation\"; expected one of observation, all_of; did you mean \"observation\"?",
    ),
    (
        r#"{"outcome": {"all_of": [], "observation": {}}}"#,
        "1:2: outcome: missing field \"kind\"; expected one of observation, all_of; name it in the field \"kind\", or as the only key around the other fields",
    ),
    (
        r#"{"outcome": "observation"}"#,
        "1:13: outcome: \"observation\" needs more than its name; expected an object; write an object with kind \"observation\" and its fields",
    ),
    (r#"{"tool": {"kind": 5}}"#, "1:19: tool.kind: expected one of stdio, http, workspace, found integer 5"),
    (
        r#"{"tool": {"kind": "workspace", "root": 1}}"#,
        "1:32: tool.root: unknown field \"root\"; expected none here",
    ),
    (r#"{"tool": {"workspace": [1]}}"#, "1:24: tool.workspace: expected nothing, found an array"),
    (
        r#"{"tool": {"stdio": {"cmd": []}}}"#,
        "1:11: tool.stdio: missing field \"command\"\nfile:1:21: tool.stdio.cmd: unknown field \"cmd\"; expected command",
    ),
    (r#"{"tool": {"kind": "stdio"}}"#, "1:2: tool: missing field \"command\""),
    (r#"{"tool": []}"#, "1:10: tool: expected one of stdio, http, workspace, found an array"),
    ("[]", "1:1: expected an object, found an array"),
];

#[test]
fn every_kind_of_fault_is_said_in_plain_words() {
    for (text, expected) in FAULTS {
        assert_eq!(faults::<Kinds>(Format::Json, text), format!("file:{expected}"), "{text}");
    }
}
