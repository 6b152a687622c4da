//! Files that are tests by their names, over real folders.

#![expect(clippy::unwrap_used, reason = "a test stops at what it does not expect")]

use camino::Utf8Path;
use windtunnel_discovery::{FindError, NamedFile, NamingRule, PathFilter, find};

const RULE: NamingRule = NamingRule::new("omw.test", &["toml", "yaml", "yml", "json"]);

struct Tree(tempfile::TempDir);

impl Tree {
    fn new(files: &[&str]) -> Self {
        let tree = Self(tempfile::tempdir().unwrap());
        for file in files {
            tree.file(file);
        }
        tree
    }

    fn file(&self, path: &str) {
        let path = self.root().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, "").unwrap();
    }

    fn root(&self) -> &Utf8Path {
        Utf8Path::from_path(self.0.path()).unwrap()
    }

    fn find(&self, path: &str, include: &[&str], exclude: &[&str]) -> Result<Vec<NamedFile>, FindError> {
        let filter = PathFilter::new(include.iter().copied(), exclude.iter().copied())?;
        let path = if path.is_empty() { self.root().to_owned() } else { self.root().join(path) };
        find(&path, &RULE, &filter)
    }

    fn labels(&self, path: &str, include: &[&str], exclude: &[&str]) -> Vec<String> {
        self.find(path, include, exclude).unwrap().into_iter().map(|file| file.label).collect()
    }

    fn error(&self, path: &str, include: &[&str], exclude: &[&str]) -> String {
        self.find(path, include, exclude).unwrap_err().to_string().replace(self.root().as_str(), "ROOT")
    }

    fn bases(&self, path: &str) -> Vec<(String, Vec<String>)> {
        let inner = |base: &Utf8Path| base.strip_prefix(self.root()).unwrap().to_string();
        self.find(path, &[], &[])
            .unwrap()
            .into_iter()
            .map(|file| (file.label, file.bases.iter().map(|base| inner(base)).collect()))
            .collect()
    }
}

#[test]
fn tests_are_found_by_name_in_the_order_of_their_paths() {
    let tree = Tree::new(&[
        "b/omw.test.toml",
        "b/login.omw.test.YAML",
        "a-b/omw.test.json",
        "a/deep/er/omw.test.yml",
        "omw.test.toml",
        "omw.test.base.toml",
        "a/omw.toml",
        "a/omw.test.template.toml",
    ]);
    let expected = [
        "a/deep/er/omw.test.yml",
        "a-b/omw.test.json",
        "b/login.omw.test.YAML",
        "b/omw.test.toml",
        "omw.test.toml",
    ];
    assert_eq!(tree.labels("", &[], &[]), expected);
    assert_eq!(tree.labels("./b/../a/", &[], &[]), ["deep/er/omw.test.yml"]);
}

#[test]
fn a_file_is_taken_whatever_its_name_and_called_by_it() {
    let tree = Tree::new(&["a/other.toml", "a/omw.test.toml", "a/omw.test.base.yaml", "omw.test.base.toml"]);
    assert_eq!(tree.bases("a/other.toml"), [("other.toml".into(), vec!["a/omw.test.base.yaml".into()])]);
    assert_eq!(
        tree.error("a/omw.test.base.yaml", &[], &[]),
        "ROOT/a/omw.test.base.yaml is no test: base files are inherited by the tests in and below their folder"
    );
}

#[test]
fn hidden_folders_are_skipped_and_ignore_files_are_not_asked() {
    let tree = Tree::new(&[
        ".hidden/omw.test.toml",
        "a/.git/omw.test.toml",
        "a/ignored/omw.test.toml",
        "a/.hidden.omw.test.toml",
        ".dot/root/omw.test.toml",
    ]);
    std::fs::write(tree.root().join(".gitignore"), "ignored\n").unwrap();
    std::fs::write(tree.root().join(".ignore"), "ignored\n").unwrap();
    assert_eq!(tree.labels("", &[], &[]), ["a/.hidden.omw.test.toml", "a/ignored/omw.test.toml"]);
    assert_eq!(tree.labels(".dot", &[], &[]), ["root/omw.test.toml"], "the path itself may be hidden");
}

#[cfg(unix)]
#[test]
fn symlinks_to_files_are_taken_and_symlinks_to_folders_are_not_followed() {
    use std::os::unix::fs::symlink;

    let tree = Tree::new(&["real/omw.test.toml", "data.toml"]);
    let link = |to: &str, at: &str| symlink(tree.root().join(to), tree.root().join(at)).unwrap();
    link("real", "linked");
    link("real", "folder.omw.test.toml");
    link("data.toml", "file.omw.test.toml");
    link("nowhere", "broken.omw.test.toml");
    let expected = ["broken.omw.test.toml", "file.omw.test.toml", "real/omw.test.toml"];
    assert_eq!(tree.labels("", &[], &[]), expected);
    assert_eq!(tree.labels("linked", &[], &[]), ["omw.test.toml"], "a path that is named is followed");
}

#[test]
fn base_files_come_from_the_path_down_to_the_folder_of_the_test_and_never_from_above() {
    let tree = Tree::new(&[
        "omw.test.base.toml",
        "a/omw.test.base.json",
        "a/omw.test.base.yaml",
        "a/b/c/omw.test.base.yml",
        "a/b/c/omw.test.toml",
        "a/omw.test.toml",
        "d/omw.test.toml",
    ]);
    let all = [
        (
            "a/b/c/omw.test.toml".into(),
            vec![
                "omw.test.base.toml".into(),
                "a/omw.test.base.yaml".into(),
                "a/b/c/omw.test.base.yml".into(),
            ],
        ),
        ("a/omw.test.toml".into(), vec!["omw.test.base.toml".into(), "a/omw.test.base.yaml".into()]),
        ("d/omw.test.toml".into(), vec!["omw.test.base.toml".into()]),
    ];
    assert_eq!(tree.bases(""), all);
    assert_eq!(tree.bases("a/b"), [("c/omw.test.toml".into(), vec!["a/b/c/omw.test.base.yml".into()])]);
}

#[test]
fn globs_select_by_label() {
    let tree =
        Tree::new(&["omw.test.toml", "a/omw.test.toml", "a/b/omw.test.toml", "a/b/slow.omw.test.toml"]);
    assert_eq!(tree.labels("", &["a/*"], &[]), ["a/omw.test.toml"]);
    assert_eq!(
        tree.labels("", &["a/**", "*"], &["**/slow*"]),
        ["a/b/omw.test.toml", "a/omw.test.toml", "omw.test.toml"]
    );
    assert_eq!(tree.labels("a", &["b/*"], &[]), ["b/omw.test.toml", "b/slow.omw.test.toml"]);
}

#[test]
fn errors_say_what_was_there_and_what_to_do() {
    let tree = Tree::new(&["empty/omw.toml", "a/1.omw.test.toml", "a/2.omw.test.toml"]);
    insta::assert_snapshot!(
        tree.error("nowhere", &[], &[]),
        @"cannot read ROOT/nowhere: No such file or directory (os error 2); name a folder with tests in it, or the file of one test"
    );
    insta::assert_snapshot!(
        tree.error("empty", &[], &[]),
        @"there is no test in ROOT/empty; tests are files named omw.test.<ext> or *.omw.test.<ext>, <ext> being toml, yaml, yml, json"
    );
    insta::assert_snapshot!(
        tree.error("", &["b"], &["a/2*"]),
        @r#"--include "b" --exclude "a/2*" selects none of the tests in ROOT; there are a/1.omw.test.toml, a/2.omw.test.toml; globs match such a path as a whole, and * stays within a folder"#
    );
    insta::assert_snapshot!(
        tree.error("", &[], &["[a"]),
        @r#"--exclude "[a" is not a glob: unclosed character class; missing ']'; for example "**/login/*", where * stays within a folder"#
    );
}

#[test]
fn a_list_of_many_tests_is_cut() {
    let names: Vec<String> = (0..20).map(|n| format!("{n:02}.omw.test.toml")).collect();
    let tree = Tree::new(&names.iter().map(String::as_str).collect::<Vec<_>>());
    let error = tree.error("", &["x"], &[]);
    assert!(error.contains("07.omw.test.toml and 12 more;"), "{error}");
}

#[test]
fn folders_that_lie_too_deep_are_an_error() {
    let tree = Tree::new(&["omw.test.toml"]);
    let deep = ["d"; 101].join("/");
    std::fs::create_dir_all(tree.root().join(&deep)).unwrap();
    let error = tree.error("", &[], &[]);
    assert!(error.starts_with("folders are nested more than 100 levels deep at ROOT/d/d/"), "{error}");
}
