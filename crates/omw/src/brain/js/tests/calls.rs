//! What the host is asked, and what scripts get.

use super::{end_with, ends};
use crate::brain::fake::{FakeHost, Script};
use crate::exchange::{
    ChatDelta, ChatReply, Envelope, Event, Tool, ToolAnnotations, ToolCall, ToolCallDelta, ToolResult,
};

#[test]
fn handles_and_the_host_have_their_keys() {
    insta::assert_snapshot!(ends(&[
        "Object.keys(omw)",
        "Object.keys(omw.host)",
        "Object.keys(omw.provider.get('p'))",
        "Object.keys(omw.tooling.get('t'))",
        "omw.provider.get('p').name",
        "omw.tooling.get('t').kind()",
        "omw.provider.get('p').listModels()",
        "omw.provider.get('p').isOpen('stream-1')",
    ]), @r#"
    Object.keys(omw)
      => exited ["host","provider","tooling"]
    Object.keys(omw.host)
      => exited ["log","whoami","timeNow","timeFormat","newUuid","base64Encode","base64Decode","waitFor","waitUntil","waitCron","cancelTimer","sleepFor","sleepUntil","sleepCron","subscribeLifecycle","unsubscribeLifecycle","subscribeAgent","unsubscribeAgent","sendAgent","subscribeEndpoint","unsubscribeEndpoint","streamEndpoint","recv","tryRecv","memoryGet","memoryGetAs","memorySet","memorySetAs","memoryRemove"]
    Object.keys(omw.provider.get('p'))
      => exited ["name","kind","listModels","chat","chatStream","isOpen","cancel"]
    Object.keys(omw.tooling.get('t'))
      => exited ["name","kind","isOpen","cancel","listTools","callTool","callToolBlocking","listResources","readResource","listResourceTemplates","subscribeResourceList","unsubscribeResourceList","subscribeResource","unsubscribeResource"]
    omw.provider.get('p').name
      => exited p
    omw.tooling.get('t').kind()
      => exited fake
    omw.provider.get('p').listModels()
      => exited ["small","large"]
    omw.provider.get('p').isOpen('stream-1')
      => exited true
    "#);
}

#[test]
fn chats_go_out_and_come_back_in_camel_case() {
    let reply = ChatReply {
        content: Some("hello".to_owned()),
        tool_calls: vec![ToolCall {
            id: "1".to_owned(),
            name: "f".to_owned(),
            arguments: r#"{"snake_key":1}"#.to_owned(),
        }],
        finish_reason: Some("tool_calls".to_owned()),
        usage: Some(r#"{"total_tokens":3}"#.to_owned()),
        ..ChatReply::default()
    };
    let host = FakeHost::new(Script { reply, ..Script::default() });
    let script = r#"
        const p = omw.provider.get("p");
        const r = p.chat("m", [{content: "hi"}], [{name: "f", inputSchema: {type: "object"}, annotations: {readOnlyHint: true}}], {top_p: 1});
        p.chatStream("m", [{role: "assistant", toolCalls: r.toolCalls}, {role: "tool", toolCallId: "1", content: "c"}], []);
        r
    "#;
    insta::assert_snapshot!(end_with(script, &host), @r#"exited {"content":"hello","toolCalls":[{"id":"1","name":"f","arguments":{"snake_key":1}}],"finishReason":"tool_calls","usage":{"total_tokens":3}}"#);
    insta::assert_snapshot!(host.told(), @r#"
    chat {"model":"m","messages":[{"role":"user","content":"hi","reasoning":null,"tool_calls":[],"tool_call_id":null}],"tools":[{"name":"f","title":null,"description":null,"input_schema":{"type":"object"},"output_schema":null,"annotations":{"read_only_hint":true,"destructive_hint":null,"idempotent_hint":null,"open_world_hint":null}}],"params":{"top_p":1}}
    chat_stream {"model":"m","messages":[{"role":"assistant","content":null,"reasoning":null,"tool_calls":[{"id":"1","name":"f","arguments":"{\"snake_key\":1}"}],"tool_call_id":null},{"role":"tool","content":"c","reasoning":null,"tool_calls":[],"tool_call_id":"1"}],"tools":[],"params":null}
    "#);
}

#[test]
fn malformed_calls_say_what_is_wrong() {
    insta::assert_snapshot!(ends(&[
        "omw.provider.get('p').chat('m')",
        "omw.provider.get('p').chat('m', [])",
        "omw.provider.get('p').chat('m', 1, [])",
        "omw.provider.get('p').chat('m', [1], [])",
        "omw.provider.get('p').chat('m', [], [], 1)",
        "omw.provider.get('p').chat('m', [], [], '{')",
        "omw.provider.get('p').chat(1, [], [])",
        "omw.tooling.get('t').callTool('f')",
        "omw.host.streamEndpoint('s', 1)",
        "omw.host.memorySet('k', 1)",
        "const a = []; a.push(a); omw.host.memorySetAs('k', a)",
        "let a = []; for (let i = 0; i < 200; i++) a = [a]; omw.host.memorySetAs('k', a)",
    ]), @"
    omw.provider.get('p').chat('m')
      => failed: TypeError: messages must be given (unknown at :1:22)
    omw.provider.get('p').chat('m', [])
      => failed: TypeError: tools must be given (unknown at :1:22)
    omw.provider.get('p').chat('m', 1, [])
      => failed: TypeError: messages must be an array (unknown at :1:22)
    omw.provider.get('p').chat('m', [1], [])
      => failed: TypeError: chat message must be a map (unknown at :1:22)
    omw.provider.get('p').chat('m', [], [], 1)
      => failed: TypeError: params must be a map or a JSON string (unknown at :1:22)
    omw.provider.get('p').chat('m', [], [], '{')
      => failed: TypeError: invalid chat params JSON: EOF while parsing an object at line 1 column 1 (unknown at :1:22)
    omw.provider.get('p').chat(1, [], [])
      => failed: TypeError: Error converting from js 'int' into type 'string' (unknown at :1:22)
    omw.tooling.get('t').callTool('f')
      => failed: TypeError: Error calling function with 1 argument(s) while 2 where expected (unknown at :1:21)
    omw.host.streamEndpoint('s', 1)
      => failed: TypeError: delta must be a map (unknown at :1:9)
    omw.host.memorySet('k', 1)
      => failed: TypeError: Error converting from js 'int' into type 'string' (unknown at :1:9)
    const a = []; a.push(a); omw.host.memorySetAs('k', a)
      => failed: TypeError: circular reference (unknown at :1:52)
    let a = []; for (let i = 0; i < 200; i++) a = [a]; omw.host.memorySetAs('k', a)
      => failed: TypeError: recursion limit exceeded at line 1 column 128 (unknown at :1:78)
    ");
}

#[test]
fn tools_and_events_have_the_shapes_of_the_language() {
    let tool = Tool {
        name: "f".to_owned(),
        input_schema: serde_json::json!({"some_key": {}}),
        annotations: Some(ToolAnnotations { read_only_hint: Some(true), ..ToolAnnotations::default() }),
        ..Tool::default()
    };
    let result = ToolResult {
        name: "f".to_owned(),
        arguments: r#"{"a":1}"#.to_owned(),
        content: r#"[{"type":"text","text":"sunny"}]"#.to_owned(),
        structured_content: None,
        is_error: false,
    };
    let piece = ToolCallDelta { index: 0, arguments: Some("\"half".to_owned()), ..ToolCallDelta::default() };
    let delta =
        ChatDelta { tool_calls: vec![piece], finish_reason: Some("stop".to_owned()), ..ChatDelta::default() };
    let events = [Event::Message("hi".to_owned()), Event::Timer, Event::ChatDelta(delta)];
    let inbox = events.map(|event| Envelope { id: "i".to_owned(), event }).into();
    let host = FakeHost::new(Script { tools: vec![tool], result, inbox, ..Script::default() });
    let script = r#"
        const t = omw.tooling.get("t");
        const all = [t.listTools(), t.callToolBlocking("f", "text"), t.callTool("f", {a: 1})];
        for (let e; e = omw.host.tryRecv();) all.push(e);
        all
    "#;
    insta::assert_snapshot!(end_with(script, &host), @r#"exited [[{"name":"f","inputSchema":{"some_key":{}},"annotations":{"readOnlyHint":true}}],{"name":"f","arguments":{"a":1},"content":[{"type":"text","text":"sunny"}],"isError":false},"call-1",{"id":"i","kind":"message","payload":"hi"},{"id":"i","kind":"timer","payload":null},{"id":"i","kind":"chat-delta","payload":{"toolCalls":[{"index":0,"arguments":"\"half"}],"finishReason":"stop"}}]"#);
    insta::assert_snapshot!(host.told(), @r#"
    list_tools {}
    call_tool_blocking {"tool":"f","arguments":"text"}
    call_tool {"tool":"f","arguments":{"a":1}}
    "#);
}

#[test]
fn the_rest_of_the_host_is_there() {
    let host = FakeHost::new(Script::default());
    let script = r#"
        const h = omw.host;
        const all = [
            h.whoami(), h.timeNow(), h.timeFormat(5, "%Y"), h.newUuid(), h.base64Encode([65, 65, 65]), h.base64Decode("QUFB"),
            h.waitFor(10), h.waitCron("* * * * * *"), h.subscribeLifecycle(), h.subscribeAgent("bob"), h.subscribeEndpoint("m"),
            h.memoryGet("k") === undefined, h.memoryGetAs("k") === undefined, h.tryRecv() === undefined,
        ];
        h.memorySetAs("k", {a: [1]});
        all.push(h.memoryGet("k"), h.memoryGetAs("k").a[0], h.memoryRemove("k"));
        h.log("warn", "careful");
        h.cancelTimer("timer-1");
        h.sleepFor(1);
        h.sleepUntil(2);
        h.sleepCron("0 0 0 1 1 *");
        h.unsubscribeLifecycle("lifecycle-1");
        h.unsubscribeAgent("agent-1");
        h.sendAgent("bob", "hi");
        h.unsubscribeEndpoint("endpoint-1");
        h.streamEndpoint("s", {content: "c", toolCalls: [{id: "1", name: "f", arguments: {a: 1}}], finishReason: "stop"});
        all
    "#;
    insta::assert_snapshot!(end_with(script, &host), @r#"exited ["alice",1700000000000,"5 as %Y","uuid-1","QUFB",[65,65,65],"timer-1","timer-2","lifecycle-1","agent-1","endpoint-1",true,true,true,"{\"a\":[1]}",1,true]"#);
    insta::assert_snapshot!(host.told(), @r#"
    wait_for {"ms":10}
    wait_cron {"spec":"* * * * * *"}
    subscribe_lifecycle {}
    subscribe_agent {"agent":"bob"}
    subscribe_endpoint {"model":"m"}
    memory_get {"key":"k"}
    memory_get {"key":"k"}
    memory_set {"key":"k","value":"{\"a\":[1]}"}
    memory_get {"key":"k"}
    memory_get {"key":"k"}
    memory_remove {"key":"k"}
    log {"level":"warn","message":"careful"}
    cancel_timer {"id":"timer-1"}
    sleep_for {"ms":1}
    sleep_until {"ts":2}
    sleep_cron {"spec":"0 0 0 1 1 *"}
    unsubscribe_lifecycle {"id":"lifecycle-1"}
    unsubscribe_agent {"id":"agent-1"}
    send_agent {"agent":"bob","payload":"hi"}
    unsubscribe_endpoint {"id":"endpoint-1"}
    stream_endpoint {"session":"s","delta":{"content":"c","reasoning":null,"tool_calls":[{"index":0,"id":"1","name":"f","arguments":"{\"a\":1}"}],"finish_reason":"stop","usage":null}}
    "#);
}
