//! Folders that are tests, over real folders.

#![expect(clippy::unwrap_used, reason = "a test stops at what it does not expect")]

use std::fs;

use camino::{Utf8Path, Utf8PathBuf};
use windtunnel_discovery::{
    FolderRule, Selection, SelectionError, TestFolder, discover_beside, find_folders,
};

const RULE: FolderRule = FolderRule { manifest: "scenario.yaml", contents: "artifacts" };

struct Tree(tempfile::TempDir);

impl Tree {
    /// A tree of empty files; one whose path ends in `/` is a folder.
    fn new(files: &[&str]) -> Self {
        let tree = Self(tempfile::tempdir().unwrap());
        for file in files {
            let path = tree.root().join(file);
            if file.ends_with('/') {
                fs::create_dir_all(path).unwrap();
            } else {
                fs::create_dir_all(path.parent().unwrap()).unwrap();
                fs::write(path, "").unwrap();
            }
        }
        tree
    }

    fn root(&self) -> &Utf8Path {
        Utf8Path::from_path(self.0.path()).unwrap()
    }

    fn find(&self, paths: &[&str]) -> Result<Vec<TestFolder>, String> {
        let paths: Vec<Utf8PathBuf> = paths.iter().map(|path| self.root().join(path)).collect();
        find_folders(&paths, &RULE, Some(&self.root().join("s/runs")))
            .map_err(|problems| problems.to_string().replace(self.root().as_str(), "ROOT"))
    }

    /// What is found, as `Standing path`.
    fn shown(&self, paths: &[&str]) -> Vec<String> {
        let path = |folder: &TestFolder| folder.path.strip_prefix(self.root()).unwrap().to_string();
        let found = self.find(paths).unwrap();
        found.iter().map(|folder| format!("{:?} {}", folder.standing, path(folder))).collect()
    }
}

#[test]
fn tests_are_found_at_any_depth_and_nothing_inside_of_them() {
    let tree = Tree::new(&[
        "a/scenario.yaml",
        "a/artifacts/inner/scenario.yaml",
        "deep/er/b/scenario.yaml",
        "deep/er/c/scenario.yaml",
        "deep/notes.md",
        ".hidden/d/scenario.yaml",
        "built/e/scenario.yaml",
    ]);
    fs::write(tree.root().join(".gitignore"), "built/\n").unwrap();
    assert_eq!(tree.shown(&["deep"]), ["Test deep/er/b", "Test deep/er/c"]);
    assert_eq!(tree.shown(&["a"]), ["Test a"], "the folder above is not asked for");
    assert_eq!(tree.shown(&["a/scenario.yaml", "a", "deep/../a"]), ["Test a"], "each once");
    assert_eq!(tree.shown(&["built"]), ["Test built/e"], "named itself");
    assert_eq!(tree.shown(&[".hidden/d"]), ["Test .hidden/d"], "named itself");
    assert_eq!(
        tree.shown(&["."]),
        ["Test a", "BesideTests built", "BesideTests deep", "Test deep/er/b", "Test deep/er/c"],
        "what lies beside a test should be one"
    );
}

#[test]
fn a_folder_of_tests_holds_nothing_else() {
    let tree = Tree::new(&["s/a/scenario.yaml", "s/b/artifacts/design.md", "s/c/", "s/.git/", "s/README.md"]);
    assert_eq!(tree.shown(&["s"]), ["Test s/a", "BesideTests s/b", "BesideTests s/c"]);
    assert_eq!(tree.shown(&["."]), tree.shown(&["s"]));
}

#[test]
fn ignore_files_hide_nothing_in_a_folder_of_tests() {
    let tree = Tree::new(&[
        "s/a/scenario.yaml",
        "s/b/scenario.yaml",
        "s/c/",
        "s/.d/scenario.yaml",
        "s/b/e/",
        "t/b/scenario.yaml",
    ]);
    fs::create_dir_all(tree.root().join(".git/info")).unwrap();
    for (file, text) in [(".gitignore", "b/\n"), ("s/.gitignore", "*\n!a/\n"), (".git/info/exclude", "c/\n")]
    {
        fs::write(tree.root().join(file), text).unwrap();
    }
    let all = ["Test s/a", "Test s/b", "BesideTests s/c"];
    assert_eq!(tree.shown(&["s"]), all);
    assert_eq!(tree.shown(&["."]), all, "further up they do hide");
    assert_eq!(tree.shown(&["t"]), [""; 0], "and where nothing else is a test");
}

#[test]
fn the_folder_that_runs_write_to_is_no_test_without_a_manifest() {
    let tree = Tree::new(&["s/a/scenario.yaml", "s/runs/process/a/log"]);
    assert_eq!(tree.shown(&["s"]), ["Test s/a"]);
    let tree = Tree::new(&["s/a/scenario.yaml", "s/runs/scenario.yaml", "s/b/runs/"]);
    assert_eq!(tree.shown(&["s"]), ["Test s/a", "BesideTests s/b", "Test s/runs"]);
}

#[test]
fn a_folder_with_a_tests_contents_was_meant_as_one() {
    let tree = Tree::new(&[
        "bare/artifacts/design.md",
        "pack/artifacts/",
        "pack/pack.toml",
        "empty/",
        "good/scenario.yaml",
    ]);
    assert_eq!(tree.shown(&["bare"]), ["Named bare"]);
    assert_eq!(tree.shown(&["bare", "good"]), ["Named bare", "Test good"]);
    assert_eq!(tree.shown(&["pack"]), [""; 0], "it is a pack");
    assert_eq!(tree.shown(&["empty"]), [""; 0]);
}

#[cfg(unix)]
#[test]
fn a_symlink_beside_tests_is_neither_followed_nor_left_out() {
    use std::os::unix::fs::symlink;

    let tree = Tree::new(&["s/a/scenario.yaml", "elsewhere/real/scenario.yaml", "other/sub/"]);
    symlink(tree.root().join("elsewhere/real"), tree.root().join("s/link")).unwrap();
    symlink(tree.root().join("nowhere"), tree.root().join("s/dangling")).unwrap();
    symlink(tree.root().join("s"), tree.root().join("other/link")).unwrap();
    assert_eq!(tree.shown(&["s"]), ["Test s/a", "Link s/link"]);
    assert_eq!(tree.shown(&["other"]), [""; 0], "not followed");
    let named = tree.find(&["s/link"]).unwrap();
    assert_eq!((named.len(), named[0].name.as_str()), (1, "real"), "what is named is followed");
}

#[test]
fn two_folders_of_one_name_are_refused_by_both_their_paths() {
    let tree = Tree::new(&["x/a/scenario.yaml", "y/a/scenario.yaml", "z/a/artifacts/", "z/b/scenario.yaml"]);
    insta::assert_snapshot!(tree.find(&["."]).unwrap_err(), @r#"
    ROOT/y/a: the scenario name "a" is taken by ROOT/x/a; scenario names are unique within a run; rename one of the two folders
    ROOT/z/a: the scenario name "a" is taken by ROOT/x/a; scenario names are unique within a run; rename one of the two folders
    "#);
}

#[test]
fn a_path_that_is_not_there_is_said() {
    let tree = Tree::new(&["a/scenario.yaml"]);
    insta::assert_snapshot!(tree.find(&["a", "nowhere"]).unwrap_err(), @"ROOT/nowhere: cannot read: No such file or directory (os error 2); name a folder with a scenario.yaml, or a folder of such folders");
}

#[cfg(unix)]
#[test]
fn what_cannot_be_looked_into_beside_or_inside_of_a_test_concerns_nobody_else() {
    use std::os::unix::fs::PermissionsExt as _;

    let tree = Tree::new(&[
        "s/a/scenario.yaml",
        "s/b/artifacts/locked/",
        "s/b/scenario.yaml",
        "s/c/deep/locked/",
        "s/locked/",
        "t/locked/",
    ]);
    let lock = |path: &str, mode| {
        fs::set_permissions(tree.root().join(path), fs::Permissions::from_mode(mode)).unwrap();
    };
    let locked = ["s/b/artifacts/locked", "s/c/deep/locked", "s/locked", "t/locked"];
    for path in locked {
        lock(path, 0o000);
    }
    // Nothing is locked for root.
    if fs::read_dir(tree.root().join("s/locked")).is_err() {
        assert_eq!(tree.shown(&["s"]), ["Test s/a", "Test s/b", "BesideTests s/c", "Unreadable s/locked"]);
        let paths = [tree.root().join("s")];
        let folders = find_folders(&paths, &RULE, None).unwrap();
        assert!(discover_beside(&paths, &folders, true).unwrap().is_empty());
        let refused = tree.find(&["."]).unwrap_err();
        assert!(
            refused.contains("cannot look through: ")
                && refused.contains("t/locked")
                && !refused.contains("/s/"),
            "{refused}"
        );
    }
    for path in locked {
        lock(path, 0o700);
    }
}

#[cfg(unix)]
#[test]
fn a_name_beside_tests_that_is_not_utf_8_is_said() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt as _;

    let tree = Tree::new(&["s/a/scenario.yaml", "other/notes.md"]);
    let odd = OsStr::from_bytes(b"odd-\xff");
    fs::create_dir(tree.root().join("other").as_std_path().join(odd)).unwrap();
    assert_eq!(tree.shown(&["."]), ["Test s/a"], "elsewhere it is nobody's concern");
    fs::create_dir(tree.root().join("s").as_std_path().join(odd)).unwrap();
    let refused = tree.find(&["s"]).unwrap_err();
    assert_eq!(refused, "ROOT/s/odd-\u{fffd}: the path of this scenario is not UTF-8; rename the folder");
}

#[test]
fn folders_are_selected_by_their_names_alone() {
    let tree = Tree::new(&["s/one/scenario.yaml", "s/two/scenario.yaml"]);
    let all = tree.find(&["s"]).unwrap();
    let selected = Selection::new().scenarios(["t*"]).unwrap().select(all.clone()).unwrap();
    assert_eq!(selected.iter().map(|folder| folder.name.as_str()).collect::<Vec<_>>(), ["two"]);
    let refused = Selection::new().tags(["smoke"]).select(all).unwrap_err();
    assert!(matches!(refused, SelectionError::NoMatch { flag: "--tag", .. }), "{refused}");
}
