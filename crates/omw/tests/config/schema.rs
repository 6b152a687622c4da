//! The schemas accept what loads, and refuse what does not.

use omw::config::{schema, test_schema};
use serde_json::{Value, json};

fn valid(schema: &Value, config: &Value) -> bool {
    jsonschema::draft202012::new(schema).unwrap().is_valid(config)
}

#[test]
fn both_are_schemas_of_the_draft_that_they_name() {
    for schema in [schema(), test_schema()] {
        assert_eq!(schema["$schema"], "https://json-schema.org/draft/2020-12/schema");
        assert!(jsonschema::draft202012::meta::is_valid(&schema));
    }
}

#[test]
fn a_config_fits_or_does_not() {
    let table = [
        (true, json!({})),
        (true, json!({"something": 1})),
        (
            true,
            json!({"agents": {"a": {"runtime": "r", "script": "a.rhai"}}, "runtime": {"r": {"kind": "rhai", "env": {"A": "1"}}}}),
        ),
        (true, json!({"tunables": {"inbox_bound": 5}, "memory": {"a": {"k": "v", "n": [1]}}})),
        (false, json!({"agents": {"a": {"runtime": "r"}}})),
        (false, json!({"tunables": {"inbox_bound": "5"}})),
        (false, json!({"tunables": {"inbox_bounds": 5}})),
        (false, json!({"providers": {"p": {}}})),
        (false, json!({"providers": {"p": {"kind": "none such"}}})),
    ];
    for (fits, config) in table {
        assert_eq!(valid(&schema(), &config), fits, "{config}");
        assert_eq!(valid(&test_schema(), &config), fits, "{config}");
    }
}

#[cfg(feature = "mock")]
#[test]
fn a_test_has_mocks_with_their_parameters() {
    let provider = |turn: Value| json!({"providers": {"p": {"kind": "mock", "turns": [turn]}}});
    assert!(valid(&test_schema(), &provider(json!({"content": "hi"}))));
    assert!(!valid(&test_schema(), &provider(json!({"contents": "hi"}))));
    assert!(!valid(&schema(), &provider(json!({"content": "hi"}))), "a deployment has no mocks");
    let endpoint = |requests: Value| json!({"endpoint": {"kind": "mock", "requests": requests}});
    assert!(valid(&test_schema(), &endpoint(json!([{"model": "m", "session_id": "s"}]))));
    assert!(!valid(&test_schema(), &endpoint(json!([{"session_id": "s"}]))));
}

#[cfg(feature = "openai")]
#[test]
fn a_deployment_has_real_back_ends_with_their_parameters() {
    let provider = |base_url: Value| json!({"providers": {"p": {"kind": "openai", "base_url": base_url}}});
    assert!(valid(&schema(), &provider(json!("http://127.0.0.1:1/v1"))));
    assert!(!valid(&schema(), &provider(json!(1))));
    assert!(!valid(&test_schema(), &provider(json!("http://127.0.0.1:1/v1"))), "a test has mocks only");
}

#[cfg(feature = "mcp")]
#[test]
fn a_deployment_has_tool_servers() {
    let tooling = |transport: &str| json!({"tooling": {"t": {"kind": "mcp", "transport": transport, "command": "server"}}});
    assert!(valid(&schema(), &tooling("stdio")));
    assert!(!valid(&schema(), &tooling("pigeon")));
}

#[test]
fn assertions_are_part_of_a_test() {
    let call = json!({"kind": "call", "op": "chat"});
    let assertions = |value: Value| json!({"assertions": {"a": value}});
    let table = [
        (true, json!({})),
        (true, json!({"outcome": "asserted", "events": []})),
        (true, json!({"outcome": {"exited": "done"}})),
        (false, json!({"outcome": {"exit": "done"}})),
        (false, json!({"outcome": "compelted"})),
        (false, json!({"evnts": []})),
        (true, json!({"events": [call, {"kind": "inbound", "event": "chat-end", "payload": {"data": {}}}]})),
        (
            true,
            json!({"events": [{"$while": call}, {"$until": {}}, {"$never": call}, {"$times": {"of": call, "min": 2}}]}),
        ),
        (true, json!({"events": [{"kind": "closed", "source": "timer", "reason": "ended"}]})),
        (false, json!({"events": [{"kind": "call", "opp": "chat"}]})),
        (false, json!({"events": [{"kind": "calls"}]})),
        (false, json!({"events": ["call"]})),
    ];
    for (fits, value) in table {
        assert_eq!(valid(&test_schema(), &assertions(value.clone())), fits, "{value}");
    }
    assert!(valid(&schema(), &assertions(json!("stock omw does not look at it"))));
}
