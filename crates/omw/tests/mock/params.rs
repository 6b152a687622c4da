//! What is wrong with a mock's script is said with file, line and column, all of it at once.

use omw::config::{BackendConfig, Source, load};
use omw::gate::Gates;
use omw::prelude::*;
use windtunnel_doc::Format;

/// What the mocks of a config say when they are made.
fn complaints(text: &str, format: Format) -> String {
    let config = load(&Source::text("omw.test", text, format)).expect("the config is well-formed").config;
    let context = BuildContext {
        tunables: config.tunables.clone().into(),
        gates: Gates::default(),
        keep_everything: false,
    };
    let registries = Registries::standard();
    let mut complaints = Vec::new();
    for backend in config.providers.values() {
        complaints.extend(complaint(&registries.providers, backend, &context));
    }
    for backend in config.tooling.values() {
        complaints.extend(complaint(&registries.tooling, backend, &context));
    }
    if let Some(backend) = &config.endpoint {
        complaints.extend(complaint(&registries.endpoints, backend, &context));
    }
    complaints.join("\n")
}

fn complaint<T: ?Sized>(kinds: &Kinds<T>, backend: &BackendConfig, context: &BuildContext) -> Option<String> {
    let make = kinds.get(&backend.kind).expect("the kind is there");
    make(&backend.params, context).err().map(|error| error.to_string())
}

#[test]
fn a_provider_names_the_nearest_key_and_every_fault() {
    let text = r#"
[providers.p]
kind = "mock"
model = ["m"]

[[providers.p.turns]]
contents = "hi"
usage = { prompt_tokens = -1, total = 2 }

[[providers.p.turns]]
tool_calls = [
    { id = "1", name = "add" },
    { id = 2, name = "add", arguments = {}, type = "function" },
]
pending = "yes"
"#;
    insta::assert_snapshot!(complaints(text, Format::Toml), @r#"
    omw.test:4:1: providers.p.model: unknown field "model"; expected one of models, turns; did you mean "models"?
    omw.test:7:1: providers.p.turns[0].contents: unknown field "contents"; expected one of content, reasoning, tool_calls, tool_call, usage, error, pending; did you mean "content"?
    omw.test:8:27: providers.p.turns[0].usage.prompt_tokens: expected an integer from 0 to 18446744073709551615, found integer -1
    omw.test:8:31: providers.p.turns[0].usage.total: unknown field "total"; expected one of prompt_tokens, completion_tokens, total_tokens; did you mean "total_tokens"?
    omw.test:12:5: providers.p.turns[1].tool_calls[0]: missing field "arguments"
    omw.test:13:12: providers.p.turns[1].tool_calls[1].id: expected a string, found integer 2; write "2" for the text
    omw.test:13:45: providers.p.turns[1].tool_calls[1].type: unknown field "type"; expected one of id, name, arguments
    omw.test:15:11: providers.p.turns[1].pending: expected true or false, found string "yes"
    "#);
}

#[test]
fn a_turn_has_one_way_to_call() {
    let text = r#"
[providers.p]
kind = "mock"
turns = [{ tool_call = { id = "1", name = "t", arguments = 1 }, tool_calls = [{ id = "1", name = "t", arguments = 1 }] }]
"#;
    insta::assert_snapshot!(complaints(text, Format::Toml), @"omw.test:4:12: providers.p.turns[0].tool_call: a turn has either `tool_calls` or the older `tool_call`; put the call into the list `tool_calls`");
}

#[test]
fn a_tooling_names_the_nearest_key_and_every_fault() {
    let text = r#"
[tooling.t]
kind = "mock"
delay = 3
tools = [{ name = "add", inputSchema = {} }, { name = "sub", input_schema = {}, annotations = { readOnly = true } }]
tool_calls = [{ tool = "add", result = 3 }, { name = "add", structured = {}, is_err = true }]
initial_resource_list = [{ uri = "u", annotations = { priority = "high" } }]
initial_resource_contents = { u = "text" }
resource_templates = [{ uri = "u{x}", name = "n" }]
resource_content_updates = [{ contents = [] }]
resource_list_updates = [{ resource = [] }]
"#;
    insta::assert_snapshot!(complaints(text, Format::Toml), @r#"
    omw.test:4:1: tooling.t.delay: unknown field "delay"; expected one of tools, tool_calls, initial_resource_list, initial_resource_contents, resource_templates, resource_list_updates, resource_content_updates, delay_ms; did you mean "delay_ms"?
    omw.test:5:26: tooling.t.tools[0].inputSchema: unknown field "inputSchema"; expected one of name, title, description, input_schema, output_schema, annotations; did you mean "input_schema"?
    omw.test:5:97: tooling.t.tools[1].annotations.readOnly: unknown field "readOnly"; expected one of read_only_hint, destructive_hint, idempotent_hint, open_world_hint
    omw.test:6:15: tooling.t.tool_calls[0]: missing field "name"
    omw.test:6:17: tooling.t.tool_calls[0].tool: unknown field "tool"; expected one of name, result, structured_content, is_error, error, pending, after
    omw.test:6:40: tooling.t.tool_calls[0].result: expected a string, found integer 3; write "3" for the text
    omw.test:6:61: tooling.t.tool_calls[1].structured: unknown field "structured"; expected one of name, result, structured_content, is_error, error, pending, after; did you mean "structured_content"?
    omw.test:6:78: tooling.t.tool_calls[1].is_err: unknown field "is_err"; expected one of name, result, structured_content, is_error, error, pending, after; did you mean "is_error"?
    omw.test:7:26: tooling.t.initial_resource_list[0]: missing field "name"
    omw.test:7:39: tooling.t.initial_resource_list[0].annotations: missing field "audience"
    omw.test:7:66: tooling.t.initial_resource_list[0].annotations.priority: expected a number, found string "high"
    omw.test:8:35: tooling.t.initial_resource_contents.u: expected an array, found string "text"
    omw.test:9:23: tooling.t.resource_templates[0]: missing field "uri_template"
    omw.test:9:25: tooling.t.resource_templates[0].uri: unknown field "uri"; expected one of uri_template, name, title, description, mime_type
    omw.test:10:29: tooling.t.resource_content_updates[0]: missing field "uri"
    omw.test:11:28: tooling.t.resource_list_updates[0].resource: unknown field "resource"; expected one of resources, error, pending, after; did you mean "resources"?
    "#);
}

#[test]
fn a_gate_is_start_or_an_event_that_can_happen() {
    let text = r#"
[tooling.t]
kind = "mock"
tool_calls = [
    { name = "a", after = "start" },
    { name = "a", after = "strat" },
    { name = "a", after = "chat" },
    { name = "a", after = 3 },
    { name = "a", after = { kind = "cal" } },
    { name = "a", after = { kind = "call", opp = "chat" } },
    { name = "a", after = { kind = "inbound", event = "chat-ended" } },
    { name = "a", after = { "$while" = { kind = "opened", sauce = "timer" } } },
    { name = "a", after = { "$until" = { kind = "call", op = "(" } } },
    { name = "a", after = { "$never" = { kind = "call" } } },
]
resource_list_updates = [{ after = { kind = "closed", reason = "broken" } }]
resource_content_updates = [{ uri = "u", after = { kind = "call", detail = 3 } }]

[endpoint]
kind = "mock"
requests = [{ model = "m", after = { event = "timer" } }]
"#;
    insta::assert_snapshot!(complaints(text, Format::Toml), @r#"
    omw.test:6:27: tooling.t.tool_calls[1].after: expected "start" or an event, a table with a "kind", found text "strat"; did you mean "start"?
    omw.test:7:27: tooling.t.tool_calls[2].after: expected "start" or an event, a table with a "kind", found text "chat"; write {kind = "call", op = "…"} for the call of that name
    omw.test:8:27: tooling.t.tool_calls[3].after: expected an event, a table with a "kind", found 3
    omw.test:9:36: tooling.t.tool_calls[4].after.kind: no event has the kind "cal"; expected one of call, returned, inbound, opened, closed; did you mean "call"?
    omw.test:10:44: tooling.t.tool_calls[5].after.opp: unknown field "opp" of "call"; expected one of kind, op, detail; did you mean "op"?
    omw.test:11:55: tooling.t.tool_calls[6].after.event: no event is called "chat-ended"; expected one of message, error, timer, reload, shutdown, chat-delta, chat-end, tool-result, resource-list-updated, resource-updated, endpoint-message, endpoint-session-end; did you mean "chat-end"?
    omw.test:12:59: tooling.t.tool_calls[7].after."$while".sauce: unknown field "sauce" of "opened"; expected one of kind, source
    omw.test:13:62: tooling.t.tool_calls[8].after."$until".op: invalid regular expression /(/: unclosed group; write \ before a character that means itself, or {"$eq": …} for plain text
    omw.test:14:29: tooling.t.tool_calls[9].after."$never": "$never" is nothing to wait for; write the event itself, a table with a "kind"
    omw.test:16:64: tooling.t.resource_list_updates[0].after.reason: no source is closed as "broken"; expected one of ended, cancelled, failed
    omw.test:17:76: tooling.t.resource_content_updates[0].after.detail: expected a table, found 3; nothing else can match
    omw.test:21:36: endpoint.requests[0].after: an event needs a "kind": one of call, returned, inbound, opened, closed
    "#);
}

#[test]
fn an_endpoint_names_the_nearest_key_and_every_fault() {
    let text = "
endpoint:
  kind: mock
  requests:
    - modle: m
      messages:
        - { role: user, text: hi }
        - { content: hi, tool_calls: [] }
      session_end: { closed: 1 }
    - model: m
      session_end: { abort: -1 }
      stream: maybe
    - model: m
      session_end: {}
";
    insta::assert_snapshot!(complaints(text, Format::Yaml), @r#"
    omw.test:5:7: endpoint.requests[0].modle: unknown field "modle"; expected one of model, session_id, messages, tools, stream, params, after, session_end; did you mean "model"?
    omw.test:7:25: endpoint.requests[0].messages[0].text: unknown field "text"; expected one of role, content, reasoning
    omw.test:8:26: endpoint.requests[0].messages[1].tool_calls: unknown field "tool_calls"; expected one of role, content, reasoning
    omw.test:9:22: endpoint.requests[0].session_end.closed: unknown field "closed"; expected one of close, abort; did you mean "close"?
    omw.test:11:29: endpoint.requests[1].session_end.abort: expected an integer from 0 to 18446744073709551615, found integer -1
    omw.test:12:15: endpoint.requests[1].stream: expected true or false, found string "maybe"
    "#);
}

#[test]
fn an_end_of_a_session_says_which() {
    let text = r#"{"endpoint": {"kind": "mock", "requests": [{"model": "m", "session_end": {}}]}}"#;
    insta::assert_snapshot!(complaints(text, Format::Json), @"omw.test:1:74: endpoint.requests[0].session_end: a session's end needs `close` or `abort`; write {close = 1} to leave content after one delta");
}

#[test]
fn what_is_right_is_not_complained_of() {
    let text = r#"
[providers.p]
kind = "mock"
models = []
turns = []

[tooling.t]
kind = "mock"
tools = [{ name = "add", title = "Add", description = "adds", input_schema = {}, output_schema = {}, annotations = {} }]
tool_calls = [{ name = "add", after = { "$until" = { kind = "call", op = "^chat", detail = { model = "m" } } } }]
delay_ms = 0

[tooling.t.initial_resource_contents]

[endpoint]
kind = "mock"
requests = [{ model = "m", session_id = "s", session_end = { close = 1, abort = 1 }, after = "start" }]
"#;
    assert_eq!(complaints(text, Format::Toml), "");
}
