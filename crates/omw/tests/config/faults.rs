//! What is wrong with a config is said with the file, line and column that it stands at, all at once.

use std::fmt::Write as _;
use std::sync::Arc;

use omw::backend::BackendError;
use omw::brain::{Brain, BrainError, Native};
use omw::config::{AgentConfig, Config, Source, load};
use omw::host::Host;
use omw::registry::Registries;
use serde::Deserialize;
use windtunnel_doc::Format;

use crate::folder::Folder;

/// What is loaded, and how it is called.
const MALFORMED: [(&str, Format, &str); 26] = [
    ("a value of the wrong type", Format::Toml, "[tunables]\ninbox_bound = \"many\"\n"),
    ("the same in YAML", Format::Yaml, "tunables:\n  inbox_bound: many\n"),
    ("the same in JSON", Format::Json, "{\"tunables\": {\n  \"inbox_bound\": \"many\"}}"),
    ("a table that is none", Format::Toml, "agents = 3\n"),
    ("a list where a mapping is due", Format::Yaml, "runtime:\n  - kind: rhai\n"),
    ("no script", Format::Toml, "[runtime.r]\nkind = \"rhai\"\n[agents.a]\nruntime = \"r\"\n"),
    (
        "no script, but a misspelt one",
        Format::Toml,
        "[runtime.r]\nkind = \"rhai\"\n[agents.a]\nruntime = \"r\"\nscirpt = \"a.rhai\"\n",
    ),
    (
        "an empty script",
        Format::Toml,
        "[runtime.r]\nkind = \"rhai\"\n[agents.a]\nruntime = \"r\"\nscript = \"\"\n",
    ),
    ("no kind", Format::Toml, "[providers.p]\nmodels = []\n"),
    ("a kind that is no string", Format::Yaml, "tooling:\n  t:\n    kind: [mock]\n"),
    (
        "an unknown runtime",
        Format::Yaml,
        "runtime: {main: {kind: rhai}}\nagents:\n  a: {runtime: mian, script: a.rhai}\n",
    ),
    (
        "an unknown runtime of none",
        Format::Json,
        "{\"agents\": {\"a\": {\"runtime\": \"r\", \"script\": \"a.rhai\"}}}",
    ),
    (
        "an agent without a name",
        Format::Toml,
        "[runtime.r]\nkind = \"rhai\"\n[agents.\"\"]\nruntime = \"r\"\nscript = \"a.rhai\"\n",
    ),
    ("bounds that make no sense", Format::Toml, "[tunables]\ninbox_bound = 0\nsession_buffer = 100000000\n"),
    ("a time beyond all bounds", Format::Yaml, "tunables:\n  recv_timeout_secs: 9999999999\n"),
    ("a negative time", Format::Json, "{\"tunables\": {\"watch_debounce_ms\": -1}}"),
    ("memory that is no table", Format::Toml, "[memory]\nalice = \"seed\"\n"),
    ("a key twice", Format::Toml, "[runtime.r]\nkind = \"rhai\"\nkind = \"js\"\n"),
    ("a key twice in YAML", Format::Yaml, "tunables:\n  inbox_bound: 1\n  inbox_bound: 2\n"),
    ("a key twice in JSON", Format::Json, "{\"memory\": {}, \"memory\": {}}"),
    ("what is no TOML", Format::Toml, "[agents.a\nruntime = \"r\"\n"),
    ("what is no JSON", Format::Json, "{\"agents\": {},}"),
    ("what is no YAML", Format::Yaml, "agents: {a: [}\n"),
    ("no table at all", Format::Json, "[1, 2]"),
    ("nothing at all", Format::Json, ""),
    (
        "several faults",
        Format::Toml,
        "agents = 1\n[endpoint]\n[tunables]\ninbox_bound = 1.5\nrecv_slice_ms = true\n",
    ),
];

fn faults(name: &str, text: &str, format: Format) -> String {
    load(&Source::text(name, text, format)).unwrap_err().to_string()
}

#[test]
fn each_fault_is_named_with_its_place() {
    let mut report = String::new();
    for (what, format, text) in MALFORMED {
        let name = match format {
            Format::Toml => "omw.toml",
            Format::Yaml => "omw.yaml",
            Format::Json => "omw.json",
        };
        writeln!(report, "# {what}\n{}\n", faults(name, text, format)).unwrap();
    }
    insta::assert_snapshot!(report);
}

#[test]
fn an_alias_bomb_does_not_go_off() {
    let mut text = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n".to_owned();
    for level in 1..8 {
        let refs = vec![format!("*a{}", level - 1); 10].join(", ");
        writeln!(text, "a{level}: &a{level} [{refs}]").unwrap();
    }
    insta::assert_snapshot!(faults("omw.yaml", &text, Format::Yaml));
}

#[test]
fn what_is_nested_too_deep_or_too_large_is_refused() {
    let deep = format!("{{\"memory\": {{\"a\": {{\"k\": {}1{}}}}}}}", "[".repeat(100), "]".repeat(100));
    insta::assert_snapshot!(faults("omw.json", &deep, Format::Json));
    let large = format!("# {}\n", "x".repeat(5 * 1024 * 1024));
    insta::assert_snapshot!(faults("omw.toml", &large, Format::Toml));
}

#[test]
fn a_file_that_cannot_be_read_is_named() {
    let folder = Folder::new(&[("omw.txt", ""), ("base.json", "{")]);
    insta::assert_snapshot!(folder.faults(&folder.source("omw.txt", &[])));
    insta::assert_snapshot!(folder.faults(&folder.source("omw.toml", &["base.json", "none.toml"])));
}

#[test]
fn a_fault_of_a_base_file_is_told_where_the_base_file_has_it() {
    let folder = Folder::new(&[
        ("base.yaml", "tunables:\n  inbox_bound: 1\nagents:\n  a: {runtime: r, script: a.rhai}\n"),
        ("inner/base.json", "{\n  \"endpoint\": {\"knid\": \"mock\"}\n}"),
        ("inner/omw.test.toml", "[tunables]\nrecv_slice_ms = 1\n"),
    ]);
    let bases = ["base.yaml", "inner/base.json"];
    insta::assert_snapshot!(folder.faults(&folder.source("inner/omw.test.toml", &bases)));

    let folder = Folder::new(&[
        ("base.toml", "[agents.a]\nruntime = \"r\"\nscript = \"a.rhai\"\n"),
        ("omw.test.toml", "[runtime.main]\nkind = \"rhai\"\n[tunables]\ninbox_bound = 0\n"),
    ]);
    insta::assert_snapshot!(folder.faults(&folder.source("omw.test.toml", &["base.toml"])));
}

#[test]
fn a_fault_of_what_a_later_file_replaced_is_told_where_it_was_replaced() {
    let folder = Folder::new(&[
        (
            "base.toml",
            "[tunables]\ninbox_bound = 0\n[providers.p]\nkind = \"mock\"\nturns = [{ content = 1 }]\n",
        ),
        ("omw.test.toml", "[tunables]\ninbox_bound = 5\nsession_buffer = 0\n[providers]\np = 7\n"),
    ]);
    insta::assert_snapshot!(folder.faults(&folder.source("omw.test.toml", &["base.toml"])));
}

#[test]
fn a_fault_of_the_environment_names_the_variable() {
    let text = "[runtime.r]\nkind = \"rhai\"\n[agents.a]\nruntime = \"r\"\nscript = \"a.rhai\"\n";
    let faults = |variables: &[(&str, &str)]| {
        let variables = variables.iter().map(|(name, value)| (*name, *value));
        let source = Source::text("omw.toml", text, Format::Toml).with_environment("OMW__", variables);
        load(&source).unwrap_err().to_string()
    };
    insta::assert_snapshot!(faults(&[
        ("OMW__TUNABLES__INBOX_BOUND", "many"),
        ("OMW__TUNABLES__CANCEL_PUMPS_ON_RELOAD", "perhaps"),
        ("OMW__AGENTS__B__SCRIPT", "b.rhai"),
    ]));
    insta::assert_snapshot!(faults(&[
        ("OMW__TUNABLES__INBOX_BOUND", "0"),
        ("OMW__AGENTS__A__RUNTIME", "s"),
        ("OMW__RUNTIME__R", "js"),
    ]));
    insta::assert_snapshot!(faults(&[("OMW__TUNABLES__INBOX_BOUND", "0"), ("OMW__AGENTS__A__RUNTIME", "s")]));
}

/// What some back end takes.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "what counts is whether it decodes")]
struct Echo {
    delay_ms: u64,
    #[serde(default)]
    steps: Vec<Step>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "what counts is whether it decodes")]
struct Step {
    text: String,
}

#[test]
fn parameters_are_decoded_by_whom_they_are_for_and_their_faults_keep_their_places() {
    let folder = Folder::new(&[
        ("base.toml", "[providers.p]\nkind = \"echo\"\ndelay_ms = \"soon\"\nsteps = []\n"),
        (
            "omw.test.toml",
            "[[providers.p.steps]]\ntext = \"a\"\n[[providers.p.steps]]\ntxet = \"b\"\n[providers.q]\nkind = \"echo\"\n",
        ),
    ]);
    let loaded = load(&folder.source("omw.test.toml", &["base.toml"])).unwrap();
    let faults = |name: &str| {
        let params = &loaded.config.providers[name].params;
        folder.cut(&params.decode::<Echo>().unwrap_err().to_string())
    };
    insta::assert_snapshot!(format!("{}\n\n{}", faults("p"), faults("q")));
}

#[test]
fn a_variable_is_a_number_where_a_back_end_wants_one_and_text_where_it_wants_text() {
    let text = "[providers.p]\nkind = \"echo\"\n";
    let overlay = [("OMW__PROVIDERS__P__DELAY_MS", "20"), ("OMW__PROVIDERS__P__STEPS", "x")];
    let source = Source::text("omw.toml", text, Format::Toml).with_environment("omw__", overlay);
    let config = load(&source).unwrap().config;
    let faults = config.providers["p"].params.decode::<Echo>().unwrap_err();
    insta::assert_snapshot!(faults.to_string());

    let source = Source::text("omw.toml", text, Format::Toml).with_environment("omw__", [overlay[0]]);
    let config = load(&source).unwrap().config;
    assert_eq!(config.providers["p"].params.decode::<Echo>().unwrap().delay_ms, 20);
}

#[test]
fn unknown_kinds_are_named_with_those_that_there_are() {
    let mut registries = Registries::default();
    for kind in ["mock", "openai"] {
        registries.providers.add(kind, |_, _| Err(BackendError::new("never made").into()));
    }
    registries.tooling.add("mock", |_, _| Err(BackendError::new("never made").into()));
    registries.runtimes.add("rhai", |_, _| Ok(Arc::new(Native::new("rhai", Arc::new(Idle)))));
    let text = "
[providers.p]
kind = \"opneai\"
[tooling.t]
kind = \"mcp\"
[endpoint]
kind = \"mock\"
[runtime.r]
kind = \"rhai\"
[runtime.s]
kind = \"lua\"
";
    let config = load(&Source::text("omw.toml", text, Format::Toml)).unwrap().config;
    insta::assert_snapshot!(config.check(&registries).unwrap_err().to_string());
}

#[test]
fn a_config_that_was_built_in_code_is_checked_too() {
    let mut config = Config::default();
    let agent = AgentConfig { runtime: "r".into(), script: "a.rhai".into() };
    config.agents.insert("a".into(), agent);
    insta::assert_snapshot!(config.check(&Registries::default()).unwrap_err().to_string());
}

struct Idle;

impl Brain for Idle {
    fn run(&self, _: &Arc<dyn Host>) -> Result<Option<String>, BrainError> {
        Ok(None)
    }
}

#[test]
fn nothing_of_the_parameters_is_printed() {
    let text = "[providres.q]\n[providers.p]\nkind = \"openai\"\napi_key = \"canary-1\"\n[endpoint]\nkind = \"canary\"\ntoken = [\"canary-2\"]\n";
    let overlay = [("OMW__PROVIDERS__P__TOKEN", "canary-3")];
    let source = Source::text("omw.toml", text, Format::Toml).with_environment("OMW__", overlay);
    let loaded = load(&source).unwrap();
    let printed = format!("{source:?} {loaded:?} {:?}", loaded.config);
    assert!(printed.contains("api_key") && !printed.contains("canary-"), "{printed}");
}

#[test]
fn a_part_of_the_parameters_keeps_its_place() {
    let text = "[providers.p]\nkind = \"relay\"\n[providers.p.inner]\ndelay_ms = -1\n";
    let config = load(&Source::text("omw.toml", text, Format::Toml)).unwrap().config;
    let params = &config.providers["p"].params;
    assert!(params.get("outer").is_none());
    let faults = params.get("inner").unwrap().decode::<Echo>().unwrap_err();
    assert!(
        faults.to_string().starts_with("omw.toml:4:12: providers.p.inner.delay_ms: expected"),
        "{faults}"
    );
}
