//! Dumps, reports and schemas.

use serde_json::Value;

use crate::harness::{CallOmwTest, test};

const CHATS: &str = r#"let m = omw::provider::get("llm"); m.chat("gpt", [#{ content: "hi" }], []); ()"#;
const MOCK: &str =
    "[providers.llm]\nkind = \"mock\"\nturns = [{ content = \"hello\" }, { content = \"again\" }]\n";
const ASSERTED: &str =
    "[assertions.alice]\noutcome = \"completed\"\nevents = [{ kind = \"call\", op = \"chat\" }]\n";

#[test]
fn a_dump_holds_what_was_seen_and_what_the_mocks_have_left() {
    let folder = test(CHATS, &format!("{MOCK}{ASSERTED}"));
    let finished = folder.omw_test("run . --dump out/dump.json").succeeds();
    assert_eq!(finished.stdout, "PASS omw.test.toml\n1 passed, 0 failed\n");
    let dump: Value = serde_json::from_str(&folder.read("out/dump.json")).unwrap();
    let test = &dump["tests"][0];
    assert_eq!(test["test"], "omw.test.toml");
    assert_eq!(test["passed"], true);
    let alice = &test["agents"]["alice"];
    assert_eq!(
        (&alice["outcome"], &alice["cursor"], &alice["assertions"]),
        (&"completed".into(), &1.into(), &1.into())
    );
    assert_eq!(alice["observed"][0]["kind"], "call");
    assert_eq!(alice["observed"][0]["data"]["detail"]["messages"][0]["content"], "hi");
    assert_eq!(alice["observed"][1]["data"]["detail"]["result"]["content"], "hello");
    assert_eq!(test["snapshots"]["providers"]["llm"]["turns_remaining"], 1);
}

#[test]
fn dumps_have_three_formats() {
    for (format, start) in [("json", "{\n  \"tests\": ["), ("yaml", "tests:"), ("toml", "[[tests]]")] {
        let folder = test(CHATS, &format!("{MOCK}{ASSERTED}"));
        folder.omw_test(&format!("run . --dump d --dump-format {format}")).succeeds();
        assert!(folder.read("d").starts_with(start), "{}", folder.read("d"));
    }
}

#[test]
fn a_junit_report_counts_failures() {
    let folder = test(CHATS, &format!("{MOCK}[assertions.alice]\noutcome = {{ exited = \"no\" }}\n"));
    folder.omw_test("run . --junit j.xml").exits(1);
    let report = quick_junit::Report::deserialize_from_str(&folder.read("j.xml")).unwrap();
    assert_eq!((report.tests, report.failures), (1, 1));
    assert_eq!(report.test_suites[0].name.as_str(), "omw-test");
}

#[test]
fn the_schema_takes_the_examples_and_refuses_a_misspelt_key() {
    let folder = windtunnel_testkit::Folder::example("omw");
    let schema: Value = folder.omw_test("schema --output -").succeeds().json();
    let schema = jsonschema::validator_for(&schema).unwrap();
    let mut tests = 0;
    for file in folder.files("").into_iter().filter(|file| file.ends_with("omw.test.toml")) {
        let test: Value = toml::from_str(&folder.read(&file)).unwrap();
        let faults: Vec<_> = schema.iter_errors(&test).map(|fault| fault.to_string()).collect();
        assert!(faults.is_empty(), "{file}: {faults:?}");
        tests += 1;
    }
    assert_eq!(tests, 10);
    let misspelt = serde_json::json!({"assertions": {"alice": {"evnets": []}}});
    assert!(!schema.is_valid(&misspelt));
}
