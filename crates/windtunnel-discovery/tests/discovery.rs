//! Finding, owning and selecting, over real folders.

#![expect(clippy::unwrap_used, reason = "a test stops at what it does not expect")]

use camino::{Utf8Path, Utf8PathBuf};
use windtunnel_api::{ReferenceCase, ReferenceDecision, Scenario};
use windtunnel_discovery::{Found, Selection, SelectionError, discover, load_pack};
use windtunnel_gate::{Checks, Judgement};

struct Tree(tempfile::TempDir);

impl Tree {
    fn new(files: &[(&str, &str)]) -> Self {
        let tree = Self(tempfile::tempdir().unwrap());
        for (path, text) in files {
            let path = tree.root().join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        tree
    }

    fn root(&self) -> &Utf8Path {
        Utf8Path::from_path(self.0.path()).unwrap()
    }

    fn discover(&self, paths: &[&str]) -> Result<Vec<Found>, String> {
        let paths: Vec<Utf8PathBuf> = paths.iter().map(|path| self.root().join(path)).collect();
        discover(&paths).map_err(|problems| problems.to_string().replace(self.root().as_str(), "ROOT"))
    }
}

fn names(found: &[Found]) -> Vec<String> {
    found.iter().map(|one| format!("{}/{}", one.pack.name(), one.scenario().name)).collect()
}

/// A scenario of this name in TOML.
fn toml(name: &str) -> String {
    format!("name = \"{name}\"\nprompt = \"p\"\ntarget_facts = [[\"f\"]]\n")
}

fn tree(files: &[(&str, String)]) -> Tree {
    Tree::new(&files.iter().map(|(path, text)| (*path, text.as_str())).collect::<Vec<_>>())
}

fn pack(name: &str) -> String {
    format!("name = \"{name}\"\n")
}

#[test]
fn all_three_formats_are_found_and_belong_to_the_nearest_pack() {
    let tree = tree(&[
        ("pack.toml", pack("outer")),
        ("a.scenario.toml", toml("a")),
        ("b.scenario.yaml", "name: b\nprompt: p\ntarget_facts: [[f]]\n".into()),
        ("sub/c.scenario.json", r#"{"name": "c", "prompt": "p", "target_facts": [["f"]]}"#.into()),
        ("inner/pack.toml", pack("inner")),
        ("inner/deep/d.scenario.yml", "name: d\nprompt: p\ntarget_facts: [[f]]\n".into()),
        ("notes.toml", "not a scenario".into()),
        (".scenario.toml", "no stem, no scenario".into()),
    ]);
    assert_eq!(names(&tree.discover(&["."]).unwrap()), ["outer/a", "outer/b", "inner/d", "outer/c"]);
}

#[test]
fn a_scenario_file_and_a_pack_file_can_be_named() {
    let tree = tree(&[
        ("p/pack.toml", pack("p")),
        ("p/a.scenario.toml", toml("a")),
        ("p/b.scenario.toml", toml("b")),
    ]);
    assert_eq!(names(&tree.discover(&["p/b.scenario.toml"]).unwrap()), ["p/b"]);
    assert_eq!(names(&tree.discover(&["p/pack.toml"]).unwrap()), ["p/a", "p/b"]);
    assert_eq!(names(&tree.discover(&["p/a.scenario.toml", "p"]).unwrap()), ["p/a", "p/b"], "each once");
    assert_eq!(names(&tree.discover(&["p", "p/../p"]).unwrap()), ["p/a", "p/b"], "each once");
    let both = tree.discover(&["p/a.scenario.toml", "p/../p/b.scenario.toml"]).unwrap();
    assert_eq!(names(&both), ["p/b", "p/a"], "and their pack once");
}

#[test]
fn hidden_and_ignored_folders_are_skipped_but_not_when_they_are_named() {
    let tree = tree(&[
        ("pack.toml", pack("p")),
        (".gitignore", "built/\n".into()),
        ("a.scenario.toml", toml("a")),
        (".hidden/b.scenario.toml", toml("b")),
        ("built/c.scenario.toml", toml("c")),
    ]);
    assert_eq!(names(&tree.discover(&["."]).unwrap()), ["p/a"]);
    assert_eq!(names(&tree.discover(&[".hidden"]).unwrap()), ["p/b"]);
}

#[test]
fn duplicate_names_are_an_error_that_names_both_files() {
    let tree = tree(&[
        ("x/pack.toml", pack("x")),
        ("x/one.scenario.toml", toml("same")),
        ("y/pack.toml", pack("y")),
        ("y/two.scenario.toml", toml("same")),
    ]);
    insta::assert_snapshot!(tree.discover(&["."]).unwrap_err(), @r#"ROOT/y/two.scenario.toml:1:8: name: the scenario name "same" is taken by ROOT/x/one.scenario.toml; scenario names are unique within a run; rename one of the two"#);
}

#[test]
fn duplicate_pack_names_are_an_error_that_names_both_files() {
    let tree = tree(&[
        ("x/pack.toml", pack("same")),
        ("x/a.scenario.toml", toml("a")),
        ("y/pack.toml", pack("same")),
        ("y/b.scenario.toml", toml("b")),
    ]);
    insta::assert_snapshot!(tree.discover(&["."]).unwrap_err(), @r#"ROOT/y/pack.toml:1:8: name: the pack name "same" is taken by ROOT/x/pack.toml; pack names are unique within a run; rename one of the two"#);
}

#[test]
fn a_scenario_without_a_pack_says_what_a_pack_is() {
    let tree = tree(&[("a.scenario.toml", toml("a"))]);
    insta::assert_snapshot!(tree.discover(&["."]).unwrap_err(), @"ROOT/a.scenario.toml: no pack.toml in the scenario's folder or any folder above; a pack is a folder with a pack.toml; `wt new <dir>` makes one");
}

#[test]
fn the_faults_of_all_files_are_reported_together() {
    let tree = tree(&[
        ("pack.toml", "name = \"p\"\nruntim = \"loop\"\n".into()),
        ("a.scenario.toml", "name = \"a\"\nprompt = 3\n".into()),
        (
            "b.scenario.toml",
            "name = \"b\"\nprompt = \"p\"\ntrajectory = [{ role = \"user\", content = \"(\" }]\n".into(),
        ),
    ]);
    let problems = tree.discover(&["."]).unwrap_err();
    for part in [
        "pack.toml:2:1: runtim:",
        "a.scenario.toml:2:10: prompt:",
        "b.scenario.toml:3:42: trajectory[0].content:",
    ] {
        assert!(problems.contains(part), "{part} is not in\n{problems}");
    }
}

#[test]
fn workspace_files_have_to_lie_inside_the_pack_once_symlinks_are_resolved() {
    let tree = tree(&[
        ("outside/secret.txt", "x".into()),
        ("p/a.scenario.toml", toml("a")),
        ("p/pack.toml", "name = \"p\"\n[workspace]\nfiles = \"link\"\n".into()),
    ]);
    #[cfg(unix)]
    std::os::unix::fs::symlink(tree.root().join("outside"), tree.root().join("p/link")).unwrap();
    let problems = tree.discover(&["p"]).unwrap_err();
    assert!(problems.contains("p/pack.toml:3:9: workspace.files: link leads out of the pack"), "{problems}");
}

const UNIVERSE: &str = r#"{
  "windtunnel_universe": 1,
  "tools": [{"name": "get_order", "input_schema": {"type": "object"}}],
  "recordings": [{"tool_name": "get_order", "result": 1}]
}"#;

#[test]
fn a_universe_file_is_checked_before_anything_runs() {
    let manifest =
        |file: &str| format!("name = \"p\"\n[tools.orders]\nkind = \"universe\"\nfile = \"{file}\"\n");
    for (file, text, problem) in [
        ("orders.universe.json", UNIVERSE.to_owned(), None),
        (
            "orders.universe.json",
            UNIVERSE.replace("\"tool_name\": \"get_order\"", "\"tool_name\": \"get_ordr\""),
            Some(
                "p/orders.universe.json:4:32: recordings[0].tool_name: no tool is called \"get_ordr\"; did you mean \"get_order\"?",
            ),
        ),
        (
            "orders.universe.json",
            UNIVERSE.replace("\"windtunnel_universe\": 1", "\"windtunnel_universe\": 7"),
            Some("p/orders.universe.json:2:26: windtunnel_universe: expected version 1, found 7"),
        ),
        (
            "gone.json",
            UNIVERSE.to_owned(),
            Some("p/pack.toml:4:8: tools.orders.file: cannot read the file gone.json"),
        ),
        (".", UNIVERSE.to_owned(), Some("p/pack.toml:4:8: tools.orders.file: . is not a file")),
        (
            "../q.json",
            UNIVERSE.to_owned(),
            Some("p/pack.toml:4:8: tools.orders.file: expected a file inside the pack, found \"../q.json\""),
        ),
    ] {
        let tree = tree(&[
            ("p/a.scenario.toml", toml("a")),
            ("p/pack.toml", manifest(file)),
            ("p/orders.universe.json", text),
        ]);
        match (tree.discover(&["p"]), problem) {
            (Ok(_), None) => {}
            (Err(problems), Some(problem)) => assert!(problems.contains(problem), "{problems}"),
            (found, _) => panic!("{file}: {found:?}"),
        }
    }
}

#[cfg(unix)]
#[test]
fn a_universe_file_has_to_lie_inside_the_pack_once_symlinks_are_resolved() {
    let tree = tree(&[
        ("outside.json", UNIVERSE.into()),
        ("p/a.scenario.toml", toml("a")),
        ("p/pack.toml", "name = \"p\"\n[tools.orders]\nkind = \"universe\"\nfile = \"link.json\"\n".into()),
    ]);
    std::os::unix::fs::symlink(tree.root().join("outside.json"), tree.root().join("p/link.json")).unwrap();
    let problems = tree.discover(&["p"]).unwrap_err();
    assert!(
        problems.contains("p/pack.toml:4:8: tools.orders.file: link.json leads out of the pack"),
        "{problems}"
    );
}

#[test]
fn a_scenario_built_in_rust_is_a_member_of_a_folders_pack() {
    let tree = tree(&[("p/pack.toml", pack("p")), ("p/a.scenario.toml", toml("a"))]);
    let pack = load_pack(&tree.root().join("p")).unwrap();
    let built = Found::new(
        &pack,
        Scenario::new("b", "p"),
        Checks::new().outcome(|trace| Judgement::of(trace.answer().is_some(), "there is an answer")),
    )
    .unwrap();
    assert!(!built.gate.is_rescorable());
    let mut all = tree.discover(&["p"]).unwrap();
    assert_eq!(all[0].pack.dir, built.pack.dir);
    all.push(built);
    assert_eq!(names(&Selection::new().packs(["p"]).select(all).unwrap()), ["p/a", "p/b"]);
}

#[test]
fn faults_of_what_is_built_in_rust_are_told_by_name_and_field() {
    let tree = tree(&[("p/pack.toml", pack("p")), ("q/pack.toml", "nmae = \"q\"\n".into())]);
    let shown =
        |problems: windtunnel_doc::Diagnostics| problems.to_string().replace(tree.root().as_str(), "ROOT");
    let twice = || ReferenceCase::golden("twice", [ReferenceDecision::says("f")]);
    let scenario = Scenario {
        target_facts: vec![vec!["f".into()]],
        reference_cases: vec![twice(), twice()],
        ..Scenario::new("b", "")
    };
    let pack = load_pack(&tree.root().join("p")).unwrap();
    insta::assert_snapshot!(shown(Found::new(&pack, scenario, Checks::new()).unwrap_err()), @r#"
    scenario "b": prompt: there is nothing to ask: `prompt` and `user_turns` are both empty; add `prompt = "…"`
    scenario "b": reference_cases[1].name: the name "twice" is used by an earlier case; names are unique within a scenario
    "#);
    insta::assert_snapshot!(shown(load_pack(&tree.root().join("q")).unwrap_err()), @r#"ROOT/q/pack.toml:1:1: nmae: unknown field "nmae"; expected one of name, owner, tags, runtime, tools, workspace, probe; did you mean "name"?"#);
    insta::assert_snapshot!(shown(load_pack(&tree.root().join("none")).unwrap_err()), @"ROOT/none/pack.toml: cannot read: No such file or directory (os error 2)");
}

#[test]
fn selectors_of_one_kind_are_alternatives_and_kinds_match_together() {
    let tree = tree(&[
        ("x/pack.toml", "name = \"x\"\nowner = \"ann\"\ntags = [\"slow\"]\n".into()),
        ("x/a1.scenario.toml", toml("a1") + "tags = [\"smoke\"]\n"),
        ("x/a2.scenario.toml", toml("a2")),
        ("y/pack.toml", "name = \"y\"\nowner = \"bob\"\n".into()),
        ("y/b1.scenario.toml", toml("b1") + "tags = [\"smoke\"]\n"),
    ]);
    let all = tree.discover(&["."]).unwrap();
    let pick = |selection: Selection| names(&selection.select(all.clone()).unwrap());
    let none = Selection::new;
    assert_eq!(pick(none()), ["x/a1", "x/a2", "y/b1"]);
    assert_eq!(pick(none().scenarios(["a*"]).unwrap()), ["x/a1", "x/a2"]);
    assert_eq!(pick(none().scenarios(["a1", "b?"]).unwrap()), ["x/a1", "y/b1"]);
    assert_eq!(pick(none().tags(["slow"])), ["x/a1", "x/a2"], "a pack's tags are its scenarios' too");
    assert_eq!(pick(none().tags(["smoke"]).packs(["x"])), ["x/a1"]);
    assert_eq!(pick(none().owners(["bob"])), ["y/b1"]);
    let refused = |selection: Selection| selection.select(all.clone()).err().unwrap();
    assert_eq!(refused(none().packs(["y"]).owners(["ann"])), SelectionError::Disjoint);
    insta::assert_snapshot!(refused(none().scenarios(["a3"]).unwrap()), @r#"--scenario "a3" matches nothing; did you mean "a1"? known are a1, a2, b1"#);
    insta::assert_snapshot!(refused(none().tags(["smoky"])), @r#"--tag "smoky" matches nothing; did you mean "smoke"? known are slow, smoke"#);
    assert!(matches!(none().scenarios(["a["]), Err(SelectionError::Glob { .. })));
}

#[test]
fn nothing_found_says_how_scenario_files_are_named() {
    let tree = tree(&[("pack.toml", pack("p"))]);
    assert_eq!(
        Selection::new().select(tree.discover(&["."]).unwrap()).err(),
        Some(SelectionError::NothingFound)
    );
}
