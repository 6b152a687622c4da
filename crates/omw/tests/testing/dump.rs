//! The document of everything that was seen.

use omw::testing::{DumpFormat, Keep, TestReport, dump};
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;

use crate::bench::{Bench, chat};

/// The document as its readers know it: no key more, no key less.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Dump {
    tests: Vec<DumpedTest>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct DumpedTest {
    test: String,
    passed: bool,
    error: Option<String>,
    agents: BTreeMap<String, DumpedAgent>,
    snapshots: Snapshots,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Snapshots {
    providers: BTreeMap<String, Value>,
    tooling: BTreeMap<String, Value>,
    endpoint: Option<Value>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct DumpedAgent {
    passed: bool,
    asserted: bool,
    outcome: Option<Value>,
    diff: Option<String>,
    cursor: usize,
    assertions: usize,
    timed_out: bool,
    observed: Vec<Observed>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Observed {
    kind: String,
    data: Value,
}

async fn reports() -> [TestReport; 2] {
    let bench = Bench::new().keep(Keep::Everything).agent("alice", |host| {
        for _ in 0..150 {
            host.whoami();
        }
        Ok(chat(host, "gpt-5")?.content)
    });
    let report = bench
        .run(
            r#"
[providers.llm]
kind = "mock"
turns = [{ content = "hello" }]

[assertions.alice]
outcome = "completed"
events = [{ kind = "call", op = "chat" }, { kind = "call", op = "list_tools" }]"#,
        )
        .await;
    [report, TestReport::of_error("cannot read script x")]
}

#[tokio::test(flavor = "multi_thread")]
async fn the_document_holds_every_event_and_nothing_unknown() {
    let [ran, broken] = reports().await;
    let text = dump([("a/omw.test.toml", &ran), ("b/omw.test.toml", &broken)], DumpFormat::Json).unwrap();
    assert!(text.starts_with("{\n  \"tests\": [\n") && text.ends_with("}\n"));
    let dump: Dump = serde_json::from_str(&text).unwrap();
    let [ran, broken] = dump.tests.as_slice() else { panic!("{dump:?}") };

    assert_eq!((ran.test.as_str(), ran.passed, &ran.error), ("a/omw.test.toml", false, &None));
    let alice = &ran.agents["alice"];
    assert!(!alice.passed && !alice.asserted && !alice.timed_out);
    assert_eq!(alice.outcome, Some(serde_json::json!({"exited": "hello"})));
    assert_eq!((alice.cursor, alice.assertions), (1, 2));
    assert!(alice.diff.as_ref().unwrap().starts_with("outcome mismatch\n"));
    let kinds: Vec<_> = alice.observed.iter().map(|event| event.kind.as_str()).collect();
    assert_eq!(kinds, ["call", "returned"].repeat(151), "more than a failure shows");
    let chat = &alice.observed[300].data;
    assert_eq!((&chat["agent"], &chat["op"], &chat["uuid"]), (&"alice".into(), &"chat".into(), &Value::Null));
    assert_eq!(chat["detail"]["messages"][0]["content"], "hi");
    assert_eq!(ran.snapshots.providers["llm"]["turns_consumed"], 1);
    assert!(ran.snapshots.tooling.is_empty() && ran.snapshots.endpoint.is_none());

    assert_eq!(broken.error.as_deref(), Some("cannot read script x"));
    assert!(!broken.passed && broken.agents.is_empty() && broken.test == "b/omw.test.toml");
}

#[tokio::test(flavor = "multi_thread")]
async fn yaml_and_toml_hold_the_same() {
    let [ran, _] = reports().await;
    let tests = || [("omw.test.toml", &ran)];
    let json: Value = serde_json::from_str(&dump(tests(), DumpFormat::Json).unwrap()).unwrap();
    let yaml: Value = read(&dump(tests(), DumpFormat::Yaml).unwrap(), windtunnel_doc::Format::Yaml);
    assert_eq!(yaml, json);
    let toml: Value = read(&dump(tests(), DumpFormat::Toml).unwrap(), windtunnel_doc::Format::Toml);
    assert_eq!(toml, without_nulls(json));
}

fn read(text: &str, format: windtunnel_doc::Format) -> Value {
    let limits = windtunnel_doc::Limits::default();
    windtunnel_doc::Document::parse("dump", text, format, &limits).unwrap().root().to_json()
}

fn without_nulls(value: Value) -> Value {
    match value {
        Value::Object(members) => {
            let members = members.into_iter().filter(|(_, value)| !value.is_null());
            members.map(|(key, value)| (key, without_nulls(value))).collect()
        }
        Value::Array(items) => items.into_iter().map(without_nulls).collect(),
        plain => plain,
    }
}
