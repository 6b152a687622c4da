//! Where an item's folder may be, and what its files may say.

use std::fs;
use std::sync::Arc;

use camino::Utf8Path;
use windtunnel_process::config::CONFIG_FILE;
use windtunnel_process::event::MemoryLog;
use windtunnel_process::item::{ItemRef, WorkItem};
use windtunnel_process::scenario::doubles::FakeControlPlane;
use windtunnel_process::state::STATE_FILE;
use windtunnel_process::{ProcessConfig, ProcessError, ProcessRuntime};

use crate::world::World;

fn config(text: &str) -> (tempfile::TempDir, Result<ProcessConfig, String>) {
    let folder = tempfile::tempdir().unwrap();
    let root = Utf8Path::from_path(folder.path()).unwrap();
    fs::create_dir(root.join(".the-loop")).unwrap();
    fs::write(root.join(CONFIG_FILE), text).unwrap();
    let config = ProcessConfig::load(root).map_err(|faults| faults.to_string().replace(root.as_str(), ""));
    (folder, config)
}

#[test]
fn an_empty_config_is_the_defaults() {
    let (_folder, config) = config("{}");
    assert_eq!(config.unwrap(), ProcessConfig::default());
}

#[test]
fn every_fault_of_a_config_is_told_at_once_with_its_line() {
    let (_folder, config) = config(
        "workflow:\n  specDir: ../specs\n  phaseLabelPrefix: \"\"\noriginRepo: e2e\nauthorizedUsers: [\"@owner\"]\n\
         testing:\n  command: [\"\"]\ntesing: 1\n",
    );
    let faults = config.unwrap_err();
    insta::assert_snapshot!(faults, @r#"
    /.the-loop/harness-config.yaml:2:12: workflow.specDir: "../specs" is no folder of the checkout; expected a relative path without .., as in "docs/specs"
    /.the-loop/harness-config.yaml:3:21: workflow.phaseLabelPrefix: a prefix is needed: without one all labels would be the process's own
    /.the-loop/harness-config.yaml:4:13: originRepo: "e2e" is no repository; expected <owner>/<repo>
    /.the-loop/harness-config.yaml:5:18: authorizedUsers: "@owner" is no user; expected a name as in "owner", without @
    /.the-loop/harness-config.yaml:7:12: testing.command: the program is empty; leave the list out where there are no tests
    /.the-loop/harness-config.yaml:8:1: tesing: unknown field "tesing"; expected one of workflow, originRepo, authorizedUsers, testing; did you mean "testing"?
    "#);
}

#[test]
fn a_spec_folder_stays_in_the_checkout() {
    for path in ["/etc", "..", "docs/../..", "./docs", ".", "\"\"", "\"a\\\\b\"", "\"a\\0b\""] {
        let (_folder, config) = config(&format!("workflow: {{ specDir: {path} }}"));
        assert!(config.unwrap_err().contains("is no folder of the checkout"), "{path}");
    }
    let (_folder, config) = config("workflow: { specDir: specs }");
    assert_eq!(config.unwrap().workflow.spec_dir, "specs");
}

#[test]
fn a_missing_config_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let root = Utf8Path::from_path(folder.path()).unwrap();
    let faults = ProcessConfig::load(root).unwrap_err().to_string();
    assert!(faults.contains(CONFIG_FILE), "{faults}");
}

#[cfg(unix)]
#[test]
fn a_spec_folder_that_links_out_of_the_checkout_is_refused() {
    let elsewhere = tempfile::tempdir().unwrap();
    let (folder, _) = config("{}");
    let root = Utf8Path::from_path(folder.path()).unwrap();
    std::os::unix::fs::symlink(elsewhere.path(), root.join("specs")).unwrap();
    fs::write(root.join(CONFIG_FILE), "workflow:\n  specDir: specs/inner\n").unwrap();
    let faults = ProcessConfig::load(root).unwrap_err().to_string();
    let expected = format!(":2:12: workflow.specDir: {root}/specs leads out of the checkout, to ");
    assert!(faults.contains(&expected), "{faults}");
    // A link within the checkout is as good as a folder.
    fs::create_dir(root.join("real")).unwrap();
    fs::remove_file(root.join("specs")).unwrap();
    std::os::unix::fs::symlink("real", root.join("specs")).unwrap();
    assert!(ProcessConfig::load(root).is_ok());
}

#[cfg(unix)]
#[tokio::test]
async fn an_items_folder_that_links_out_of_the_checkout_is_refused() {
    let elsewhere = tempfile::tempdir().unwrap();
    let world = World::new();
    fs::create_dir_all(world.folder().parent().unwrap()).unwrap();
    std::os::unix::fs::symlink(elsewhere.path(), world.folder()).unwrap();
    let error = world.runtime.start(&world.item).await.unwrap_err();
    assert!(matches!(error, ProcessError::Outside { .. }), "{error}");
    assert!(fs::read_dir(elsewhere.path()).unwrap().next().is_none());
}

#[tokio::test]
async fn items_that_were_made_by_hand_lead_nowhere_else() {
    let world = World::new();
    let reference = ItemRef { repo: "e2e/e2e".parse().unwrap(), number: 42 };
    for id in ["../issue-42", "..", "", "/issue-42", "a/issue-42"] {
        let item = WorkItem { id: id.to_owned(), reference: reference.clone() };
        let error = world.runtime.start(&item).await.unwrap_err();
        assert!(matches!(error, ProcessError::Outside { .. }), "{id:?}: {error}");
    }
}

#[test]
fn a_config_that_was_made_by_hand_keeps_to_the_rules_of_those_that_are_read() {
    let mut config = ProcessConfig::default();
    config.workflow.spec_dir = "../specs".to_owned();
    config.workflow.phase_label_prefix = " ".to_owned();
    config.authorized_users = vec!["owner".to_owned(), "@owner".to_owned()];
    config.testing.command = vec![String::new()];
    let (control, log) = (Arc::new(FakeControlPlane::new("bot")), Arc::new(MemoryLog::default()));
    let faults = ProcessRuntime::new("/nowhere", config, control, log).err().unwrap();
    insta::assert_snapshot!(faults, @r#"
    config: workflow.specDir: "../specs" is no folder of the checkout; expected a relative path without .., as in "docs/specs"
    config: workflow.phaseLabelPrefix: a prefix is needed: without one all labels would be the process's own
    config: authorizedUsers: "@owner" is no user; expected a name as in "owner", without @
    config: testing.command: the program is empty; leave the list out where there are no tests
    "#);
}

#[tokio::test]
async fn an_item_needs_a_repository_where_it_is_discussed() {
    let world = World::new();
    let error = world.runtime.item("issue").unwrap_err().to_string();
    assert_eq!(
        error,
        "\"issue\" is no work item: it must end in the number of an issue, as \"issue-42\" does"
    );
}

/// What every verb says of a state that reads so.
async fn refusal(world: &World, text: &str) -> String {
    fs::write(world.folder().join(STATE_FILE), text).unwrap();
    let error = world.runtime.advance(&world.item, None).await.unwrap_err().to_string();
    assert_eq!(world.runtime.state(&world.item).unwrap_err().to_string(), error);
    assert_eq!(world.runtime.start(&world.item).await.unwrap_err().to_string(), error);
    assert_eq!(world.state_file(), text, "it is left as it is");
    assert!(world.told().is_empty());
    let place = world.folder().join(STATE_FILE);
    let error = error.strip_prefix(place.as_str()).unwrap_or_else(|| panic!("names no file: {error}"));
    error.split_once("; put back the file").unwrap_or_else(|| panic!("gives no advice: {error}")).0.to_owned()
}

#[tokio::test]
async fn a_state_that_is_not_whole_is_an_error_that_names_the_file() {
    let world = World::at("draft").await;
    let whole = world.state_file();
    assert_eq!(refusal(&world, "").await, ": EOF while parsing a value at line 1 column 0");
    assert!(refusal(&world, &whole[..whole.len() / 2]).await.contains("EOF while parsing"));
    let lacking = whole.replace("\"status\"", "\"mood\"");
    assert!(refusal(&world, &lacking).await.starts_with(": missing field `status`"));
    let invented = whole.replace("\"running\"", "\"resting\"");
    assert!(refusal(&world, &invented).await.starts_with(": unknown variant `resting`"));
    let huge = format!("{whole}{}", " ".repeat(1 << 20));
    assert_eq!(refusal(&world, &huge).await, ": larger than 1048576 bytes");
}

#[tokio::test]
async fn a_state_that_is_not_this_items_is_refused() {
    let world = World::at("build").await;
    let whole = world.state_file();
    let cases = [
        (
            "\"graph\": \"errand\"",
            "\"graph\": \"chore\"",
            ": graph: the item walks \"chore\", and this runtime is of \"errand\"",
        ),
        ("issue-42", "issue-41", ": work_item: this is the state of \"issue-41\", not of \"issue-42\""),
        (
            "\"current_node\": \"build\"",
            "\"current_node\": \"biuld\"",
            ": current_node: graph errand has no node \"biuld\"",
        ),
        ("\"sketch\"", "\"skech\"", ": behind: graph errand has no node \"skech\""),
        ("\"sketch\"", "\"build\"", ": behind: \"build\" is where the item stands"),
    ];
    for (good, bad, reason) in cases {
        assert!(whole.contains(good), "{good}");
        assert_eq!(refusal(&world, &whole.replace(good, bad)).await, reason);
    }
}

#[tokio::test]
async fn a_state_of_another_version_is_refused_by_its_version_whatever_its_shape() {
    let world = World::at("draft").await;
    let (place, whole) = (world.folder().join(STATE_FILE), world.state_file());
    let later = [
        (whole.replace("\"version\": 1", "\"version\": 2"), "2"),
        ("{\"version\": 7, \"pointer\": [\"draft\"]}".to_owned(), "7"),
        ("{\"version\": \"next\"}".to_owned(), "\"next\""),
    ];
    for (text, version) in later {
        fs::write(&place, text).unwrap();
        let error = world.runtime.advance(&world.item, None).await.unwrap_err().to_string();
        let reason =
            format!("version {version} is one this program does not know (it knows 1); use a later one");
        assert_eq!(error, format!("{place}: {reason}"));
    }
}

#[tokio::test]
async fn fields_that_are_not_known_here_are_in_nobodys_way() {
    let world = World::at("draft").await;
    let more = world.state_file().replacen('{', "{\"mood\": {\"calm\": true},", 1);
    fs::write(world.folder().join(STATE_FILE), more.replace("\"count\"", "\"when\": 7, \"count\"")).unwrap();
    assert_eq!(world.complete("draft").await, "pass draft on pass, to approval");
}
