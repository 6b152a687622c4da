//! `wt run`

use quick_junit::Report;
use serde_json::Value;
use windtunnel_api::artifact::event::EventRow;
use windtunnel_api::artifact::ledger::LedgerRow;
use windtunnel_api::artifact::score::Verdict;

use crate::harness::{CallWt, desk};
use windtunnel_testkit::Folder;

const SCENARIO: &str = "name = 'greet'\nprompt = 'Say hello.'\ntarget_facts = [['hello there']]\n";

/// A pack on a runtime with these settings.
fn on(runtime: &str, scenario: &str) -> Folder {
    Folder::new()
        .file(
            "pack.toml",
            "name = 'desk'\nowner = 'docs'\nruntime = 'bot'\n\n[tools.files]\nkind = 'workspace'\n",
        )
        .file("greet.scenario.toml", scenario)
        .file("wt.toml", format!("[runtimes.bot]\n{runtime}\n"))
}

/// A pack on a runtime that always answers this.
fn canned(reply: &str) -> Folder {
    on(&format!("kind = 'in_memory'\nreply = '{reply}'"), SCENARIO)
}

/// A pack on a program.
fn script(script: &str, scenario: &str) -> Folder {
    on("kind = 'command'\ncommand = ['sh', 'agent.sh']\ncwd = '.'\ntools = { url_env = 'MCP_URL' }", scenario)
        .file("agent.sh", script)
}

/// The rows of a file with a JSON value per line.
fn rows<T: serde::de::DeserializeOwned>(folder: &Folder, file: &str) -> Vec<T> {
    let text = folder.read(file);
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}")))
        .collect()
}

#[test]
fn an_agent_that_meets_its_gate_passes() {
    let folder = canned("Well, hello there!");
    folder.wt("run").succeeds().says("PASS desk/greet").says("1 case: 1 PASS in");
    let row = rows::<LedgerRow>(&folder, "runs/ledger.ndjsonl").remove(0);
    assert_eq!((row.verdict, row.passed, row.runs), (Verdict::Pass, 1, 1));
    assert_eq!(
        (row.pack.as_deref(), row.owner.as_deref(), row.label.as_str()),
        (Some("desk"), Some("docs"), "default")
    );
}

#[test]
fn an_agent_that_does_not_fails_and_is_told_why() {
    let folder = canned("Good day.");
    folder
        .wt("run")
        .exits(1)
        .says("FAIL desk/greet")
        .says("fact 1 of 1 is missing: expected \"hello there\"");
    let row = rows::<LedgerRow>(&folder, "runs/ledger.ndjsonl").remove(0);
    assert_eq!((row.verdict, row.passed, row.failure_risk), (Verdict::Fail, 0, 4));
}

#[test]
fn several_runs_make_one_row_and_a_trace_each() {
    let folder = canned("hello there");
    folder.wt("run --runs 3 --label candidate").succeeds();
    let ledger = rows::<LedgerRow>(&folder, "runs/ledger.ndjsonl");
    let [row] = ledger.as_slice() else { panic!("{ledger:?}") };
    assert_eq!((row.runs, row.passed, row.label.as_str()), (3, 3, "candidate"));
    let traces: Vec<_> =
        folder.files("runs/greet").into_iter().filter(|file| !file.ends_with(".score.json")).collect();
    assert_eq!(traces.len(), 3, "{traces:?}");
    for trace in traces {
        let trace: Value = serde_json::from_str(&folder.read(&trace)).unwrap();
        assert!(row.run_ids.iter().any(|id| trace["run_id"] == id.to_string()), "{trace}");
    }
    folder.wt("run --label again").succeeds();
    assert_eq!(rows::<LedgerRow>(&folder, "runs/ledger.ndjsonl").len(), 2);
}

#[test]
fn the_events_tell_the_sweep_from_its_start_to_its_end() {
    let folder = canned("hello there");
    folder.wt("run --runs 2").succeeds();
    let events: Vec<String> = rows::<Value>(&folder, "runs/events.ndjsonl")
        .iter()
        .map(|row| row["event"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(
        events,
        [
            "sweep_started",
            "run_started",
            "run_finished",
            "run_started",
            "run_finished",
            "scenario_finished",
            "sweep_finished"
        ]
    );
    rows::<EventRow>(&folder, "runs/events.ndjsonl");
}

#[test]
fn the_json_report_is_what_went_to_the_ledger() {
    let folder = canned("hello there");
    let reported: Vec<Value> = folder.wt("run --format json").succeeds().json();
    assert_eq!(reported, rows::<Value>(&folder, "runs/ledger.ndjsonl"));
    let row: LedgerRow = serde_json::from_value(reported[0].clone()).unwrap();
    assert_eq!(row.sweep_id.len(), 12, "{row:?}");
    assert_eq!(row.wt_version.as_deref(), Some(env!("CARGO_PKG_VERSION")));
}

#[test]
fn the_junit_report_has_a_test_per_scenario() {
    let folder = canned("Good day.");
    let finished = folder.wt("run --format junit").exits(1);
    let report = Report::deserialize_from_str(&finished.stdout).unwrap();
    assert_eq!((report.tests, report.failures, report.errors), (1, 1, 0));
}

#[test]
fn variance_passes_where_it_is_allowed() {
    let alternating = "echo run >> runs.log\ncase $(grep -c run runs.log) in 2) echo Goodbye. ;; *) echo hello there ;; esac\n";
    let scenario = |rate: f64| format!("{SCENARIO}variance_allowed = true\nmin_pass_rate = {rate}\n");
    let folder = script(alternating, &scenario(0.6));
    folder.wt("run --runs 3").succeeds().says("PASS_WITH_VARIANCE desk/greet");
    let row = rows::<LedgerRow>(&folder, "runs/ledger.ndjsonl").remove(0);
    assert_eq!((row.verdict, row.passed, row.runs), (Verdict::PassWithVariance, 2, 3));

    script(alternating, &scenario(0.7)).wt("run --runs 3").exits(1).says("FAIL desk/greet");
}

#[test]
fn the_built_in_loop_without_a_model_is_refused_with_what_to_do() {
    let folder = desk();
    let before = folder.files("");
    let finished = folder.wt("run").exits(2);
    finished.complains("OPENAI_MODEL").complains("OPENAI_BASE_URL").complains("[runtimes.loop]");
    assert_eq!(folder.files(""), before, "{finished}");
}

#[test]
fn an_agent_that_breaks_down_makes_an_invalid_run_with_its_last_words() {
    let folder = script("echo no network >&2\nexit 7\n", SCENARIO);
    let finished = folder.wt("run").exits(1);
    finished.says("INVALID desk/greet").says("exit code 7; standard error: no network");
    let row = rows::<LedgerRow>(&folder, "runs/ledger.ndjsonl").remove(0);
    assert_eq!((row.verdict, row.passed), (Verdict::Invalid, 0));
}

#[test]
fn what_the_agent_does_is_seen_at_the_tool_server_and_not_in_its_words() {
    let calls = r#"{
echo '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"sh","version":"1"}}}'
echo '{"jsonrpc":"2.0","method":"notifications/initialized"}'
echo '{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"write_file","arguments":{"path":"out.md","content":"hello"}}}'
} | "$WT" mcp-bridge "$MCP_URL" > answers
grep -q '"id":2' answers && echo hello there
"#;
    let wants_a_call = format!("{SCENARIO}must_call = ['write_file']\n");
    let passing = script(calls, &wants_a_call);
    let passing = passing.file("wt.toml", WITH_WT);
    passing.wt("run").env("WT", env!("CARGO_BIN_EXE_wt")).succeeds().says("PASS desk/greet");

    let claiming = script("echo hello there, I called write_file\n", &wants_a_call);
    claiming.wt("run").exits(1).says("must_call: expected \"write_file\"");
}

/// A program that is told where this binary is.
const WITH_WT: &str = r#"[runtimes.bot]
kind = "command"
command = ["sh", "agent.sh"]
cwd = "."
pass_env = ["WT"]
tools = { url_env = "MCP_URL" }
"#;

#[test]
fn a_secret_is_neither_shown_nor_saved() {
    let folder = script("echo hello there $TOKEN\necho $TOKEN >&2\nexit 3\n", SCENARIO)
        .file("wt.toml", "[runtimes.bot]\nkind = 'command'\ncommand = ['sh', 'agent.sh']\ncwd = '.'\nenv = { TOKEN = '${BOT_TOKEN}' }\n");
    let failed = folder.wt("run").env("BOT_TOKEN", "canary-5d1c").exits(1);
    let folder = folder.file("agent.sh", "echo hello there $TOKEN\necho $TOKEN >&2\n");
    let passed = folder.wt("run --format json").env("BOT_TOKEN", "canary-5d1c").succeeds();
    for shown in [&failed, &passed] {
        assert!(!format!("{shown}").contains("canary"), "{shown}");
    }
    for file in folder.files("runs") {
        assert!(!folder.read(&file).contains("canary"), "{file}");
    }
}

#[test]
fn the_environment_of_an_agent_is_what_it_is_given() {
    let folder = script("env | sed 's/=.*//' | sort | tr '\\n' ' '; echo hello there\n", SCENARIO);
    let finished = folder
        .wt("run --format json")
        .env("OPENAI_API_KEY", "canary-77")
        .env("SSH_AUTH_SOCK", "/x")
        .succeeds();
    let trace = folder.files("runs/greet").into_iter().find(|file| !file.ends_with(".score.json")).unwrap();
    let trace = folder.read(&trace);
    assert!(trace.contains("MCP_URL") && trace.contains("WT_WORKSPACE"), "{trace}");
    assert!(!trace.contains("OPENAI_API_KEY") && !trace.contains("SSH_AUTH_SOCK"), "{trace}\n{finished}");
}
