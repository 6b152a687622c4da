//! Manifests that were made to do harm.

use std::fmt::Write as _;

use proptest::prelude::*;
use windtunnel_process::scenario::{Scenario, ScenarioError};

use crate::kit::{Folder, graph};

fn head(rest: &str) -> String {
    format!("name: errand\nworkItem: issue-42\n{rest}")
}

#[test]
fn a_bomb_of_aliases_is_refused_before_it_goes_off() {
    let mut bomb = head("steps: []\nexpect:\n  a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n");
    for level in 1..9 {
        let below = vec![format!("*a{}", level - 1); 10].join(", ");
        writeln!(bomb, "  a{level}: &a{level} [{below}]").unwrap();
    }
    let told = Folder::with(&bomb).refusal();
    assert!(told.starts_with("ScenarioFormatError: [dir]/errand/scenario.yaml:"), "{told}");
    assert!(told.contains("alias"), "{told}");
}

#[test]
fn depth_size_and_number_have_their_limits() {
    let deep = format!("steps: []\nexpect: {}{}\n", "[".repeat(40), "]".repeat(40));
    let large = format!("steps: []\n# {}\n", "x".repeat(256 * 1024));
    let many = format!("steps:\n{}", "  - advance\n".repeat(2_001));
    let told = [deep, large, many].map(|rest| Folder::of(&rest).refusal());
    insta::assert_snapshot!(told.join("\n\n"));
}

#[test]
fn as_many_steps_as_are_allowed_are_read() {
    let folder =
        Folder::of(&format!("steps:\n{}expect: {{finalNode: plan}}\n", "  - advance\n".repeat(2_000)));
    assert_eq!(folder.load().unwrap().steps().len(), 2_000);
}

#[test]
fn what_yaml_would_leave_open_is_refused() {
    let twice = "steps: []\nsteps: []\nexpect: {finalNode: plan}\n";
    let several = "steps: []\nexpect: {finalNode: plan}\n---\nsteps: []\n";
    let tagged = "steps: !!python/object/apply:os.system [ls]\n";
    let told = [twice, several, tagged].map(|rest| Folder::of(rest).refusal());
    insta::assert_snapshot!(told.join("\n\n"));
}

#[test]
fn what_is_no_text_is_refused() {
    let folder = Folder::of("");
    folder.write("scenario.yaml", b"name: \xff\xfe\n");
    insta::assert_snapshot!(folder.refusal());
}

#[test]
fn many_faults_are_not_all_told() {
    let folder = Folder::of(&format!("steps:\n{}", "  - fly\n".repeat(1_000)));
    let Err(ScenarioError::Format(faults)) = folder.load() else { panic!("a fault was expected") };
    assert!(faults.len() <= 51, "{}", faults.len());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn no_text_makes_the_reader_panic(text in "\\PC{0,200}|[a-z{}\\[\\]:,\\-~ \n&*!]{0,300}") {
        let folder = Folder::with(&text);
        let _ = Scenario::load(&folder.path(), &graph());
    }

    /// Texts that are nearly manifests get further.
    #[test]
    fn no_manifest_makes_the_reader_panic(
        kind in "(comment|emit|complete|advance|ask|reply|inner-loop|fail-github|restore-github|expect|x)",
        body in "(\\{[a-z]{1,8}: [a-z0-9~./\\-]{1,12}(, [a-zA-Z]{1,8}: [\\[\\]a-z0-9]{0,6})?\\}|[a-z~0-9]{0,5}|\\[[a-z, $]{0,9}\\])",
        field in "(nodes|labels|events|finalNode|status|completed|parked|executionLog|lockedBeforeImplementation|y)",
        value in "(\\[[a-z~, {}:$]{0,20}\\]|\\{[$a-z: ]{0,12}\\}|[a-z~0-9|./]{0,10})",
    ) {
        let folder = Folder::of(&format!("steps:\n  - {kind}: {body}\nexpect:\n  {field}: {value}\n"));
        let _ = Scenario::load(&folder.path(), &graph());
    }
}
