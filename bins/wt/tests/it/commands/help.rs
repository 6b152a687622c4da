//! `--help`, `--version` and completions.

use crate::harness::CallWt;
use windtunnel_testkit::Folder;

/// The commands that `wt --help` lists.
pub(super) fn commands() -> Vec<String> {
    let help = Folder::new().wt("--help").succeeds().stdout;
    let listed = help.split_once("Commands:\n").unwrap().1.split_once("\n\n").unwrap().0;
    let names = listed.lines().filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    let names = names.filter_map(|line| line.split_whitespace().next()).filter(|name| *name != "help");
    names.map(ToOwned::to_owned).collect()
}

#[test]
fn the_commands_are_those_that_are_tested_here() {
    let known = [
        "selftest",
        "run",
        "list",
        "new",
        "doctor",
        "serve",
        "record",
        "surface",
        "mcp-bridge",
        "schema",
        "completions",
    ];
    assert_eq!(commands(), known);
}

#[test]
fn every_command_helps_with_examples() {
    let folder = Folder::new();
    for command in commands() {
        let shown = folder.wt(&format!("{command} --help")).succeeds();
        shown.says(&format!("Usage: wt {command}")).says(&format!("Examples:\n  wt {command}"));
        assert_eq!(shown.stderr, "", "{shown}");
        let widest = shown.stdout.lines().map(|line| line.chars().count()).max();
        assert!(widest <= Some(130), "{widest:?}\n{shown}");
    }
}

#[test]
fn the_first_help_says_how_to_begin_and_what_exit_codes_mean() {
    let shown = Folder::new().wt("--help").succeeds();
    shown.says("wt new my-pack && wt selftest my-pack").says("130 interrupted");
}

#[test]
fn no_command_at_all_is_answered_with_the_help() {
    Folder::new().wt("").exits(2).complains("Usage: wt [OPTIONS] <COMMAND>");
}

#[test]
fn the_version_is_that_of_the_package() {
    let version = concat!("wt ", env!("CARGO_PKG_VERSION"), "\n");
    assert_eq!(Folder::new().wt("--version").succeeds().stdout, version);
}

#[test]
fn every_shell_gets_a_completion_of_every_command() {
    let folder = Folder::new();
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let script = folder.wt(&format!("completions {shell}")).succeeds();
        for command in commands() {
            script.says(&command);
        }
        assert!(!script.stdout.contains("__case"), "{script}");
    }
}
