//! What is said about tests that are malformed. Each is that test's failure; the snapshot has what standard error says.

use windtunnel_testkit::Folder;

use crate::harness::{AGENT, CallOmwTest};

/// A test whose brain is all right.
fn config(text: &str) -> Folder {
    named("omw.test.toml", text)
}

fn named(file: &str, text: &str) -> Folder {
    Folder::new().file("brain.rhai", "1").file(file, text)
}

/// A test whose agent is all right, with something beside it.
fn with(rest: &str) -> Folder {
    config(&format!("{AGENT}\n{rest}"))
}

/// A test with assertions of its agent.
fn asserting(assertions: &str) -> Folder {
    with(&format!("[assertions.alice]\n{assertions}"))
}

fn brain(script: &str) -> Folder {
    with("").file("brain.rhai", script)
}

/// Runs the one test there is. It fails, nothing is written, and no path of this machine is told.
fn failure(folder: &Folder) -> String {
    let before = folder.files("");
    let finished = folder.omw_test("run .").exits(1);
    assert!(
        finished.stdout.starts_with("FAIL ") && finished.stdout.ends_with("0 passed, 1 failed\n"),
        "{finished}"
    );
    assert_eq!(folder.files(""), before, "something was written");
    let root = folder.path("").canonicalize().unwrap();
    finished
        .stderr
        .replace(&*root.to_string_lossy(), "<folder>")
        .replace(&*folder.path("").to_string_lossy(), "<folder>")
}

/// Makes a test of every folder; its snapshot has the same name.
macro_rules! fails {
    ($($name:ident: $folder:expr;)+) => {$(
        #[test]
        fn $name() {
            insta::with_settings!({ omit_expression => true }, {
                insta::assert_snapshot!(stringify!($name), failure(&$folder));
            });
        }
    )+};
}

fails! {
    toml_that_is_none: config("[agents.alice\n");
    yaml_that_is_none: named("omw.test.yaml", "agents: [\n");
    json_that_is_none: named("omw.test.json", "{\"agents\": }");
    a_key_twice: config("[runtime.rhai]\nkind = \"rhai\"\nkind = \"js\"\n");
    an_alias_bomb: named("omw.test.yaml", "a: &a [x, x, x, x, x, x, x, x, x]\nb: &b [*a, *a, *a, *a, *a, *a, *a, *a, *a]\nc: &c [*b, *b, *b, *b, *b, *b, *b, *b, *b]\nd: &d [*c, *c, *c, *c, *c, *c, *c, *c, *c]\ne: &e [*d, *d, *d, *d, *d, *d, *d, *d, *d]\nf: &f [*e, *e, *e, *e, *e, *e, *e, *e, *e]\nmemory: {a: {b: [*f, *f, *f]}}\n");
    nesting_without_end: named("omw.test.json", &format!("{{\"memory\": {}1{}}}", "{\"a\":".repeat(200), "}".repeat(200)));
    an_agent_without_a_script: config("[agents.alice]\nruntime = \"rhai\"\n[runtime.rhai]\nkind = \"rhai\"\n");
    an_agent_with_an_unknown_runtime: config("[agents.alice]\nruntime = \"rahi\"\nscript = \"brain.rhai\"\n[runtime.rhai]\nkind = \"rhai\"\n");
    a_runtime_of_an_unknown_kind: config("[agents.alice]\nruntime = \"r\"\nscript = \"brain.rhai\"\n[runtime.r]\nkind = \"rhia\"\n");
    a_runtime_without_a_kind: config("[agents.alice]\nruntime = \"r\"\nscript = \"brain.rhai\"\n[runtime.r]\n");
    a_provider_that_no_test_has: with("[providers.llm]\nkind = \"openai\"\nbase_url = \"http://127.0.0.1:1\"\n");
    a_script_that_is_not_there: config(&AGENT.replace("brain.rhai", "brian.rhai"));
    a_script_with_a_mistake: brain("let x = ;\n");
    a_tunable_that_is_no_number: with("[tunables]\ninbox_bound = \"many\"\n");
    a_tunable_of_zero: with("[tunables]\ninbox_bound = 0\n");
    a_misspelt_turn: with("[providers.llm]\nkind = \"mock\"\nturns = [{ contnet = \"hello\" }]\n");
    a_misspelt_list_of_turns: with("[providers.llm]\nkind = \"mock\"\ntruns = []\n");
    a_call_without_a_name: with("[providers.llm]\nkind = \"mock\"\nturns = [{ tool_calls = [{ id = \"c\", arguments = {} }] }]\n");
    a_tool_without_a_schema: with("[tooling.t]\nkind = \"mock\"\ntools = [{ name = \"x\" }]\n");
    a_scripted_call_without_a_name: with("[tooling.t]\nkind = \"mock\"\ntool_calls = [{ result = \"x\" }]\n");
    a_misspelt_request: with("[endpoint]\nkind = \"mock\"\nrequests = [{ model = \"m\", mesages = [] }]\n");
    a_gate_that_is_a_word: with("[endpoint]\nkind = \"mock\"\nrequests = [{ model = \"m\", session_id = \"s\", after = \"later\" }]\n");
    a_gate_with_a_bad_regex: with("[endpoint]\nkind = \"mock\"\nrequests = [{ model = \"m\", session_id = \"s\", after = { kind = \"call\", detail = { model = \"(\" } } }]\n");
    assertions_of_nobody: with("[assertions.bob]\noutcome = \"completed\"\n");
    a_misspelt_table_of_assertions: with("[assertion.alice]\noutcome = \"completed\"\n");
    a_misspelt_list_of_events: asserting("evnets = []\n");
    an_unknown_outcome: asserting("outcome = \"complete\"\n");
    an_event_without_a_kind: asserting("events = [{ op = \"chat\" }]\n");
    an_event_of_an_unknown_kind: asserting("events = [{ kind = \"cal\", op = \"chat\" }]\n");
    a_misspelt_call: asserting("events = [{ kind = \"call\", op = \"chat_steram\" }]\n");
    an_event_with_a_field_of_another_kind: asserting("events = [{ kind = \"call\", payload = {} }]\n");
    an_inbound_event_that_there_is_not: asserting("events = [{ kind = \"inbound\", event = \"chat-detla\" }]\n");
    a_bad_regex_in_a_detail: asserting("events = [{ kind = \"call\", op = \"chat\", detail = { messages = [{ content = \"a\" }, { content = \"[\" }] } }]\n");
    an_unknown_sentinel: asserting("events = [{ \"$whlie\" = { kind = \"call\" } }]\n");
    a_sentinel_in_a_sentinel: asserting("events = [{ \"$while\" = { \"$until\" = { kind = \"call\" } } }]\n");
    an_asserted_outcome_that_can_never_settle: asserting("outcome = \"asserted\"\nevents = [{ kind = \"call\" }, { \"$never\" = { kind = \"call\" } }]\n");
    several_mistakes_at_once: with("[tunables]\ninbox_bound = -1\n[providers.llm]\nkind = \"mock\"\nturns = [{ contnet = 1 }]\n[assertions.alice]\noutcome = 3\nevents = [{ kind = \"x\" }]\n");
    a_mistake_in_a_base: config("[assertions.alice]\n").file("omw.test.base.toml", format!("{AGENT}\n[tunables]\nrecv_timeout_secs = \"soon\"\n"));
}

#[test]
fn a_mistake_in_the_environment_names_its_variable() {
    let finished = with("").omw_test("run .").env("OMW_TEST__TUNABLES__INBOX_BOUND", "many").exits(1);
    finished.complains("OMW_TEST__TUNABLES__INBOX_BOUND");
}
