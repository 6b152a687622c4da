//! `wt selftest` over every perturbation: what the model saw of it, or what the agent got.

use std::collections::BTreeMap;

use serde_json::Value;

use super::selftest::SelftestJson;
use crate::harness::CallWt;
use windtunnel_testkit::Folder;

/// The traces of the first golden case of every scenario, by scenario.
fn golden_traces(folder: &Folder) -> BTreeMap<String, Value> {
    let report: SelftestJson = folder.wt("selftest . --format json --runs-dir runs").succeeds().json();
    let mut traces = BTreeMap::new();
    for case in report.cases {
        let path = case.trace_path.unwrap();
        let trace: Value =
            serde_json::from_str(&std::fs::read_to_string(folder.path("").join(path)).unwrap()).unwrap();
        traces.entry(case.scenario_id).or_insert(trace);
    }
    traces
}

/// A request to the model, as a person would read it.
fn read(inference: &Value) -> String {
    let line = |message: &Value| {
        let role = message["role"].as_str().unwrap();
        let content = message["content"].as_str().unwrap_or_default();
        match message["tool_calls"].as_array() {
            Some(calls) => {
                let told = calls.iter().map(|call| {
                    let function = &call["function"];
                    let text = |field: &str| function[field].as_str().unwrap();
                    format!("{role} calls {}{}", text("name"), text("arguments"))
                });
                told.collect::<Vec<_>>().join("\n")
            }
            None => format!("{role}: {content}"),
        }
    };
    inference["messages"].as_array().unwrap().iter().map(line).collect::<Vec<_>>().join("\n")
}

fn requests(trace: &Value) -> Vec<&Value> {
    trace["events"].as_array().unwrap().iter().filter(|event| event["kind"] == "inference").collect()
}

fn applied(trace: &Value) -> Vec<&str> {
    let warnings = trace["worker_warnings"].as_array().unwrap().iter().filter_map(Value::as_str);
    warnings.filter_map(|warning| warning.strip_prefix("perturbation_applied: ")).collect()
}

#[test]
fn the_model_sees_every_shaped_history_and_the_agent_gets_every_failure() {
    let folder = Folder::example("perturbations");
    let traces = golden_traces(&folder);
    let mut seen = Vec::new();
    for (scenario, trace) in &traces {
        let requests = requests(trace);
        // A failing tool shows in the request after its call.
        let failed = trace["mcp_calls"][0]["extra"]["injected"].as_str();
        let request = if failed.is_some() { requests[1] } else { requests[0] };
        seen.push(format!("# {scenario}: {}\n{}", applied(trace).join("; "), read(request)));
        assert_eq!(failed.is_some(), failed == Some(scenario), "{scenario}: {failed:?}");
    }
    insta::assert_snapshot!(seen.join("\n"));
}

#[test]
fn scenarios_with_perturbations_are_listed_as_such_and_marked_in_their_scores() {
    let folder = Folder::example("perturbations");
    let listed = folder.wt("list .").succeeds();
    assert!(
        listed.stdout.contains("perturbations/timeout")
            && listed.stdout.contains("1 golden, 2 poison  perturbed: timeout"),
        "{listed}"
    );
    let json: Value = folder.wt("list . --format json").succeeds().json();
    let kinds: Vec<_> =
        json["scenarios"].as_array().unwrap().iter().map(|row| row["perturbations"][0].clone()).collect();
    assert_eq!(kinds.len(), 11);
    folder.wt("selftest . --scenario timeout --runs-dir runs").succeeds();
    let scores: Vec<String> =
        folder.files("runs").into_iter().filter(|file| file.ends_with(".score.json")).collect();
    for score in scores {
        let score: Value = serde_json::from_str(&folder.read(&score)).unwrap();
        assert_eq!(score["scenario"]["has_perturbations"], true);
    }
}

#[test]
fn a_runtime_that_takes_no_history_says_which_do() {
    let folder = Folder::example("perturbations");
    let ran =
        folder.wt("run . --scenario blank_assistant_content --runtime in_memory --runs-dir runs").exits(1);
    assert!(ran.stdout.contains("agents of the runtimes loop and omw can"), "{ran}");
    let row: Value =
        serde_json::from_str(folder.read("runs/ledger.ndjsonl").lines().next().unwrap()).unwrap();
    assert_eq!((&row["verdict"], &row["robustness_pass_rate"]), (&Value::from("INVALID"), &Value::Null));
}

#[test]
fn an_agent_that_was_sent_no_turn_is_not_asked_where_its_model_is() {
    let folder = Folder::example("perturbations").file(
        "wt.toml",
        "[runtimes.bot]\nkind = 'command'\ncommand = ['cat']\ntools = { url_env = 'MCP_URL' }\n\
         inference = { base_url_env = 'OPENAI_BASE_URL' }\n",
    );
    let on_bot = |scenario: &str| {
        folder.wt(&format!("selftest . --scenario {scenario} --runtime bot --runs-dir runs")).exits(1)
    };
    let hint = "nothing was asked at the scripted model's address: does the agent read OPENAI_BASE_URL?";
    on_bot("timeout").says(hint);
    let refused = on_bot("blank_assistant_content");
    refused.says("agents of the runtimes loop and omw can");
    assert!(!refused.stdout.contains("OPENAI_BASE_URL"), "{refused}");
}
