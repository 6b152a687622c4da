//! Values that stand in no document, and decoding that puts up with unknown fields.

use serde::Deserialize;
use serde_json::{Value, json};
use windtunnel_doc::{Fault, Format, Node, NodeValue};

#[derive(Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
struct Limits {
    bound: u8,
    #[serde(default)]
    ratio: Option<f64>,
    #[serde(default)]
    strict: bool,
    #[serde(default)]
    name: String,
    #[serde(default)]
    mode: Option<Mode>,
    #[serde(default)]
    extra: Value,
}

#[derive(Debug, PartialEq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Mode {
    Fast,
    Slow { ms: u64 },
}

fn messages(faults: &[Fault]) -> Vec<String> {
    faults.iter().map(|fault| format!("{}: {}", fault.path, fault.message)).collect()
}

/// The node with every string turned into one that stands for whatever it spells.
fn untyped(mut node: Node) -> Node {
    node.value = match node.value {
        NodeValue::String(text) => NodeValue::Untyped(text),
        NodeValue::Map(entries) => {
            NodeValue::Map(entries.into_iter().map(|(key, node)| (key, untyped(node))).collect())
        }
        other => other,
    };
    node
}

#[test]
fn a_value_becomes_the_same_value_again() {
    let value = json!({"z": [1, -1, u64::MAX, 1.5, null, true, "t"], "a": {"": {}}});
    assert_eq!(Node::from_json(value.clone()).to_json().to_string(), value.to_string());
}

#[test]
fn the_faults_of_a_value_have_paths() {
    let faults =
        Node::from_json(json!({"bound": 300, "name": 1})).decode::<Limits>(Format::Yaml).unwrap_err();
    assert_eq!(
        messages(&faults),
        [
            "bound: expected an integer from 0 to 255, found integer 300",
            "name: expected a string, found integer 1"
        ]
    );
}

#[test]
fn untyped_text_is_what_is_wanted_of_it() {
    let value =
        json!({"bound": " 7", "ratio": "1.5", "strict": "TRUE", "name": "12", "mode": "fast", "extra": "3"});
    let limits: Limits = untyped(Node::from_json(value.clone())).decode(Format::Toml).unwrap();
    let expected = Limits {
        bound: 7,
        ratio: Some(1.5),
        strict: true,
        name: "12".into(),
        mode: Some(Mode::Fast),
        extra: json!("3"),
    };
    assert_eq!(limits, expected);
    let slow = untyped(Node::from_json(json!({"bound": "1", "mode": {"kind": "slow", "ms": "20"}})));
    assert_eq!(slow.decode::<Limits>(Format::Toml).unwrap().mode, Some(Mode::Slow { ms: 20 }));

    let faults = Node::from_json(value).decode::<Limits>(Format::Toml).unwrap_err();
    assert_eq!(faults.len(), 3, "text of a document is text only: {faults:?}");
}

#[test]
fn untyped_text_that_does_not_spell_it_is_a_fault() {
    let value = json!({"bound": "256", "ratio": "inf", "strict": "yes"});
    let faults = untyped(Node::from_json(value)).decode::<Limits>(Format::Toml).unwrap_err();
    assert_eq!(
        messages(&faults),
        [
            "bound: expected an integer from 0 to 255, found string \"256\"",
            "ratio: expected a number, found string \"inf\"",
            "strict: expected true or false, found string \"yes\"",
        ]
    );
}

#[test]
fn unknown_fields_are_returned_beside_the_value() {
    let node = Node::from_json(json!({"bound": 1, "strct": true, "other": {"x": 1}}));
    let (limits, unknown) = node.decode_known::<Limits>(Format::Toml).unwrap();
    assert_eq!((limits.bound, limits.strict), (1, false), "nothing stands in for what was probably meant");
    assert_eq!(unknown.iter().map(|fault| fault.path.to_string()).collect::<Vec<_>>(), ["strct", "other"]);
    assert_eq!(unknown[0].help.as_deref(), Some("did you mean \"strict\"?"));
    assert_eq!(unknown[1].help, None);
}

#[test]
fn beside_faults_unknown_fields_are_faults() {
    let node = Node::from_json(json!({"bund": 1, "ratio": "x"}));
    let faults = node.decode_known::<Limits>(Format::Toml).unwrap_err();
    let paths: Vec<String> = faults.iter().map(|fault| fault.path.to_string()).collect();
    assert_eq!(paths, ["bund", "ratio"], "that bound is missing goes without saying: {faults:?}");
}
