//! What the documentation shows is what happens: every line of a `console` block that calls a program of ours is run, in a folder that holds the
//! examples, and its output compared.
//!
//! Lines are compared without their times and in any order, since cases end in any order. Where `...` stands, others may come
//! too. A command has to succeed, unless a line says `exit code N`.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use crate::folder::{Folder, is_installed};
use crate::program::Program;

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

/// Runs every line of every page that calls one of the programs, and compares. Returns how many there were.
///
/// # Panics
/// A line does not do what its page shows.
pub fn check(programs: &[Program]) -> usize {
    let mut commands = 0;
    for page in pages() {
        let text = fs::read_to_string(&page).unwrap();
        let shown = shown(&text, programs);
        if shown.is_empty() {
            continue;
        }
        let folder = Folder::examples_below("examples");
        let name = page.strip_prefix(ROOT).unwrap_or(&page).display().to_string();
        for Shown { program, line, output, exit } in shown {
            commands += 1;
            let finished = folder.call(program, &line).exits(exit);
            if !output.is_empty() {
                let printed = without_times(&finished.stdout);
                let missing = difference(&without_times(&output), &printed);
                assert!(missing.is_empty(), "{name}: {line}: {}\n{finished}", missing.join("\n"));
            }
        }
    }
    commands
}

/// A command as a page shows it.
struct Shown<'p> {
    program: &'p Program,
    /// Its arguments.
    line: String,
    output: String,
    exit: i32,
}

fn pages() -> Vec<PathBuf> {
    let mut pages = vec![Path::new(ROOT).join("README.md")];
    let mut folders = vec![Path::new(ROOT).join("docs/src"), Path::new(ROOT).join("examples")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                // What scenarios hand in is nobody's documentation, and may not even be text.
                if !path.ends_with("artifacts") && !is_installed(&path) {
                    folders.push(path);
                }
            } else if path.extension().is_some_and(|extension| extension == "md") {
                pages.push(path);
            }
        }
    }
    pages.sort();
    pages
}

/// The lines of the page's `console` blocks that call a program, each with what is shown below it.
fn shown<'p>(page: &str, programs: &'p [Program]) -> Vec<Shown<'p>> {
    let mut shown: Vec<Shown<'p>> = Vec::new();
    let (mut in_console, mut in_output) = (false, false);
    for line in page.lines() {
        if line.starts_with("```") {
            (in_console, in_output) = (line == "```console" && !in_console, false);
        } else if let Some(command) = line.strip_prefix("$ ").filter(|_| in_console) {
            let (name, line) = command.split_once(' ').unwrap_or((command, ""));
            let program = programs.iter().find(|program| program.name() == name);
            in_output = program.is_some();
            shown.extend(program.map(|program| Shown {
                program,
                line: line.to_owned(),
                output: String::new(),
                exit: 0,
            }));
        } else if in_output && let Some(last) = shown.last_mut() {
            if let Some(code) = line.strip_prefix("exit code ") {
                last.exit = code.parse().unwrap();
                continue;
            }
            last.output += line;
            last.output.push('\n');
        }
    }
    shown
}

/// The lines, without the durations in them.
fn without_times(text: &str) -> Vec<String> {
    let is_number =
        |word: &str| word.starts_with(|c: char| c.is_ascii_digit()) && word.parse::<f64>().is_ok();
    let plain = |line: &str| {
        let words: Vec<&str> = line.split(' ').collect();
        let timed = |index: usize| {
            is_number(words[index]) && words.get(index + 1).is_some_and(|unit| matches!(*unit, "ms" | "s"))
        };
        let words = (0..words.len()).map(|index| if timed(index) { "#" } else { words[index] });
        words.collect::<Vec<_>>().join(" ")
    };
    text.lines().map(plain).collect()
}

/// What is shown and not printed, or printed and not shown.
fn difference(shown: &[String], printed: &[String]) -> Vec<String> {
    let mut counts: BTreeMap<&str, i64> = BTreeMap::new();
    for line in shown.iter().filter(|line| *line != "...") {
        *counts.entry(line).or_default() += 1;
    }
    for line in printed {
        *counts.entry(line).or_default() -= 1;
    }
    let elided = shown.iter().any(|line| line == "...");
    let differs = |(line, count): (&str, i64)| match count {
        1.. => Some(format!("shown, but not printed: {line}")),
        ..=-1 if !elided => Some(format!("printed, but not shown: {line}")),
        _ => None,
    };
    counts.into_iter().filter_map(differs).collect()
}
