//! `wt` over recorded tools.

use serde_json::Value;

use super::selftest::SelftestJson;
use crate::harness::CallWt;
use windtunnel_testkit::Folder;

#[test]
fn a_call_that_was_not_recorded_is_in_the_evidence() {
    let folder = Folder::example("universe");
    let report: SelftestJson = folder
        .wt("selftest . --scenario refund_from_recording --format json --runs-dir runs")
        .succeeds()
        .json();
    let case = report.cases.iter().find(|case| case.case == "refunds-another-amount").unwrap();
    let path = folder.path("").join(case.trace_path.as_ref().unwrap());
    let trace: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let divergence = &trace["mcp_calls"][1]["extra"]["divergence"];
    assert_eq!(divergence, &serde_json::json!({"policy": "fail_call", "matched": null}));
    let warnings = trace["worker_warnings"].as_array().unwrap();
    assert!(warnings.contains(&Value::from("universe_divergence: tool=refund_order policy=fail_call")));
    let told = &case.score.as_ref().unwrap()["constraint"]["detail"];
    assert!(told.as_str().unwrap().contains("expected every call to be answered by a recording"), "{told}");
}

#[test]
fn a_malformed_universe_refuses_the_request_before_anything_runs() {
    let folder = Folder::example("universe");
    let file = folder.read("orders.universe.json");
    let folder = folder.file(
        "orders.universe.json",
        file.replace("\"tool_name\": \"refund_order\"", "\"tool_name\": \"refund_oder\""),
    );
    let refused = folder.wt("selftest .").exits(2);
    assert!(
        refused.stderr.contains("no tool is called \"refund_oder\"; did you mean \"refund_order\"?"),
        "{refused}"
    );
    assert!(!folder.exists("runs"));
}

#[test]
fn what_only_a_program_of_ones_own_can_answer_is_refused_where_the_file_asks_for_it() {
    let folder = Folder::example("universe");
    let file = folder.read("orders.universe.json");
    let folder = folder.file(
        "orders.universe.json",
        file.replace("\"on_miss\": \"fail_call\"", "\"on_miss\": \"synthesize\""),
    );
    let refused = folder.wt("selftest .").exits(2);
    let place =
        "matching.on_miss: only a function written in Rust synthesizes results, and this program has none";
    assert!(
        refused.stderr.split_whitespace().collect::<Vec<_>>().join(" ").replace("│ ", "").contains(place),
        "{refused}"
    );
    assert!(!folder.exists("runs"));
}
