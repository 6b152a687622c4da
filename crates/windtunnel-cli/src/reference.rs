//! The command-line reference, made from clap's own definition.

use std::fmt::Write as _;

use clap::{Arg, Command, CommandFactory};

use crate::args::Cli;

/// The reference as a page of the book.
pub(crate) fn markdown() -> String {
    let mut root = Cli::command();
    root.build();
    let mut page = String::from("# Command line\n\nMade by `cargo xtask schema`; edit the code instead.\n");
    section(&root, true, &mut page);
    for command in
        root.get_subcommands().filter(|command| !command.is_hide_set() && command.get_name() != "help")
    {
        section(command, false, &mut page);
    }
    page
}

fn section(command: &Command, is_root: bool, page: &mut String) {
    let name = command.get_bin_name().unwrap_or(command.get_name());
    let about = command.get_long_about().or(command.get_about()).map(ToString::to_string).unwrap_or_default();
    let _ = write!(page, "\n## `{name}`\n\n{}\n", about.trim_end_matches('.').to_owned() + ".");
    let arguments: Vec<&Arg> = command
        .get_arguments()
        .filter(|argument| {
            !argument.is_hide_set() && !matches!(argument.get_id().as_str(), "help" | "version")
        })
        // Said once, at the root.
        .filter(|argument| is_root || !argument.is_global_set())
        .collect();
    if !arguments.is_empty() {
        page.push_str("\n| argument | meaning | default |\n|---|---|---|\n");
    }
    for argument in arguments {
        let help = argument.get_help().map(ToString::to_string).unwrap_or_default().replace('|', "\\|");
        let defaults = argument.get_default_values().iter().filter(|_| argument.get_action().takes_values());
        let defaults: Vec<_> = defaults.map(|value| format!("`{}`", value.to_string_lossy())).collect();
        let _ = writeln!(
            page,
            "| `{}` | {help} | {} |",
            words(argument).replace('|', "\\|"),
            defaults.join(", ")
        );
    }
    if let Some(after) = command.get_after_help() {
        let _ = write!(page, "\n```text\n{after}\n```\n");
    }
}

/// The argument as it is typed.
fn words(argument: &Arg) -> String {
    let value = argument.get_value_names().unwrap_or_default().first().map(|name| format!("<{name}>"));
    let takes_value = argument.get_action().takes_values();
    let value = value.filter(|_| takes_value).unwrap_or_default();
    let long = argument.get_long().map(|long| format!("--{long}"));
    let short = argument.get_short().map(|short| format!("-{short}"));
    match (short, long) {
        (Some(short), Some(long)) => format!("{short}, {long} {value}").trim_end().to_owned(),
        (None, Some(flag)) | (Some(flag), None) => format!("{flag} {value}").trim_end().to_owned(),
        (None, None) => value,
    }
}
