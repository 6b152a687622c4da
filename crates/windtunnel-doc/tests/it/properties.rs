//! What holds for any text and any value.

use proptest::{collection::vec, prelude::*};
use serde_json::{Map, Value, json};
use windtunnel_doc::{At, Document, Format, Limits, Node, NodeValue, Path};

use crate::shapes::Scenario;

const FORMATS: [Format; 3] = [Format::Toml, Format::Yaml, Format::Json];

/// Bits of all three formats, so that texts get past the first character.
fn soup() -> impl Strategy<Value = String> {
    let bits = [
        "a",
        "b = ",
        "c: ",
        "\"",
        "'",
        "\"\"\"",
        "[",
        "]",
        "{",
        "}",
        "[[",
        "]]",
        ",",
        ".",
        "-",
        "- ",
        "\n",
        "\r\n",
        " ",
        "  ",
        "\t",
        "1",
        "0",
        "1.5e3",
        "true",
        "null",
        "~",
        "nan",
        "#",
        "//",
        "&x ",
        "*x",
        "<<: ",
        "? ",
        ": ",
        "|\n ",
        ">\n",
        "---\n",
        "...\n",
        "%YAML 1.2\n",
        "!t ",
        "!!int ",
        "\\",
        "\\u00e9",
        "\\ud83d",
        "ä",
        "🌍",
        "\u{feff}",
        "\0",
        "\u{7f}",
        "\u{85}",
        "\u{2028}",
        "2024-01-02",
        "99999999999999999999",
    ];
    vec(prop::sample::select(bits.to_vec()), 0..40).prop_map(|bits| bits.concat())
}

fn any_text() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => soup(),
        1 => vec(any::<u8>(), 0..64).prop_map(|bytes| String::from_utf8_lossy(&bytes).into_owned()),
        1 => any::<String>(),
    ]
}

/// Every span is inside of the text and on character boundaries, or it could not be drawn.
fn check_spans(node: &Node, text: &str) {
    assert!(text.get(node.span.clone()).is_some(), "{node:?}");
    match &node.value {
        NodeValue::Seq(elements) => elements.iter().for_each(|element| check_spans(element, text)),
        NodeValue::Map(entries) => {
            for (key, value) in entries {
                assert!(text.get(key.span.clone()).is_some(), "{key:?}");
                check_spans(value, text);
            }
        }
        _ => {}
    }
}

fn numbers() -> impl Strategy<Value = Value> {
    prop_oneof![
        any::<i64>().prop_map(Value::from),
        (i64::MAX as u64..).prop_map(Value::from),
        any::<f64>()
            .prop_filter("JSON has finite numbers only", |number| number.is_finite())
            .prop_map(Value::from),
    ]
}

fn values(scalars: BoxedStrategy<Value>) -> impl Strategy<Value = Value> {
    scalars.prop_recursive(4, 24, 5, |inner| {
        prop_oneof![vec(inner.clone(), 0..5).prop_map(Value::from), maps(inner).prop_map(Value::from),]
    })
}

fn maps(values: impl Strategy<Value = Value>) -> impl Strategy<Value = Map<String, Value>> {
    vec((texts(), values), 0..5).prop_map(|entries| entries.into_iter().collect())
}

fn texts() -> impl Strategy<Value = String> {
    prop_oneof!["[a-z_]{1,8}", "\\PC{0,12}", any::<String>()]
}

fn scalars() -> impl Strategy<Value = Value> {
    prop_oneof![any::<bool>().prop_map(Value::from), numbers(), texts().prop_map(Value::from)]
}

fn read_back(format: Format, text: &str) -> Value {
    let document = Document::parse("file", text, format, &Limits::default())
        .unwrap_or_else(|faults| panic!("{faults}\n{text}"));
    let tree = document.root().to_json();
    let decoded: Value = document.decode().unwrap_or_else(|faults| panic!("{faults}\n{text}"));
    assert_eq!(tree, decoded);
    decoded
}

fn scenario() -> Value {
    json!({
        "name": "n",
        "prompt": "p",
        "tags": ["a", "b"],
        "min_pass_rate": 0.5,
        "reference_cases": [
            {
                "name": "x",
                "kind": "golden",
                "decisions": [{"tool_calls": [{"name": "t", "arguments": {}}]}, {"content": "c"}]
            },
            {"name": "y", "kind": "poison", "decisions": []}
        ],
        "tools": {
            "crm": {"kind": "stdio", "command": ["a"]},
            "remote": {"kind": "http", "url": "u"},
            "orders": {"http": {"url": "u"}}
        },
        "outcome": {"all_of": [
            {"observation": {"source": "s", "equals": 1}},
            {"kind": "observation", "source": "s", "equals": 1}
        ]}
    })
}

/// An object, a key in it, the value that is put there (or none to take it away), and the path that
/// has to be reported then.
const DAMAGES: &[(&str, &str, Option<&str>, &str)] = &[
    ("", "name", Some("7"), "name"),
    ("", "prompt", None, ""),
    ("", "tags", Some(r#"["a", 1]"#), "tags[1]"),
    ("", "min_pass_rate", Some("true"), "min_pass_rate"),
    ("", "zzz", Some("1"), "zzz"),
    ("/reference_cases/0", "kind", None, "reference_cases[0]"),
    (
        "/reference_cases/0/decisions/0/tool_calls/0",
        "arguments",
        Some("[]"),
        "reference_cases[0].decisions[0].tool_calls[0].arguments",
    ),
    ("/reference_cases/0/decisions/1", "zzz", Some("null"), "reference_cases[0].decisions[1].zzz"),
    ("/reference_cases/1", "kind", Some("\"lead\""), "reference_cases[1].kind"),
    ("/reference_cases/1", "name", Some("null"), "reference_cases[1].name"),
    ("/tools/crm", "kind", Some("\"studio\""), "tools.crm.kind"),
    ("/tools/remote", "url", Some("3"), "tools.remote.url"),
    ("/tools/remote", "port", Some("-1"), "tools.remote.port"),
    ("/tools/orders/http", "url", None, "tools.orders.http"),
    ("/tools/orders/http", "zzz", Some("{}"), "tools.orders.http.zzz"),
    ("/outcome/all_of/0/observation", "source", Some("[]"), "outcome.all_of[0].observation.source"),
    ("/outcome/all_of/1", "equals", None, "outcome.all_of[1]"),
    ("/outcome/all_of/1", "zzz", Some("1"), "outcome.all_of[1].zzz"),
];

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_text_makes_a_reader_panic(text in any_text()) {
        for format in FORMATS {
            match Document::parse("file", text.as_str(), format, &Limits::default()) {
                Ok(document) => {
                    check_spans(document.root(), document.text());
                    let _ = document.span(&Path::root().then("a").then(0), At::Key);
                    let _ = document.decode::<std::collections::BTreeMap<u8, Vec<bool>>>().map_err(|e| e.to_string());
                }
                Err(faults) => prop_assert!(!faults.to_string().is_empty()),
            }
        }
    }

    #[test]
    fn a_value_written_as_json_or_yaml_is_read_back(
        value in values(prop_oneof![9 => scalars(), 1 => Just(Value::Null)].boxed())
    ) {
        prop_assert_eq!(&read_back(Format::Json, &value.to_string()), &value);
        prop_assert_eq!(&read_back(Format::Json, &serde_json::to_string_pretty(&value).unwrap()), &value);
        prop_assert_eq!(&read_back(Format::Yaml, &serde_saphyr::to_string(&value).unwrap()), &value);
    }

    #[test]
    fn a_table_written_as_toml_is_read_back(
        table in maps(values(
            scalars().prop_filter("TOML has 64 bits with a sign", |value| !value.is_u64() || value.is_i64()).boxed()
        ))
    ) {
        let text = toml::to_string(&table).unwrap();
        prop_assert_eq!(read_back(Format::Toml, &text), Value::from(table));
    }

    #[test]
    fn each_damage_is_reported_and_nothing_else(
        damages in prop::sample::subsequence(DAMAGES, 0..=DAMAGES.len())
    ) {
        let mut scenario = scenario();
        let mut expected = Vec::new();
        for (object, key, value, path) in damages {
            let object = scenario.pointer_mut(object).unwrap().as_object_mut().unwrap();
            match value {
                Some(value) => object.insert((*key).to_owned(), serde_json::from_str(value).unwrap()),
                None => object.remove::<str>(key),
            };
            expected.push((*path).to_owned());
        }
        let text = scenario.to_string();
        let document = Document::parse("file", text, Format::Json, &Limits::default()).unwrap();
        let mut found: Vec<String> = match document.decode::<Scenario>() {
            Ok(_) => Vec::new(),
            Err(faults) => faults.iter().map(|fault| fault.path().to_string()).collect(),
        };
        found.sort();
        expected.sort();
        prop_assert_eq!(found, expected);
    }
}
