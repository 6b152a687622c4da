//! `wt schema`

use jsonschema::Validator;
use serde_json::Value;

use crate::harness::{CallWt, PACK, SCENARIO, desk};
use windtunnel_testkit::Folder;

fn validator(kind: &str) -> Validator {
    let schema: Value = Folder::new().wt(&format!("schema {kind}")).succeeds().json();
    jsonschema::validator_for(&schema).unwrap()
}

/// The value of a file that people write.
fn value(file: &str, text: &str) -> Value {
    toml::from_str(text).unwrap_or_else(|error| panic!("{file}: {error}"))
}

/// The files with this ending in the examples and in a new pack.
fn written(ending: &str) -> Vec<(String, Value)> {
    let folder = Folder::examples();
    folder.wt("new starter").succeeds();
    let files: Vec<String> = folder.files("").into_iter().filter(|file| file.ends_with(ending)).collect();
    files.into_iter().map(|file| (file.clone(), value(&file, &folder.read(&file)))).collect()
}

/// The schema accepts every file of this kind, and still refuses a field that is not there.
fn accepts_what_is_written(kind: &str, ending: &str, at_least: usize) {
    let validator = validator(kind);
    let files = written(ending);
    assert!(files.len() >= at_least, "{files:?}");
    for (file, mut value) in files {
        let faults: Vec<String> = validator.iter_errors(&value).map(|fault| fault.to_string()).collect();
        assert!(faults.is_empty(), "{file}: {faults:?}");
        value["no_such_field"] = Value::Null;
        assert!(!validator.is_valid(&value), "{file} with a field that is not there");
    }
}

#[test]
fn the_schema_of_packs_accepts_every_pack() {
    accepts_what_is_written("pack", "pack.toml", 3);
    assert!(validator("pack").is_valid(&value("pack.toml", PACK)));
}

#[test]
fn the_schema_of_scenarios_accepts_every_scenario() {
    accepts_what_is_written("scenario", ".scenario.toml", 5);
    assert!(validator("scenario").is_valid(&value("greet.scenario.toml", SCENARIO)));
}

#[test]
fn the_schema_of_settings_accepts_every_configuration_and_the_defaults() {
    accepts_what_is_written("config", "wt.toml", 2);
    let defaults = Folder::new().wt("schema defaults").succeeds().stdout;
    assert!(validator("config").is_valid(&value("the defaults", &defaults)));
}

#[test]
fn the_defaults_are_a_configuration_that_changes_nothing() {
    let defaults = Folder::new().wt("schema defaults").succeeds().stdout;
    desk().file("wt.toml", defaults).wt("selftest").succeeds().says("2 cases: 2 PASS");
}

#[test]
fn the_reference_names_every_command() {
    let page = Folder::new().wt("schema cli").succeeds();
    for command in super::help::commands() {
        page.says(&format!("\n## `wt {command}`\n"));
    }
}
