//! Recorded calls, served again.

use std::fs::{self, File};
use std::time::{Duration, SystemTime};

use camino::Utf8PathBuf;
use indexmap::IndexMap;
use serde_json::{Map, Value, json};
use windtunnel_api::EffectClass;
use windtunnel_api::pack::{ToolSpec, UniverseTools};
use windtunnel_api::universe::UniverseTool;
use windtunnel_mcp::BenchTools;
use windtunnel_spi::ToolFactory;

use crate::support::{Case, Served, call, call_text, params};

fn orders() -> Value {
    json!({
        "windtunnel_universe": 1,
        "tools": [
            {
                "name": "get_order",
                "description": "One order.",
                "input_schema": {"type": "object", "properties": {"id": {"type": "integer"}}, "required": ["id"]},
                "annotations": {"readOnlyHint": true},
            },
            {"name": "list_orders", "input_schema": {"type": "object"},
             "result_schema": {"type": "object", "properties": {"orders": {"type": "array"}}, "required": ["orders"]}},
            {"name": "track", "input_schema": {"type": "object"}},
        ],
        "recordings": [
            {"tool_name": "get_order", "args": {"id": 7, "trace": "a"}, "result": {"id": 7, "status": "paid"}},
            {"tool_name": "get_order", "args": {"id": 8}, "result": "there is no order 8", "is_error": true},
            {"tool_name": "list_orders", "args": {"customer": "ann", "open": true}, "result": {"orders": [7]}},
            {"tool_name": "track", "args": {"id": 7}, "result": "packed"},
            {"tool_name": "track", "args": {"id": 7}, "result": "sent"},
        ],
        "matching": {
            "arg_keys": {"get_order": ["id"]},
            "per_tool_on_miss": {"list_orders": "empty"},
            "mode": {"track": "sequence"},
        },
    })
}

fn spec() -> ToolSpec {
    ToolSpec::Universe(UniverseTools { file: "orders.universe.json".into(), effects: IndexMap::new() })
}

fn write(case: &Case, universe: &Value) -> Utf8PathBuf {
    let file = case.world.pack_dir.join("orders.universe.json");
    fs::write(&file, universe.to_string()).unwrap();
    file
}

async fn serve(case: &Case, universe: &Value) -> Served {
    write(case, universe);
    case.start("orders", &spec()).await
}

fn refused(case: &Case) -> String {
    BenchTools::new().server("orders", &spec(), &case.world).err().unwrap().to_string()
}

#[tokio::test]
async fn tools_are_served_with_their_schemas_and_annotations() {
    let case = Case::new("listed");
    let served = serve(&case, &orders()).await;
    let tools = served.handle.served_tools().await.unwrap();
    let names: Vec<_> = tools.iter().map(|tool| (tool.name.as_str(), tool.effect)).collect();
    assert_eq!(names, [("get_order", Some(EffectClass::Read)), ("list_orders", None), ("track", None)]);
    assert_eq!(tools[0].definition["inputSchema"]["required"], json!(["id"]));
    assert!(served.handle.is_fresh(), "a list of tools takes no recording");
}

#[tokio::test]
async fn recordings_answer_by_all_or_by_the_deciding_arguments() {
    let case = Case::new("matched");
    for over_http in [false, true] {
        let served = serve(&case, &orders()).await;
        let agent = if over_http { served.connect_http().await } else { served.connect().await };
        for arguments in [json!({"trace": "a", "id": 7.0}), json!({"id": 7, "trace": "other"})] {
            let result = call(&agent, "get_order", arguments).await;
            assert_eq!(result.structured_content, Some(json!({"id": 7, "status": "paid"})));
        }
        let failed = call(&agent, "get_order", json!({"id": 8})).await;
        assert_eq!(failed.is_error, Some(true));
        let calls = served.calls();
        assert_eq!(calls[1].result, json!({"id": 7, "status": "paid"}));
        assert_eq!(calls[2].error.as_deref(), Some("there is no order 8"));
        assert!(calls.iter().all(|call| call.extra.is_none()), "no call diverged");
    }
}

#[tokio::test]
async fn a_miss_is_answered_by_its_policy_and_is_evidence() {
    let case = Case::new("missed");
    let served = serve(&case, &orders()).await;
    let agent = served.connect().await;
    let missing = call(&agent, "get_order", json!({"id": 9})).await;
    let error = json!({"error": "no_recorded_result", "tool": "get_order", "args": {"id": 9}});
    assert_eq!((missing.is_error, missing.structured_content), (Some(true), Some(error.clone())));
    let empty = call(&agent, "list_orders", json!({"customer": "bob"})).await;
    assert_eq!(empty.structured_content, Some(json!({"orders": []})));

    let calls = served.calls();
    assert_eq!(calls[0].extra, Some(json!({"divergence": {"policy": "fail_call", "matched": null}})));
    assert_eq!(calls[0].error, Some(error.to_string()));
    assert_eq!(calls[1].extra, Some(json!({"divergence": {"policy": "empty", "matched": null}})));

    let mut nearest = orders();
    nearest["matching"]["per_tool_on_miss"]["list_orders"] = json!("nearest");
    let served = serve(&case, &nearest).await;
    let agent = served.connect().await;
    let near = call(&agent, "list_orders", json!({"customer": "ann", "open": false})).await;
    assert_eq!(near.structured_content, Some(json!({"orders": [7]})));
    assert_eq!(
        served.calls()[0].extra,
        Some(json!({"divergence": {"policy": "nearest", "matched": 2}})),
        "the place of the recording in the file"
    );
}

#[tokio::test]
async fn a_sequence_goes_on_over_connections_and_begins_again_with_a_fresh_server() {
    let case = Case::new("sequence");
    let served = serve(&case, &orders()).await;
    let track = || json!({"id": 7});
    assert_eq!(call_text(&served.connect().await, "track", track()).await, "packed");
    assert_eq!(call_text(&served.connect().await, "track", track()).await, "sent");
    let exhausted = call(&served.connect().await, "track", track()).await;
    assert_eq!(exhausted.is_error, Some(true));
    served.handle.refresh().await.unwrap();
    assert_eq!(call_text(&served.connect().await, "track", track()).await, "packed");
}

#[tokio::test]
async fn what_a_tool_cannot_be_asked_is_refused() {
    let case = Case::new("asked");
    let served = serve(&case, &orders()).await;
    let agent = served.connect().await;
    let unknown = agent.call_tool(params("get_ordr", json!({}))).await.unwrap_err().to_string();
    assert!(unknown.contains("unknown tool `get_ordr`; did you mean `get_order`?"), "{unknown}");
}

#[tokio::test]
async fn a_function_synthesizes_where_the_file_asks_for_one() {
    let case = Case::new("synthesized");
    let mut universe = orders();
    universe["matching"]["on_miss"] = json!("synthesize");
    write(&case, &universe);
    insta::assert_snapshot!(refused(&case), @"tool server orders: calls of get_order that were not recorded are to be synthesized, which only a function written in Rust can do: give one to BenchTools::with_synthesizer, or let `on_miss` be fail_call, empty or nearest");

    let tools = BenchTools::new().with_synthesizer(|tool: &UniverseTool, args: &Map<String, Value>| {
        if tool.name == "track" { Err("no parcel".to_owned()) } else { Ok(json!({"id": args["id"]})) }
    });
    let served = case.start_with(&tools, "orders", &spec()).await;
    let agent = served.connect().await;
    let made = call(&agent, "get_order", json!({"id": 9})).await;
    assert_eq!(made.structured_content, Some(json!({"id": 9})));
    assert_eq!(call(&agent, "track", json!({"id": 9})).await.is_error, Some(true));
    let divergence = json!({"divergence": {"policy": "synthesize", "matched": null}});
    assert!(served.calls().iter().all(|call| call.extra.as_ref() == Some(&divergence)));
}

#[tokio::test]
async fn a_file_is_read_once_and_again_when_it_changed() {
    let case = Case::new("read");
    let (mut first, mut second) = (orders(), orders());
    first["recordings"][0]["result"] = json!("one");
    second["recordings"][0]["result"] = json!("two");
    let tools = BenchTools::new();
    let at = |seconds| SystemTime::UNIX_EPOCH + Duration::from_secs(seconds);
    for (universe, written, answer) in
        [(&first, at(1_000), "one"), (&second, at(1_000), "one"), (&second, at(2_000), "two")]
    {
        let file = write(&case, universe);
        File::options().write(true).open(&file).unwrap().set_modified(written).unwrap();
        let served = case.start_with(&tools.clone(), "orders", &spec()).await;
        assert_eq!(call_text(&served.connect().await, "get_order", json!({"id": 7})).await, answer);
    }
}

#[test]
fn a_file_that_cannot_be_served_says_where() {
    let case = Case::new("malformed");
    assert!(refused(&case).starts_with("tool server orders: file orders.universe.json cannot be read: "));
    let mut universe = orders();
    universe["recordings"][1]["tool_name"] = json!("get_ordr");
    let file = write(&case, &universe);
    let found = refused(&case);
    assert!(found.starts_with(&format!("tool server orders: {}:1:", file.canonicalize_utf8().unwrap())));
    assert!(
        found.contains(r#"recordings[1].tool_name: no tool is called "get_ordr"; did you mean "get_order"?"#)
    );
}

#[cfg(unix)]
#[test]
fn a_file_outside_of_the_pack_is_not_read() {
    let (case, outside) = (Case::new("inside"), Case::new("outside"));
    let file = write(&outside, &orders());
    std::os::unix::fs::symlink(file, case.world.pack_dir.join("orders.universe.json")).unwrap();
    let found = refused(&case);
    assert!(found.contains("file orders.universe.json leads out of the pack, to "), "{found}");
}
