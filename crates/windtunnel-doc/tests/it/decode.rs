//! What a type gets out of a document, and which faults are found together.

use serde::Deserialize;
use windtunnel_doc::{Format, Path};

use crate::shapes::{Scenario, Tool, decode, document, faults};

const GOOD: [(Format, &str); 2] = [
    (
        Format::Toml,
        r#"
            name = "n"
            prompt = "p"
            min_pass_rate = 1
            outcome = { all_of = [{ observation = { source = "s", equals = { a = [1, 2.5] } } }] }
            [[reference_cases]]
            name = "known-good"
            kind = "golden"
            decisions = [{ tool_calls = [{ name = "t", arguments = { x = 1 } }] }, { content = "done" }]
            [tools.crm]
            kind = "stdio"
            command = ["python3"]
            [tools.remote]
            kind = "http"
            url = "http://127.0.0.1:1"
            [tools.files]
            kind = "workspace"
        "#,
    ),
    (
        Format::Yaml,
        r"
name: n
prompt: p
min_pass_rate: 1
outcome:
  all_of:
    - observation: { source: s, equals: { a: [1, 2.5] } }
reference_cases:
  - name: known-good
    kind: golden
    decisions:
      - tool_calls: [{ name: t, arguments: { x: 1 } }]
      - content: done
tools:
  crm: { kind: stdio, command: [python3] }
  remote: { http: { url: 'http://127.0.0.1:1' } }
  files: workspace
",
    ),
];

#[test]
fn one_value_can_be_written_in_each_format() {
    let [toml, yaml] = GOOD;
    let from_toml: Scenario = decode(toml.0, toml.1);
    let from_yaml: Scenario = decode(yaml.0, yaml.1);
    assert_eq!(from_toml, from_yaml);
    let json = document(toml.0, toml.1).root().to_json().to_string();
    assert_eq!(decode::<Scenario>(Format::Json, &json), from_toml);
    assert_eq!(from_toml.tools.keys().collect::<Vec<_>>(), ["crm", "remote", "files"]);
    assert_eq!(from_toml.tools["crm"], Tool::Stdio { command: vec!["python3".into()] });
    assert_eq!(from_toml.tools["files"], Tool::Workspace);
}

const BAD: &str = r#"name = 7
promt = "typed wrong"
tags = ["a", 2, true]
requires_tool_use = "yes"
retries = 300
min_pass_rate = "half"
colour = "blue"

[[reference_cases]]
name = "known-good"
kind = "goldn"
decisions = [
  { tool_calls = [{ name = "t" }, { name = [], arguments = 3 }] },
  { contents = "done" },
]

[[reference_cases]]
decisions = { content = "done" }

[tools.crm]
kind = "studio"
command = ["python3"]

[tools.orders]
command = []

[tools.remote]
kind = "http"
port = 70000
"#;

#[test]
fn all_faults_of_a_file_are_reported_at_once_and_in_order() {
    let expected = r#"
file:1:8: name: expected a string, found integer 7; write "7" for the text
file:2:1: promt: unknown field "promt"; expected one of name, prompt, tags, requires_tool_use, retries, min_pass_rate, reference_cases, tools, outcome; did you mean "prompt"?
file:3:14: tags[1]: expected a string, found integer 2; write "2" for the text
file:3:17: tags[2]: expected a string, found true; write "true" for the text
file:4:21: requires_tool_use: expected true or false, found string "yes"
file:5:11: retries: expected an integer from 0 to 255, found integer 300
file:6:17: min_pass_rate: expected a number, found string "half"
file:7:1: colour: unknown field "colour"; expected one of name, prompt, tags, requires_tool_use, retries, min_pass_rate, reference_cases, tools, outcome
file:11:8: reference_cases[0].kind: unknown kind "goldn"; expected one of golden, poison; did you mean "golden"?
file:13:19: reference_cases[0].decisions[0].tool_calls[0]: missing field "arguments"
file:13:44: reference_cases[0].decisions[0].tool_calls[1].name: expected a string, found an array
file:13:60: reference_cases[0].decisions[0].tool_calls[1].arguments: expected a table, found integer 3
file:14:5: reference_cases[0].decisions[1].contents: unknown field "contents"; expected one of content, tool_calls; did you mean "content"?
file:17:1: reference_cases[1]: missing field "name"
file:17:1: reference_cases[1]: missing field "kind"
file:18:13: reference_cases[1].decisions: expected an array, found a table
file:21:8: tools.crm.kind: unknown kind "studio"; expected one of stdio, http, workspace; did you mean "stdio"?
file:24:8: tools.orders: missing field "kind"; expected one of stdio, http, workspace; name it in the field "kind", or as the only key around the other fields
file:27:8: tools.remote: missing field "url"
file:29:8: tools.remote.port: expected an integer from 0 to 65535, found integer 70000"#;
    assert_eq!(faults::<Scenario>(Format::Toml, BAD), expected.trim_start());
}

#[test]
fn each_format_places_the_same_faults() {
    #[derive(Debug, Deserialize)]
    #[expect(dead_code, reason = "only the types count")]
    #[serde(deny_unknown_fields)]
    struct Small {
        name: String,
        list: Vec<i8>,
        must: bool,
    }
    let table = [
        (Format::Toml, "naem = \"x\"\nlist = [1, 500]\n", ["1:1", "1:1", "2:12"]),
        (Format::Yaml, "naem: x\nlist:\n  - 1\n  - 500\n", ["1:1", "1:1", "4:5"]),
        (Format::Json, "{\n  \"naem\": \"x\",\n  \"list\": [1, 500]\n}", ["1:1", "2:3", "3:15"]),
    ];
    for (format, text, [must, naem, list]) in table {
        let found = faults::<Small>(format, text);
        for line in [
            format!("file:{must}: missing field \"must\""),
            format!(
                "file:{naem}: naem: unknown field \"naem\"; expected one of name, list, must; did you mean \"name\"?"
            ),
            format!("file:{list}: list[1]: expected an integer from -128 to 127, found integer 500"),
        ] {
            assert!(found.lines().any(|found| found == line), "{format}: no {line:?} in\n{found}");
        }
        assert_eq!(found.lines().count(), 3, "{format}:\n{found}");
    }
}

#[test]
fn a_field_given_under_two_names_is_reported_at_the_second() {
    #[derive(Debug, Deserialize)]
    #[expect(dead_code, reason = "only its names count")]
    struct Aliased {
        #[serde(alias = "title")]
        name: String,
        age: u8,
    }
    insta::assert_snapshot!(faults::<Aliased>(Format::Toml, "name = \"a\"\ntitle = \"b\"\nage = -1\n"), @r#"
        file:2:1: title: the field "name" is already given; keep one of the two
        file:3:7: age: expected an integer from 0 to 255, found integer -1
    "#);
}

#[test]
fn what_a_placeholder_breaks_is_not_reported() {
    #[derive(Debug, Deserialize)]
    #[serde(try_from = "Raw")]
    struct Checked;
    #[derive(Debug, Deserialize)]
    #[expect(dead_code, reason = "only the types count")]
    struct Raw {
        url: Url,
        low: u8,
        high: u8,
    }
    impl TryFrom<Raw> for Checked {
        type Error = String;
        fn try_from(raw: Raw) -> Result<Self, String> {
            if raw.low < raw.high { Ok(Self) } else { Err("low must be below high".to_owned()) }
        }
    }
    #[derive(Debug, Deserialize)]
    #[serde(try_from = "String")]
    struct Url;
    impl TryFrom<String> for Url {
        type Error = String;
        fn try_from(text: String) -> Result<Self, String> {
            if text.starts_with("http") { Ok(Self) } else { Err(format!("{text:?} is no URL")) }
        }
    }
    #[derive(Debug, Deserialize)]
    #[expect(dead_code, reason = "only the types count")]
    struct Outer {
        first: Checked,
        second: Checked,
        list: Vec<Url>,
        last: bool,
    }
    let text = r#"{
        "first": {"url": "ftp://", "low": "a", "high": 0},
        "second": {"url": "http://", "low": 2, "high": 1},
        "list": ["a", "http", "b"],
        "last": 0
    }"#;
    insta::assert_snapshot!(faults::<Outer>(Format::Json, text), @r#"
        file:2:26: first.url: "ftp://" is no URL
        file:2:43: first.low: expected an integer, found string "a"
        file:3:19: second: low must be below high
        file:4:18: list[0]: "a" is no URL
        file:4:31: list[2]: "b" is no URL
        file:5:17: last: expected true or false, found integer 0
    "#);
}

#[test]
fn a_type_that_contains_itself_ends() {
    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    #[expect(dead_code, reason = "only the types count")]
    struct Node {
        next: Box<Node>,
        name: String,
    }
    insta::assert_snapshot!(faults::<Node>(Format::Json, r#"{"next": {"next": 1, "name": 2}, "name": 3}"#), @r#"
        file:1:19: next.next: expected an object, found integer 1
        file:1:30: next.name: expected a string, found integer 2; write "2" for the text
        file:1:42: name: expected a string, found integer 3; write "3" for the text
    "#);
}

#[test]
fn more_faults_than_anyone_reads_are_cut() {
    let text = format!("[{}]", "1,".repeat(99) + "1");
    let faults = document(Format::Json, &text).decode::<Vec<String>>().unwrap_err();
    assert_eq!(faults.len(), 51);
    assert!(faults.to_string().ends_with("file: there are more faults than these 50"), "{faults}");
}

#[test]
fn a_part_of_a_document_is_decoded_with_places_in_the_whole() {
    #[derive(Debug, Deserialize)]
    #[expect(dead_code, reason = "only its type counts")]
    struct Named {
        name: String,
    }
    let document = document(Format::Toml, "[a]\nlist = [{ name = 1 }]\n");
    let path = Path::root().then("a").then("list").then(0);
    let faults = document.decode_node::<Named>(&path).unwrap_err();
    insta::assert_snapshot!(faults, @r#"
        file:2:18: a.list[0].name: expected a string, found integer 1; write "1" for the text
    "#);
    let nowhere = document.decode_node::<Named>(&Path::root().then("a").then("lost")).unwrap_err();
    insta::assert_snapshot!(nowhere, @r#"
        file:1:2: a.lost: there is no such value
    "#);
}
