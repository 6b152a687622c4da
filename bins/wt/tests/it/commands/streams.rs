//! Which stream gets what, in which colours, and what happens when nobody reads it.

use crate::harness::{CallWt, desk};
use windtunnel_testkit::Folder;

const STYLED: char = '\u{1b}';

#[test]
fn a_reader_that_leaves_early_is_no_error() {
    let folder = Folder::example("quickstart");
    for line in [
        "list",
        "list --format json",
        "schema scenario",
        "completions bash",
        "selftest --format json",
        "selftest",
        "--help",
        "schema cli",
    ] {
        let shown =
            folder.shell_wt(&format!("{{ $WT {line}; echo $? > code; }} | head -c 1 > /dev/null")).succeeds();
        assert_eq!(folder.read("code"), "0\n", "{line}: {shown}");
        folder.shell_wt(&format!("$WT {line} | true")).succeeds();
    }
}

#[test]
fn nothing_is_coloured_in_a_pipe() {
    let folder = desk();
    let shown = folder.wt("selftest").without_env("NO_COLOR").succeeds();
    assert!(!format!("{shown}").contains(STYLED), "{shown}");
}

#[test]
fn colours_can_be_asked_for() {
    let folder = desk();
    for wt in [
        folder.wt("selftest --color always"),
        folder.wt("selftest").without_env("NO_COLOR").env("CLICOLOR_FORCE", "1"),
    ] {
        assert!(wt.succeeds().stdout.contains(STYLED));
    }
    let refused = folder.wt("selftest packs --color always").exits(2);
    assert!(refused.stderr.contains(STYLED), "{refused}");
    let refused = folder.wt("selftest packs --color never").without_env("NO_COLOR").exits(2);
    assert!(!refused.stderr.contains(STYLED), "{refused}");
}

#[test]
fn the_report_has_standard_output_to_itself() {
    let folder = desk();
    let shown = folder.wt("selftest --format json --color always").succeeds();
    shown.json::<serde_json::Value>();
    shown.complains("2 cases").complains("\u{1b}[");
}

#[test]
fn nothing_is_read_from_standard_input() {
    let folder = desk();
    folder.shell_wt("yes | $WT selftest > out; grep -q '2 PASS' out").succeeds();
}
