use std::time::Duration;

use serde_json::{Value, json};
use windtunnel_api::artifact::evidence::Role;
use windtunnel_api::scenario::{CallRequirement, PerturbationKind as Kind};
use windtunnel_spi::{InjectedFailure, Message, ServedTool, ToolError};

use super::handed::Inserted;
use super::*;

fn tool(name: &str, input: &Value, output: Option<Value>) -> ServedTool {
    let mut definition = json!({"name": name, "inputSchema": input});
    if let Some(output) = output {
        definition["outputSchema"] = output;
    }
    ServedTool { name: name.to_owned(), definition, effect: None }
}

fn served() -> Served {
    let id = json!({"type": "object", "properties": {"order_id": {"type": "integer", "minimum": 7}}, "required": ["order_id"]});
    let order = json!({"type": "object", "properties": {"status": {"enum": ["paid", "sent"]}}, "required": ["status"]});
    let orders = json!({"type": "object", "properties": {"orders": {"type": "array", "items": {"type": "integer"}}}, "required": ["orders"]});
    Served {
        by_server: vec![
            (
                "shop".to_owned(),
                vec![tool("get_order", &id, Some(order)), tool("list_orders", &json!({}), Some(orders))],
            ),
            (
                "mail".to_owned(),
                vec![tool("send_mail", &json!({"properties": {"to": {"type": "string"}}}), None)],
            ),
        ],
        unknown: Vec::new(),
    }
}

fn scenario(perturbations: Vec<Perturbation>) -> Scenario {
    Scenario {
        user_turns: vec!["Hello.".into(), "Where is my order?".into()],
        must_call: vec![CallRequirement::AnyOf(vec!["own_tool".into(), "get_order".into()])],
        perturbations,
        ..Scenario::new("s", "")
    }
}

fn plan(perturbations: Vec<Perturbation>) -> Plan {
    Plan::of(&scenario(perturbations), &served()).unwrap()
}

/// What stands before the last turn, as a model reads it, and the markers of it.
fn history(perturbation: Perturbation) -> (Vec<String>, String) {
    let plan = plan(vec![perturbation]);
    assert_eq!(plan.before(0), None);
    let earlier = plan.before(1).unwrap();
    let [marker] = &markers(earlier)[..] else { panic!("one marker") };
    let mut messages = earlier.then("Where is my order?");
    assert_eq!(messages.pop(), Some(Message::user("Where is my order?")));
    (messages.iter().map(read).collect(), marker.strip_prefix("perturbation_applied: ").unwrap().to_owned())
}

fn markers(earlier: &Earlier) -> Vec<String> {
    earlier.inserted().iter().map(Inserted::applied).collect()
}

fn read(message: &Message) -> String {
    match (message.role, message.tool_calls.first()) {
        (Role::Assistant, Some(call)) => {
            assert_eq!((&message.content[..], &call["id"]), ("", &json!("call_prior_0")));
            format!(
                "call {}({})",
                call["function"]["name"].as_str().unwrap(),
                call["function"]["arguments"].as_str().unwrap()
            )
        }
        (Role::Tool, None) => {
            assert_eq!(message.tool_call_id.as_deref(), Some("call_prior_0"));
            format!("result {}", message.content)
        }
        (role, None) => format!("{role:?} {}", message.content),
        other => panic!("{other:?}"),
    }
}

#[test]
fn every_history_shaping_kind_puts_what_its_name_says_before_the_last_turn() {
    for (kind, messages, marker) in [
        (
            Kind::BlankAssistantContent,
            &[r#"call get_order({"order_id":7})"#, r#"result {"status":"paid"}"#, "Assistant "][..],
            "blank_assistant_content turn_idx=1",
        ),
        (
            Kind::FallbackRenderLeak,
            &[r#"Assistant tool: {"name":"get_order","arguments":{"order_id":7}}"#],
            "fallback_render_leak turn_idx=1",
        ),
        (
            Kind::MalformedToolCall,
            &[r#"call get_order({"orderId":7})"#, "result "],
            "malformed_tool_call tool=get_order",
        ),
        (
            Kind::InjectWrongPriorToolCall,
            &["call list_orders({})", r#"result {"orders":[1]}"#],
            "inject_wrong_prior_tool_call tool=list_orders",
        ),
        (
            Kind::InjectSchemaRejectedCall,
            &[
                r#"call get_order({"order_id":"not-a-number"})"#,
                r#"result Input validation error in get_order: "not-a-number" is not valid for `order_id`"#,
            ],
            "inject_schema_rejected_call tool=get_order",
        ),
        (
            Kind::InjectPaginationTruncation,
            &[r#"call get_order({"order_id":7})"#, r#"result {"status":"paid","hasMore":true}"#],
            "inject_pagination_truncation turn_idx=1",
        ),
    ] {
        assert_eq!(
            history(Perturbation::new(kind)),
            (messages.iter().map(ToString::to_string).collect(), marker.into())
        );
    }
}

#[test]
fn memory_accumulates_in_one_system_message_at_the_beginning() {
    let stale = |key: &str, value: Option<&str>| Perturbation {
        key: Some(key.into()),
        value: value.map(str::to_owned),
        ..Perturbation::new(Kind::InjectStaleMemory)
    };
    let plan = plan(vec![
        Perturbation::new(Kind::FallbackRenderLeak),
        stale("delivery address", Some("Oslo")),
        stale("refund limit", None),
    ]);
    let earlier = plan.before(1).unwrap();
    let messages = earlier.then("Go.");
    assert_eq!(messages[0].role, Role::System);
    insta::assert_snapshot!(messages[0].content, @r"
    Relevant saved memory:
    - delivery address: Oslo
    - refund limit: 160
    ");
    assert_eq!(messages.len(), 3);
    assert_eq!(
        markers(earlier)[1..],
        [
            "perturbation_applied: inject_stale_memory key=delivery address",
            "perturbation_applied: inject_stale_memory key=refund limit"
        ]
    );
}

#[test]
fn a_turn_and_a_tool_can_be_named() {
    let named = Perturbation {
        tool: Some("list_orders".into()),
        turn_idx: Some(0),
        ..Perturbation::new(Kind::InjectPaginationTruncation)
    };
    let plan = plan(vec![named]);
    assert_eq!(plan.before(1), None);
    let earlier = plan.before(0).unwrap();
    assert_eq!(markers(earlier), ["perturbation_applied: inject_pagination_truncation turn_idx=0"]);
    assert_eq!(read(&earlier.then("x")[1]), r#"result {"orders":[1,1],"hasMore":true}"#);
}

#[test]
fn a_history_needs_no_served_tool() {
    let perturbations = vec![
        Perturbation::new(Kind::MalformedToolCall),
        Perturbation::new(Kind::InjectWrongPriorToolCall),
        Perturbation { tool: Some("own_tool".into()), ..Perturbation::new(Kind::InjectSchemaRejectedCall) },
    ];
    let plan = Plan::of(&scenario(perturbations.clone()), &Served::default()).unwrap();
    assert_eq!(
        markers(plan.before(1).unwrap()),
        [
            "perturbation_applied: malformed_tool_call tool=own_tool",
            "perturbation_applied: inject_wrong_prior_tool_call tool=legacy_own_tool",
            "perturbation_applied: inject_schema_rejected_call tool=own_tool",
        ]
    );
    let free = Scenario { must_call: Vec::new(), perturbations, ..scenario(Vec::new()) };
    let unknown = Plan::of(&free, &served()).unwrap_err().to_string();
    assert_eq!(
        unknown,
        "perturbations[2]: inject_schema_rejected_call: own_tool is not served; served are get_order, list_orders, send_mail"
    );
}

#[test]
fn every_environment_shaping_kind_makes_the_tool_fail_at_the_servers_that_serve_it() {
    let mail = |kind| Perturbation { tool: Some("send_mail".into()), ..Perturbation::new(kind) };
    let hold = Duration::from_millis(250);
    for (perturbation, tool, server, failure) in [
        (Perturbation::new(Kind::MalformedJson), "get_order", "shop", InjectedFailure::MalformedJson),
        (mail(Kind::EmptyUnexpected), "send_mail", "mail", InjectedFailure::EmptyUnexpected),
        (mail(Kind::SchemaError), "send_mail", "mail", InjectedFailure::SchemaError),
        (
            Perturbation::new(Kind::Timeout),
            "get_order",
            "shop",
            InjectedFailure::Timeout(Duration::from_secs(2)),
        ),
        (
            Perturbation { hold_s: Some(0.25), ..Perturbation::new(Kind::Timeout) },
            "get_order",
            "shop",
            InjectedFailure::Timeout(hold),
        ),
    ] {
        let marker = format!("perturbation_applied: {} tool={tool}", perturbation.kind.name());
        let plan = plan(vec![perturbation]);
        assert_eq!(plan.failing().collect::<Vec<_>>(), [marker.as_str()]);
        let [found] = &plan.failures[..] else { panic!("one failure") };
        assert_eq!(
            (found.tool.as_str(), &found.servers[..], found.how),
            (tool, &[server.to_owned()][..], failure)
        );
    }
}

#[test]
fn everything_that_cannot_be_done_is_reported_at_once() {
    let named = |kind, tool: &str| Perturbation { tool: Some(tool.into()), ..Perturbation::new(kind) };
    let wrong = scenario(vec![
        named(Kind::Timeout, "get_ordr"),
        named(Kind::MalformedToolCall, "lookup"),
        Perturbation::new(Kind::MalformedJson),
        named(Kind::SchemaError, "get_order"),
    ]);
    let mut served = served();
    served.unknown.push(ToolError::new("crm", "it is gone"));
    insta::assert_snapshot!(Plan::of(&wrong, &served).unwrap_err(), @r"
    perturbations[0]: timeout: get_ordr is not served; served are get_order, list_orders, send_mail; tool server crm: it is gone; did you mean get_order?
    perturbations[1]: malformed_tool_call: lookup is not served; served are get_order, list_orders, send_mail; tool server crm: it is gone
    perturbations[3]: schema_error: get_order is made to fail by malformed_json already; a tool fails in one way
    ");
    let none = Plan::of(&scenario(vec![Perturbation::new(Kind::Timeout)]), &Served::default()).unwrap_err();
    assert_eq!(
        none.to_string(),
        "perturbations[0]: timeout: no tool of must_call is served (own_tool, get_order); name one with `tool`; no tools are"
    );
}
