use std::time::Duration;

use futures::FutureExt as _;
use serde_json::json;

use super::*;
use crate::mock::testkit::{call, context, drain, now, params, poll, remaining};

fn tooling(toml: &str) -> MockTooling {
    MockTooling::new(&params(toml), &context()).unwrap()
}

/// A script and what tells it of events.
fn gated(toml: &str) -> (MockTooling, crate::gate::Gates) {
    let context = context();
    (MockTooling::new(&params(toml), &context).unwrap(), context.gates)
}

fn queued(tooling: &MockTooling, tool: &str) -> Result<ToolResult, String> {
    now(tooling.call_tool(tool, json!({"n": 1}), CallMode::Queued)).map_err(|error| error.to_string())
}

fn blocking(tooling: &MockTooling, tool: &str) -> Result<ToolResult, String> {
    now(tooling.call_tool(tool, json!({"n": 1}), CallMode::Blocking)).map_err(|error| error.to_string())
}

fn texts(contents: &[ResourceContent]) -> Vec<&str> {
    contents.iter().map(|content| content.content.as_str()).collect()
}

#[test]
fn a_result_is_one_text_block_beside_what_is_structured() {
    let tooling = tooling(
        r#"tool_calls = [
            { name = "add", result = "3", structured_content = { sum = 3 }, is_error = true },
            { name = "add" },
        ]"#,
    );
    let result = queued(&tooling, "add").unwrap();
    assert_eq!(
        result,
        ToolResult {
            name: "add".into(),
            arguments: r#"{"n":1}"#.into(),
            content: r#"[{"type":"text","text":"3"}]"#.into(),
            structured_content: Some(r#"{"sum":3}"#.into()),
            is_error: true,
        }
    );
    let empty = queued(&tooling, "add").unwrap();
    assert_eq!(empty.content, r#"[{"type":"text","text":""}]"#);
    assert_eq!((empty.structured_content, empty.is_error), (None, false));
}

type Call = fn(&MockTooling, &str) -> Result<ToolResult, String>;

#[test]
fn calls_that_the_script_does_not_have_fail_with_these_texts() {
    let one = r#"
        delay_ms = 0
        tool_calls = [{ name = "add", result = "3" }]
    "#;
    let (blocking, queued): (Call, Call) = (blocking, queued);
    let table = [
        ("no script, blocking", "", vec![], blocking, r#"mock has no scripted result for tool "t""#),
        ("no script, queued", "", vec![], queued, r#"mock tool calls exhausted at "t""#),
        ("used up, blocking", one, vec!["add"], blocking, r#"mock tool calls exhausted at "t""#),
        ("used up, queued", one, vec!["add"], queued, r#"mock tool calls exhausted at "t""#),
        ("wrong tool, blocking", one, vec![], blocking, r#"mock expected tool "add", got "t""#),
        ("wrong tool, queued", one, vec![], queued, r#"mock expected tool "add", got "t""#),
    ];
    for (name, toml, before, call, text) in table {
        let tooling = tooling(toml);
        for tool in before {
            call(&tooling, tool).unwrap();
        }
        assert_eq!(call(&tooling, "t"), Err(text.to_owned()), "{name}");
    }
}

#[test]
fn a_wrong_tool_uses_the_entry_up() {
    let tooling = tooling(r#"tool_calls = [{ name = "add", result = "1" }, { name = "add", result = "2" }]"#);
    queued(&tooling, "sub").unwrap_err();
    assert!(queued(&tooling, "add").unwrap().content.contains('2'));
}

#[test]
fn an_error_fails_the_call_and_a_pending_one_is_never_answered() {
    let tooling = tooling(
        r#"tool_calls = [
            { name = "t", error = "no route", result = "unused" },
            { name = "t", pending = true, error = "unused" },
            { name = "t", result = "after" },
        ]"#,
    );
    assert_eq!(queued(&tooling, "t"), Err("no route".to_owned()));
    let mut stuck = tooling.call_tool("t", json!({}), CallMode::Queued);
    assert_eq!(poll(&mut stuck), None);
    assert!(queued(&tooling, "t").unwrap().content.contains("after"));
    assert_eq!(poll(&mut stuck), None);
}

#[test]
fn a_closed_gate_delays_its_own_call_only() {
    let (tooling, gates) = gated(
        r#"tool_calls = [
            { name = "t", result = "late", after = { kind = "call", op = "memory_set" } },
            { name = "t", result = "soon" },
        ]"#,
    );
    let mut late = tooling.call_tool("t", json!({}), CallMode::Queued);
    assert_eq!(poll(&mut late), None);
    assert!(queued(&tooling, "t").unwrap().content.contains("soon"));
    gates.see(&call("memory_get"));
    assert_eq!(poll(&mut late), None);
    gates.see(&call("memory_set"));
    assert!(poll(&mut late).unwrap().unwrap().content.contains("late"));
}

#[test]
fn a_gate_that_opened_before_the_call_does_not_delay_it() {
    let (tooling, gates) =
        gated(r#"tool_calls = [{ name = "t", after = { "$until" = { kind = "call", op = "chat" } } }]"#);
    gates.see(&call("chat"));
    queued(&tooling, "t").unwrap();
}

#[tokio::test(start_paused = true)]
async fn blocking_calls_take_their_time_and_queued_ones_none() {
    for (delay, toml) in [
        (10, r#"tool_calls = [{ name = "t" }]"#),
        (250, "delay_ms = 250\ntool_calls = [{ name = \"t\", error = \"no\" }]"),
        (0, "delay_ms = 0\ntool_calls = [{ name = \"t\" }]"),
    ] {
        let start = tokio::time::Instant::now();
        let _ = tooling(toml).call_tool("t", json!({}), CallMode::Blocking).await;
        assert_eq!(start.elapsed(), Duration::from_millis(delay), "{toml}");
    }
    let tooling = tooling(r#"tool_calls = [{ name = "t" }]"#);
    assert!(tooling.call_tool("t", json!({}), CallMode::Queued).now_or_never().is_some());
}

#[test]
fn tools_resources_and_templates_are_listed_as_written() {
    let tooling = tooling(
        r#"
        tools = [{ name = "add", input_schema = { type = "object" }, annotations = { read_only_hint = true } }]
        initial_resource_list = [{ uri = "mem://a", name = "a", mime_type = "text/plain", size = 3, annotations = { audience = ["user"], priority = 1 } }]
        resource_templates = [{ uri_template = "mem://{id}", name = "any" }]
        "#,
    );
    let tools = now(tooling.list_tools()).unwrap();
    assert_eq!(tools[0].input_schema, json!({"type": "object"}));
    assert_eq!(tools[0].annotations.unwrap().read_only_hint, Some(true));
    assert_eq!(tools[0].annotations.unwrap().open_world_hint, None);
    let resources = now(tooling.list_resources()).unwrap();
    assert_eq!((resources[0].uri.as_str(), resources[0].size), ("mem://a", Some(3)));
    assert_eq!(resources[0].annotations.as_ref().unwrap().priority, Some(1.0));
    assert_eq!(now(tooling.list_resource_templates()).unwrap()[0].uri_template, "mem://{id}");
}

#[test]
fn a_resource_is_read_with_the_media_type_of_the_list() {
    let tooling = tooling(
        r#"
        initial_resource_list = [{ uri = "mem://a", name = "a", mime_type = "text/plain" }]
        [initial_resource_contents]
        "mem://a" = ["one", "two"]
        "mem://unlisted" = ["three"]
        "#,
    );
    let listed = now(tooling.read_resource("mem://a")).unwrap();
    assert_eq!(texts(&listed), ["one", "two"]);
    assert!(listed.iter().all(|content| content.mime_type.as_deref() == Some("text/plain")));
    assert_eq!(now(tooling.read_resource("mem://unlisted")).unwrap()[0].mime_type, None);
    assert_eq!(
        now(tooling.read_resource("mem://b")).unwrap_err().to_string(),
        r#"mock has no content for resource "mem://b""#
    );
}

#[test]
fn a_subscription_sees_every_update_and_the_first_to_see_one_changes_the_list() {
    let (tooling, gates) = gated(
        r#"
        initial_resource_list = [{ uri = "mem://a", name = "a" }]
        resource_list_updates = [
            { resources = [{ uri = "mem://b", name = "b" }] },
            { resources = [], after = { kind = "call", op = "chat" } },
        ]
        "#,
    );
    let names = |list: Vec<ResourceInfo>| list.into_iter().map(|info| info.name).collect::<Vec<_>>();
    let listed = || names(now(tooling.list_resources()).unwrap());
    let seen = |stream: &mut UpdateStream<Vec<ResourceInfo>>| {
        let (updates, has_ended) = drain(stream);
        assert!(!has_ended);
        updates.into_iter().map(|update| names(update.unwrap())).collect::<Vec<_>>()
    };

    assert_eq!(listed(), ["a"], "nobody is subscribed yet");
    let mut first = now(tooling.subscribe_resource_list()).unwrap();
    assert_eq!(seen(&mut first), [["b"]]);
    assert_eq!(listed(), ["b"]);
    gates.see(&call("chat"));
    assert_eq!(seen(&mut first), [Vec::<String>::new()]);
    assert_eq!(listed(), Vec::<String>::new());
    let mut second = now(tooling.subscribe_resource_list()).unwrap();
    assert_eq!(seen(&mut second), [vec!["b".to_owned()], vec![]]);
    assert_eq!(listed(), Vec::<String>::new(), "an update that has happened does not happen again");
}

#[test]
fn an_update_waits_for_the_one_before_it() {
    let (tooling, gates) = gated(
        r#"
        resource_content_updates = [
            { uri = "mem://a", contents = ["1"], after = { kind = "call", op = "chat" } },
            { uri = "mem://b", contents = ["2"] },
            { uri = "mem://a", contents = ["3"] },
        ]
        "#,
    );
    let mut a = now(tooling.subscribe_resource("mem://a")).unwrap();
    let mut b = now(tooling.subscribe_resource("mem://b")).unwrap();
    assert_eq!(drain(&mut a).0, []);
    assert_eq!(texts(drain(&mut b).0[0].as_ref().unwrap()), ["2"]);
    gates.see(&call("chat"));
    let (updates, has_ended) = drain(&mut a);
    let updates: Vec<_> = updates.iter().map(|update| texts(update.as_ref().unwrap())).collect();
    assert_eq!((updates, has_ended), (vec![vec!["1"], vec!["3"]], false));
    assert_eq!(texts(&now(tooling.read_resource("mem://a")).unwrap()), ["3"]);
}

#[test]
fn an_error_ends_the_subscription_and_a_pending_step_holds_it() {
    let tooling = tooling(
        r#"
        resource_list_updates = [{ error = "gone" }, { resources = [] }]
        resource_content_updates = [{ uri = "u", pending = true }, { uri = "u", contents = ["x"] }]
        "#,
    );
    let gone = BackendError::new("gone");
    assert_eq!(drain(&mut now(tooling.subscribe_resource_list()).unwrap()), (vec![Err(gone)], true));
    assert_eq!(drain(&mut now(tooling.subscribe_resource("u")).unwrap()), (vec![], false));
}

#[test]
fn a_snapshot_tells_of_calls_and_of_what_is_left() {
    let (tooling, gates) = gated(
        r#"
        tool_calls = [
            { name = "a", result = "1", structured_content = [2] },
            { name = "b", error = "no" },
            { name = "c", pending = true },
            { name = "d", after = { kind = "call", op = "chat" } },
            { name = "e", error = "no", after = { kind = "call", op = "chat" } },
            { name = "f", pending = true },
        ]
        resource_list_updates = [{ resources = [], after = { kind = "call", op = "chat" } }]
        resource_content_updates = [{ uri = "u", contents = ["x"] }, { uri = "v", error = "gone" }, { uri = "w", pending = true }]
        "#,
    );
    queued(&tooling, "a").unwrap();
    queued(&tooling, "b").unwrap_err();
    let mut stuck = tooling.call_tool("c", json!([]), CallMode::Queued);
    assert_eq!(poll(&mut stuck), None);
    drop(drain(&mut now(tooling.subscribe_resource("u")).unwrap()));
    let snapshot = tooling.snapshot().unwrap();
    assert_eq!(
        remaining(&snapshot),
        [
            r#"tool_calls[3]: d: "" (waits for {kind: "call", op: "chat"})"#,
            r#"tool_calls[4]: e: fails with "no" (waits for {kind: "call", op: "chat"})"#,
            "tool_calls[5]: f: never answers",
            r#"resource_list_updates[0]: a new list (waits for {kind: "call", op: "chat"})"#,
            r#"resource_content_updates[1]: v: fails with "gone""#,
            "resource_content_updates[2]: w: nothing any more",
        ]
    );
    let result =
        json!({"content": [{"type": "text", "text": "1"}], "structured_content": [2], "is_error": false});
    assert_eq!(
        snapshot,
        json!({
            "kind": "tooling", "tool_calls_total": 6, "tool_calls_consumed": 3, "tool_calls_remaining": 3,
            "calls_dropped": 0,
            "calls": [
                {"name": "a", "arguments": {"n": 1}, "result": result},
                {"name": "b", "arguments": {"n": 1}, "result": null},
                {"name": "c", "arguments": [], "result": null},
            ],
            "remaining": snapshot["remaining"],
        })
    );
    gates.see(&call("chat"));
    assert_eq!(remaining(&tooling.snapshot().unwrap())[0], r#"tool_calls[3]: d: """#);
}

#[test]
fn calls_beyond_the_script_do_not_count_as_consumed() {
    let tooling = tooling(r#"tool_calls = [{ name = "a" }]"#);
    queued(&tooling, "a").unwrap();
    queued(&tooling, "a").unwrap_err();
    let snapshot = tooling.snapshot().unwrap();
    assert_eq!([&snapshot["tool_calls_consumed"], &snapshot["tool_calls_remaining"]], [1, 0]);
    assert_eq!(snapshot["calls"].as_array().unwrap().len(), 2);
}
