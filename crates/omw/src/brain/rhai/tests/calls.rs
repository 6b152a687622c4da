//! What the host is asked, and what scripts get.

use super::{end_with, ends};
use crate::brain::fake::{FakeHost, Script};
use crate::exchange::{ChatReply, Envelope, Event, Tool, ToolAnnotations, ToolCall, ToolResult};

#[test]
fn handles_have_a_name_and_a_kind() {
    insta::assert_snapshot!(ends(&[
        "omw::provider::get(\"p\").name",
        "omw::provider::get(\"p\").kind()",
        "omw::tooling::get(\"t\").name",
        "omw::tooling::get(\"t\").kind()",
        "omw::provider::get(\"p\").name()",
        "const P = omw::provider::get(\"p\"); P.list_models()",
        "omw::provider::get(\"p\")",
        "let h = #{p: omw::provider::get(\"p\")}; h.p.chat(\"m\", [], []).tool_calls.len",
        "fn ask(p) { p.chat_stream(\"m\", [], []) } ask(omw::provider::get(\"p\"))",
        "omw::provider::get(\"p\").is_open(\"stream-1\")",
        "omw::provider::get(\"p\").cancel(\"stream-1\")",
    ]), @r#"
    omw::provider::get("p").name
      => exited p
    omw::provider::get("p").kind()
      => exited fake
    omw::tooling::get("t").name
      => exited t
    omw::tooling::get("t").kind()
      => exited fake
    omw::provider::get("p").name()
      => failed: Function not found: name (Provider) (line 1, position 25)
    const P = omw::provider::get("p"); P.list_models()
      => exited ["small", "large"]
    omw::provider::get("p")
      => exited omw::brain::rhai::provider::Provider
    let h = #{p: omw::provider::get("p")}; h.p.chat("m", [], []).tool_calls.len
      => exited 0
    fn ask(p) { p.chat_stream("m", [], []) } ask(omw::provider::get("p"))
      => exited stream-1
    omw::provider::get("p").is_open("stream-1")
      => exited true
    omw::provider::get("p").cancel("stream-1")
      => completed
    "#);
}

#[test]
fn a_chat_carries_messages_tools_and_params() {
    let host = FakeHost::new(Script::default());
    let script = r#"
        let p = omw::provider::get("p");
        p.chat("m", ["a"].map(|text| #{content: text}), []);
        p.chat("m", [
            #{role: "system", content: 7},
            #{role: "assistant", reasoning: "r", tool_calls: [#{id: "1", name: "f", arguments: #{a: 1.0, b: ()}}]},
            #{role: "tool", content: "c", tool_call_id: "1", tool_calls: ()},
        ], [
            #{name: "f"},
            #{name: "g", title: "G", description: "d", input_schema: `{"type":"object"}`, output_schema: #{}, annotations: #{read_only_hint: true}},
        ], #{temperature: 0.5});
        p.chat_stream("m", [], [], `{"max_tokens": 3}`);
        p.chat_stream("m", [], [], " ");
    "#;
    assert_eq!(end_with(script, &host), "exited stream-1");
    insta::assert_snapshot!(host.told(), @r#"
    chat {"model":"m","messages":[{"role":"user","content":"a","reasoning":null,"tool_calls":[],"tool_call_id":null}],"tools":[],"params":null}
    chat {"model":"m","messages":[{"role":"system","content":null,"reasoning":null,"tool_calls":[],"tool_call_id":null},{"role":"assistant","content":null,"reasoning":"r","tool_calls":[{"id":"1","name":"f","arguments":"{\"a\":1.0,\"b\":null}"}],"tool_call_id":null},{"role":"tool","content":"c","reasoning":null,"tool_calls":[],"tool_call_id":"1"}],"tools":[{"name":"f","title":null,"description":null,"input_schema":{},"output_schema":null,"annotations":null},{"name":"g","title":"G","description":"d","input_schema":{"type":"object"},"output_schema":{},"annotations":{"read_only_hint":true,"destructive_hint":null,"idempotent_hint":null,"open_world_hint":null}}],"params":{"temperature":0.5}}
    chat_stream {"model":"m","messages":[],"tools":[],"params":{"max_tokens":3}}
    chat_stream {"model":"m","messages":[],"tools":[],"params":null}
    "#);
}

#[test]
fn a_reply_comes_back_parsed_and_can_be_sent_again() {
    let reply = ChatReply {
        content: Some("hello".to_owned()),
        tool_calls: vec![
            ToolCall { id: "1".to_owned(), name: "f".to_owned(), arguments: r#"{"a":{"b":1}}"#.to_owned() },
            ToolCall { id: "2".to_owned(), name: "g".to_owned(), arguments: "no json".to_owned() },
        ],
        usage: Some(r#"{"total_tokens":3}"#.to_owned()),
        ..ChatReply::default()
    };
    let host = FakeHost::new(Script { reply, ..Script::default() });
    let script = r#"
        let p = omw::provider::get("p");
        let r = p.chat("m", [], []);
        p.chat("m", [#{role: "assistant", content: r.content, tool_calls: r.tool_calls}], []);
        [r.tool_calls[0].arguments.a.b, r.tool_calls[1].arguments, r.usage.total_tokens, r.reasoning, r.keys()]
    "#;
    assert_eq!(
        end_with(script, &host),
        r#"exited [1, "no json", 3, (), ["content", "tool_calls", "usage"]]"#
    );
    insta::assert_snapshot!(host.told(), @r#"
    chat {"model":"m","messages":[],"tools":[],"params":null}
    chat {"model":"m","messages":[{"role":"assistant","content":"hello","reasoning":null,"tool_calls":[{"id":"1","name":"f","arguments":"{\"a\":{\"b\":1}}"},{"id":"2","name":"g","arguments":"no json"}],"tool_call_id":null}],"tools":[],"params":null}
    "#);
}

#[test]
fn malformed_chats_say_what_is_wrong() {
    let chat = |arguments: &str| format!("omw::provider::get(\"p\").chat(\"m\", {arguments})");
    let scripts = [
        chat("[1], []"),
        chat("[#{tool_calls: 1}], []"),
        chat("[#{tool_calls: [1]}], []"),
        chat("[#{tool_calls: [#{}]}], []"),
        chat("[#{tool_calls: [#{id: \"1\"}]}], []"),
        chat("[#{tool_calls: [#{id: \"1\", name: \"f\"}]}], []"),
        chat("[], [1]"),
        chat("[], [#{}]"),
        chat("[], [#{name: \"f\", annotations: 1}]"),
        chat("[], [#{name: \"f\", input_schema: \"{\"}]"),
        chat("[], [], 1"),
        chat("[], [], [1]"),
        chat("[], [], \"{\""),
        chat("[], [], \"[1]\""),
        chat("[], [], || 1"),
        chat("[#{content: || 1}], []"),
        chat("[]"),
        chat("1, 2"),
    ];
    insta::assert_snapshot!(ends(&scripts.each_ref().map(String::as_str)), @r#"
    omw::provider::get("p").chat("m", [1], [])
      => failed: Runtime error: chat message must be a map (line 1, position 25)
    omw::provider::get("p").chat("m", [#{tool_calls: 1}], [])
      => failed: Runtime error: tool_calls must be an array (line 1, position 25)
    omw::provider::get("p").chat("m", [#{tool_calls: [1]}], [])
      => failed: Runtime error: tool_call must be a map (line 1, position 25)
    omw::provider::get("p").chat("m", [#{tool_calls: [#{}]}], [])
      => failed: Runtime error: tool_call missing id (line 1, position 25)
    omw::provider::get("p").chat("m", [#{tool_calls: [#{id: "1"}]}], [])
      => failed: Runtime error: tool_call missing name (line 1, position 25)
    omw::provider::get("p").chat("m", [#{tool_calls: [#{id: "1", name: "f"}]}], [])
      => failed: Runtime error: tool_call missing arguments (line 1, position 25)
    omw::provider::get("p").chat("m", [], [1])
      => failed: Runtime error: tool must be a map (line 1, position 25)
    omw::provider::get("p").chat("m", [], [#{}])
      => failed: Runtime error: tool missing name (line 1, position 25)
    omw::provider::get("p").chat("m", [], [#{name: "f", annotations: 1}])
      => failed: Runtime error: tool annotations must be a map (line 1, position 25)
    omw::provider::get("p").chat("m", [], [#{name: "f", input_schema: "{"}])
      => failed: Runtime error: invalid input_schema JSON of tool "f": EOF while parsing an object at line 1 column 1 (line 1, position 25)
    omw::provider::get("p").chat("m", [], [], 1)
      => failed: Runtime error: params must be a map or a JSON string (line 1, position 25)
    omw::provider::get("p").chat("m", [], [], [1])
      => failed: Runtime error: params must be a map or a JSON string (line 1, position 25)
    omw::provider::get("p").chat("m", [], [], "{")
      => failed: Runtime error: invalid chat params JSON: EOF while parsing an object at line 1 column 1 (line 1, position 25)
    omw::provider::get("p").chat("m", [], [], "[1]")
      => failed: Runtime error: params must be a map or a JSON string (line 1, position 25)
    omw::provider::get("p").chat("m", [], [], || 1)
      => failed: Runtime error: params must be a map or a JSON string (line 1, position 25)
    omw::provider::get("p").chat("m", [#{content: || 1}], [])
      => failed: Runtime error: a value of type Fn has no JSON form (line 1, position 25)
    omw::provider::get("p").chat("m", [])
      => failed: Function not found: chat (Provider, &str | ImmutableString | String, array) (line 1, position 25)
    omw::provider::get("p").chat("m", 1, 2)
      => failed: Function not found: chat (Provider, &str | ImmutableString | String, i64, i64) (line 1, position 25)
    "#);
}

#[test]
fn tools_are_listed_and_called() {
    let tool = Tool {
        name: "f".to_owned(),
        input_schema: serde_json::json!({"type": "object", "properties": {"aKey": {}}}),
        annotations: Some(ToolAnnotations { read_only_hint: Some(true), ..ToolAnnotations::default() }),
        ..Tool::default()
    };
    let result = ToolResult {
        name: "f".to_owned(),
        arguments: r#"{"a":1}"#.to_owned(),
        content: r#"[{"type":"text","text":"sunny"}]"#.to_owned(),
        structured_content: Some(r#"{"sky":"blue"}"#.to_owned()),
        is_error: false,
    };
    let host = FakeHost::new(Script { tools: vec![tool], result, ..Script::default() });
    let script = r#"
        let t = omw::tooling::get("t");
        omw::provider::get("p").chat("m", [], t.list_tools());
        t.call_tool("f", #{a: [1, 'c', 2.0]});
        let r = t.call_tool_blocking("f", #{});
        t.subscribe_resource("file:///x");
        [t.list_tools(), r, r.content[0].text, r.structured_content.sky]
    "#;
    insta::assert_snapshot!(end_with(script, &host), @r#"exited [[#{"annotations": #{"read_only_hint": true}, "input_schema": #{"properties": #{"aKey": #{}}, "type": "object"}, "name": "f"}], #{"arguments": #{"a": 1}, "content": [#{"text": "sunny", "type": "text"}], "is_error": false, "name": "f", "structured_content": #{"sky": "blue"}}, "sunny", "blue"]"#);
    insta::assert_snapshot!(host.told(), @r#"
    list_tools {}
    chat {"model":"m","messages":[],"tools":[{"name":"f","title":null,"description":null,"input_schema":{"properties":{"aKey":{}},"type":"object"},"output_schema":null,"annotations":{"read_only_hint":true,"destructive_hint":null,"idempotent_hint":null,"open_world_hint":null}}],"params":null}
    call_tool {"tool":"f","arguments":{"a":[1,"c",2.0]}}
    call_tool_blocking {"tool":"f","arguments":{}}
    subscribe_resource {"uri":"file:///x"}
    list_tools {}
    "#);
    insta::assert_snapshot!(ends(&[
        "omw::tooling::get(\"t\").call_tool(\"f\", \"{}\")",
        "omw::tooling::get(\"t\").call_tool_blocking(\"f\")",
    ]), @r#"
    omw::tooling::get("t").call_tool("f", "{}")
      => failed: Function not found: call_tool (Tooling, &str | ImmutableString | String, &str | ImmutableString | String) (line 1, position 24)
    omw::tooling::get("t").call_tool_blocking("f")
      => failed: Function not found: call_tool_blocking (Tooling, &str | ImmutableString | String) (line 1, position 24)
    "#);
}

#[test]
fn events_are_maps_with_a_payload() {
    let envelope = |event| Envelope { id: "i".to_owned(), event };
    let inbox =
        vec![envelope(Event::Message("hi".to_owned())), envelope(Event::Timer), envelope(Event::ChatEnd)];
    let host = FakeHost::new(Script { inbox, ..Script::default() });
    let script = "let a = []; loop { let e = omw::host::try_recv(); if e == () { break } a += [[e.id, e.kind, e.payload]] } a";
    assert_eq!(
        end_with(script, &host),
        r#"exited [["i", "message", "hi"], ["i", "timer", ()], ["i", "chat-end", ()]]"#
    );
}

#[test]
fn memory_holds_text_and_values() {
    insta::assert_snapshot!(ends(&[
        "omw::host::memory_get(\"k\")",
        "omw::host::memory_set(\"k\", \"v\"); [omw::host::memory_get(\"k\"), omw::host::memory_get_as(\"k\")]",
        "omw::host::memory_set_as(\"k\", #{a: [1]}); [omw::host::memory_get(\"k\"), omw::host::memory_get_as(\"k\").a[0]]",
        "omw::host::memory_set_as(\"k\", \"v\"); [omw::host::memory_get(\"k\"), omw::host::memory_get_as(\"k\")]",
        "omw::host::memory_set(\"k\", \"v\"); [omw::host::memory_remove(\"k\"), omw::host::memory_remove(\"k\")]",
        "omw::host::memory_set(\"k\", 1)",
        "omw::host::memory_set_as(\"k\", || 1)",
    ]), @r#"
    omw::host::memory_get("k")
      => completed
    omw::host::memory_set("k", "v"); [omw::host::memory_get("k"), omw::host::memory_get_as("k")]
      => exited ["v", "v"]
    omw::host::memory_set_as("k", #{a: [1]}); [omw::host::memory_get("k"), omw::host::memory_get_as("k").a[0]]
      => exited ["{\"a\":[1]}", 1]
    omw::host::memory_set_as("k", "v"); [omw::host::memory_get("k"), omw::host::memory_get_as("k")]
      => exited ["\"v\"", "v"]
    omw::host::memory_set("k", "v"); [omw::host::memory_remove("k"), omw::host::memory_remove("k")]
      => exited [true, false]
    omw::host::memory_set("k", 1)
      => failed: Function not found: omw::host::memory_set (&str | ImmutableString | String, i64) (line 1, position 12)
    omw::host::memory_set_as("k", || 1)
      => failed: Runtime error: a value of type Fn has no JSON form (line 1, position 12)
    "#);
}

#[test]
fn the_rest_of_the_host_is_there() {
    let host = FakeHost::new(Script::default());
    let script = r#"
        import_nothing();
        fn import_nothing() { }
        let h = [
            omw::host::whoami(), omw::host::time_now(), omw::host::time_format(5, "%Y"), omw::host::new_uuid(),
            omw::host::base64_encode(blob(3, 0x41)), omw::host::base64_decode("QUFB").as_string(),
            omw::host::wait_for(10), omw::host::wait_cron("* * * * * *"), omw::host::subscribe_lifecycle(),
            omw::host::subscribe_agent("bob"), omw::host::subscribe_endpoint("m"),
        ];
        omw::host::log("warn", "careful");
        omw::host::cancel_timer("timer-1");
        omw::host::sleep_for(1);
        omw::host::sleep_until(2);
        omw::host::sleep_cron("0 0 0 1 1 *");
        omw::host::unsubscribe_lifecycle("lifecycle-1");
        omw::host::unsubscribe_agent("agent-1");
        omw::host::send_agent("bob", "hi");
        omw::host::unsubscribe_endpoint("endpoint-1");
        omw::host::stream_endpoint("s", #{
            content: "c", tool_calls: [#{id: "1", name: "f", arguments: #{a: 1}}, #{index: 1, arguments: "{"}],
            finish_reason: "stop", usage: #{total_tokens: 1},
        });
        sleep(2);
        sleep(0.5);
        h
    "#;
    insta::assert_snapshot!(end_with(script, &host), @r#"exited ["alice", 1700000000000, "5 as %Y", "uuid-1", "QUFB", "AAA", "timer-1", "timer-2", "lifecycle-1", "agent-1", "endpoint-1"]"#);
    insta::assert_snapshot!(host.told(), @r#"
    wait_for {"ms":10}
    wait_cron {"spec":"* * * * * *"}
    subscribe_lifecycle {}
    subscribe_agent {"agent":"bob"}
    subscribe_endpoint {"model":"m"}
    log {"level":"warn","message":"careful"}
    cancel_timer {"id":"timer-1"}
    sleep_for {"ms":1}
    sleep_until {"ts":2}
    sleep_cron {"spec":"0 0 0 1 1 *"}
    unsubscribe_lifecycle {"id":"lifecycle-1"}
    unsubscribe_agent {"id":"agent-1"}
    send_agent {"agent":"bob","payload":"hi"}
    unsubscribe_endpoint {"id":"endpoint-1"}
    stream_endpoint {"session":"s","delta":{"content":"c","reasoning":null,"tool_calls":[{"index":0,"id":"1","name":"f","arguments":"{\"a\":1}"},{"index":1,"id":null,"name":null,"arguments":"{"}],"finish_reason":"stop","usage":"{\"total_tokens\":1}"}}
    sleep_for {"ms":2000}
    sleep_for {"ms":500}
    "#);
}
