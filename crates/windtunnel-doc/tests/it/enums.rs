//! Enums in both of the ways that our files write them, and in serde's own.

use std::collections::BTreeMap;

use serde::Deserialize;
use windtunnel_doc::Format;

use crate::shapes::{Http, Tool, decode, faults};

#[test]
fn an_enum_can_be_tagged_from_inside_or_outside() {
    let stdio = || Tool::Stdio { command: vec!["a".into()] };
    let http = || Tool::Http(Http { url: "u".into(), port: 1 });
    let table = [
        (r#"{"kind": "stdio", "command": ["a"]}"#, stdio()),
        (r#"{"command": ["a"], "kind": "stdio"}"#, stdio()),
        (r#"{"stdio": {"command": ["a"]}}"#, stdio()),
        (r#"{"kind": "http", "url": "u", "port": 1}"#, http()),
        (r#"{"http": {"url": "u", "port": 1}}"#, http()),
        (r#"{"kind": "workspace"}"#, Tool::Workspace),
        (r#"{"workspace": null}"#, Tool::Workspace),
        (r#"{"workspace": {}}"#, Tool::Workspace),
        (r#""workspace""#, Tool::Workspace),
    ];
    for (text, expected) in table {
        assert_eq!(decode::<Tool>(Format::Json, text), expected, "{text}");
    }
}

#[test]
fn a_variant_called_kind_is_reached_unless_its_content_names_a_variant() {
    #[derive(Debug, PartialEq, Deserialize)]
    #[serde(rename_all = "snake_case")]
    enum Odd {
        Kind(String),
        Other,
    }
    assert_eq!(decode::<Odd>(Format::Json, r#"{"kind": "free text"}"#), Odd::Kind("free text".into()));
    assert_eq!(decode::<Odd>(Format::Json, r#"{"kind": "other"}"#), Odd::Other);
}

#[test]
fn a_variant_that_catches_the_rest_is_asked_before_a_kind_is_unknown() {
    #[derive(Debug, PartialEq, Deserialize)]
    #[serde(rename_all = "snake_case")]
    enum Open {
        Known,
        #[serde(other)]
        Unknown,
    }
    assert_eq!(decode::<Open>(Format::Json, r#"{"kind": "from the future"}"#), Open::Unknown);
    assert_eq!(decode::<Open>(Format::Json, r#""from the future""#), Open::Unknown);
    assert_eq!(decode::<Open>(Format::Json, r#""known""#), Open::Known);
}

#[test]
fn serdes_own_ways_of_tagging_work_and_report_at_the_value() {
    #[derive(Debug, PartialEq, Deserialize)]
    #[serde(tag = "type", rename_all = "snake_case")]
    enum Part {
        Text { content: String },
    }
    #[derive(Debug, PartialEq, Deserialize)]
    struct Message {
        role: String,
        #[serde(flatten)]
        rest: BTreeMap<String, serde_json::Value>,
        parts: Vec<Part>,
    }
    let message: Message =
        decode(Format::Json, r#"{"role": "r", "x": [1], "parts": [{"type": "text", "content": "c"}]}"#);
    assert_eq!(message.parts, [Part::Text { content: "c".into() }]);
    assert_eq!(message.rest["x"], serde_json::json!([1]));
    insta::assert_snapshot!(
        faults::<Message>(Format::Json, r#"{"parts": [{"type": "txt"}, {"type": "text"}, {"type": "text", "content": 1}]}"#),
        @r#"
        file:1:1: missing field "role"
        file:1:21: parts[0].type: unknown value "txt"; expected text; did you mean "text"?
        file:1:29: parts[1]: missing field "content"
        file:1:47: parts[2]: expected a string, found integer 1
    "#
    );
}

#[test]
fn a_piece_of_a_variant_is_told_the_whole_of_it() {
    #[derive(Debug, PartialEq, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    enum Wire {
        OpenaiChat,
        AnthropicMessages,
    }
    insta::assert_snapshot!(
        faults::<Vec<Wire>>(Format::Json, r#"["anthropic", "chat", "gemini", {"openai": {}}]"#),
        @r#"
    file:1:2: [0]: unknown value "anthropic"; expected one of openai-chat, anthropic-messages; did you mean "anthropic-messages"?
    file:1:15: [1]: unknown value "chat"; expected one of openai-chat, anthropic-messages; did you mean "openai-chat"?
    file:1:23: [2]: unknown value "gemini"; expected one of openai-chat, anthropic-messages
    file:1:34: [3].openai: unknown value "openai"; expected one of openai-chat, anthropic-messages; did you mean "openai-chat"?
    "#
    );
}
