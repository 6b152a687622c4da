//! Files over base files, and the environment over all.

use omw::config::{Params, Source, load};
use proptest::prelude::*;
use serde_json::{Map, Value, json};
use windtunnel_doc::Format;

use crate::folder::Folder;

#[test]
fn tables_are_merged_by_key_and_everything_else_is_replaced() {
    let folder = Folder::new(&[
        (
            "base.toml",
            "[providers.p]\nkind = \"mock\"\nmodels = [\"a\", \"b\"]\n[providers.p.params]\nzeta = 1\nalpha = { x = 1, y = [1] }\n[assertions.a]\noutcome = \"completed\"\nevents = [{ kind = \"call\" }]\n",
        ),
        (
            "omw.test.yaml",
            "providers:\n  p:\n    models: [c]\n    params: {alpha: {y: {z: 2}}, beta: null}\nassertions:\n  a: {outcome: asserted}\n",
        ),
    ]);
    let loaded = load(&folder.source("omw.test.yaml", &["base.toml"]).knows(["assertions"])).unwrap();
    let provider = &loaded.config.providers["p"];
    assert_eq!(provider.kind, "mock");
    // As text, since the order counts: that of first mention.
    assert_eq!(
        provider.params.value().to_string(),
        json!({"models": ["c"], "params": {"zeta": 1, "alpha": {"x": 1, "y": {"z": 2}}, "beta": null}})
            .to_string()
    );
    assert_eq!(
        *loaded.sections["assertions"].value(),
        json!({"a": {"outcome": "asserted", "events": [{"kind": "call"}]}})
    );
    assert_eq!(loaded.warnings.len(), 0);
}

#[test]
fn the_outermost_base_comes_first() {
    let folder = Folder::new(&[
        ("base.toml", "[memory.a]\nk = \"outer\"\nouter = 1\n"),
        ("in/base.toml", "[memory.a]\nk = \"inner\"\n"),
        (
            "in/omw.test.toml",
            "[memory.a]\nown = { y = 1, x = [true] }\n[agents.a]\nruntime = \"r\"\nscript = \"x\"\n[runtime.r]\nkind = \"rhai\"\n",
        ),
    ]);
    let loaded = load(&folder.source("in/omw.test.toml", &["base.toml", "in/base.toml"])).unwrap();
    let memory = &loaded.config.memory["a"];
    assert_eq!(memory["k"], "inner");
    assert_eq!(memory["outer"], "1");
    assert_eq!(memory["own"], r#"{"y":1,"x":[true]}"#, "compact, and in the order of the file");
}

#[test]
fn a_relative_script_lies_in_the_folder_of_the_file_that_names_it() {
    let agent =
        |name: &str, script: &str| format!("[agents.{name}]\nruntime = \"r\"\nscript = \"{script}\"\n");
    let folder = Folder::new(&[
        (
            "base.toml",
            &format!("[runtime.r]\nkind = \"rhai\"\n{}{}", agent("a", "a.rhai"), agent("b", "b.rhai")),
        ),
        ("in/omw.test.toml", &format!("{}{}", agent("b", "b.rhai"), agent("c", "/abs/c.rhai"))),
    ]);
    let source = folder.source("in/omw.test.toml", &["base.toml"]).with_environment(
        "OMW_TEST__",
        [("OMW_TEST__AGENTS__D__SCRIPT", "d.rhai"), ("OMW_TEST__AGENTS__D__RUNTIME", "r")],
    );
    let scripts = |source: &Source| {
        let config = load(source).unwrap().config;
        config.agents.values().map(|agent| folder.cut(agent.script.as_str())).collect::<Vec<_>>()
    };
    assert_eq!(scripts(&source), ["a.rhai", "in/b.rhai", "/abs/c.rhai", "in/d.rhai"]);
    assert_eq!(
        scripts(&source.scripts_relative_to("/cwd")),
        ["a.rhai", "/cwd/b.rhai", "/abs/c.rhai", "/cwd/d.rhai"]
    );

    let here = load(&Source::text(
        "-",
        format!("[runtime.r]\nkind = \"rhai\"\n{}", agent("a", "a.rhai")),
        Format::Toml,
    ));
    let script = here.unwrap().config.agents["a"].script.clone();
    assert_eq!(script.as_std_path(), std::env::current_dir().unwrap().join("./a.rhai"));
}

#[test]
fn the_environment_reaches_the_config_and_not_the_sections() {
    let text = "[memory.a]\nk = 1\n[assertions.a]\noutcome = \"completed\"\n[agents.a]\nruntime = \"r\"\nscript = \"x\"\n[runtime.r]\nkind = \"rhai\"\n";
    let source = Source::text("omw.test.toml", text, Format::Toml).knows(["assertions"]).with_environment(
        "OMW_TEST__",
        [
            ("omw_test__tunables__inbox_bound", "7"),
            ("OMW_TEST__TUNABLES__CANCEL_PUMPS_ON_RELOAD", "False"),
            ("OMW_TEST__MEMORY__A__Key", "42"),
            ("OMW_TEST__ASSERTIONS__A__OUTCOME", "asserted"),
            ("OMW__TUNABLES__SESSION_BUFFER", "1"),
        ],
    );
    let loaded = load(&source).unwrap();
    let tunables = &loaded.config.tunables;
    assert_eq!(
        (tunables.inbox_bound, tunables.cancel_pumps_on_reload, tunables.session_buffer),
        (7, false, 8192)
    );
    assert_eq!(loaded.config.memory["a"]["Key"], "42");
    assert_eq!(*loaded.sections["assertions"].value(), json!({"a": {"outcome": "completed"}}));
    let warnings: Vec<&str> = loaded.warnings.iter().map(windtunnel_doc::Diagnostic::file).collect();
    assert_eq!(warnings, ["OMW_TEST__ASSERTIONS__A__OUTCOME"]);
}

#[test]
fn an_empty_config_and_empty_tables_are_fine() {
    for (text, format) in [("", Format::Toml), ("# nothing\n", Format::Yaml), ("{}", Format::Json)] {
        let loaded = load(&Source::text("omw", text, format)).unwrap();
        assert!(loaded.config.agents.is_empty() && loaded.config.endpoint.is_none());
    }
    let text = "agents:\nmemory:\nendpoint:\ntunables:\n  inbox_bound: 3\n";
    assert_eq!(load(&Source::text("omw.yaml", text, Format::Yaml)).unwrap().config.tunables.inbox_bound, 3);
}

#[test]
fn a_format_that_is_given_counts_for_every_file() {
    let folder = Folder::new(&[("base.toml", "{\"tunables\": {\"inbox_bound\": 2}}"), ("omw.conf", "{}")]);
    let source = folder.source("omw.conf", &["base.toml"]).with_format(Format::Json);
    assert_eq!(load(&source).unwrap().config.tunables.inbox_bound, 2);
}

/// What the merge means, said on values.
fn overlaid(under: Value, over: Value) -> Value {
    match (under, over) {
        (Value::Object(mut under), Value::Object(over)) => {
            for (key, over) in over {
                let merged = match under.get_mut(&key).map(Value::take) {
                    Some(under) => overlaid(under, over),
                    None => over,
                };
                under.insert(key, merged);
            }
            Value::Object(under)
        }
        (_, over) => over,
    }
}

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        (-1e9..1e9).prop_map(Value::from),
        "[a-z]{0,3}".prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 24, 4, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..3).prop_map(Value::from),
            proptest::collection::vec(("[a-d.]", inner), 0..4).prop_map(object),
        ]
    })
}

fn object(members: Vec<(String, Value)>) -> Value {
    Value::Object(members.into_iter().collect::<Map<_, _>>())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn three_layers_are_laid_over_each_other_in_order(
        layers in proptest::collection::vec(proptest::collection::vec(("[a-d]", value()), 0..4).prop_map(object), 3)
    ) {
        let documents: Vec<String> = layers.iter().map(|layer| json!({"section": layer}).to_string()).collect();
        let folder = Folder::new(&[("0.json", &documents[0]), ("1.json", &documents[1]), ("2.json", &documents[2])]);
        let loaded = load(&folder.source("2.json", &["0.json", "1.json"])).unwrap();
        let expected = layers.into_iter().reduce(overlaid).unwrap();
        let section = loaded.sections.get("section").map(Params::value);
        prop_assert_eq!(section.map(ToString::to_string), Some(expected.to_string()));
    }
}
