//! Who notices a mutation.

use std::collections::HashMap;
use std::sync::Arc;

use camino::Utf8PathBuf;
use tokio::runtime::Runtime;
use windtunnel_process::Graph;
use windtunnel_process::graph::work_item_loop;
use windtunnel_process::scenario::{Scenario, ScenarioError, Setup, play};

use crate::tree::Mutant;

/// Mutations that nothing can be seen of, by a part of what they are, and why.
const UNSEEN: [(&str, &str); 10] = [
    ("the entry of cleanup", "only `force` leads there, and no step forces"),
    (
        "drop deliver-assignment",
        "what a session gets is not looked at; the tests of graphs state where it is delivered",
    ),
    (
        "drop log-entry from the entry of phase-selection",
        "a walk begins before the first step can put a log there",
    ),
    (
        "drop post-phase-selection",
        "what is posted is not looked at; the tests of the runtime see the checklist of a walk's beginning",
    ),
    ("verify-tests", "the world of a scenario declares no tests to be run"),
    ("drop keyword of", "it is the one that is taken where none is given"),
    (
        "unmark phase-selection as required",
        "what is not skippable cannot be skipped, either, and is named back the same",
    ),
    ("mark implementation as optional", "the tasks are there by then, or whoever writes them was skipped"),
    ("mark verification as optional", "the plan is there by then, or whoever writes it was skipped"),
    (
        "let a skip be a pass",
        "a skip decides nothing, and a pass that declares nothing decides nothing, either",
    ),
];

const INDENT: &str = "  ";
const SCENARIO: &str = "scenario: ";

pub(crate) struct Judge {
    scenarios: Vec<Scenario>,
    runtime: Runtime,
}

impl Judge {
    pub(crate) fn new() -> Self {
        let root = Utf8PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/process"));
        let graph = work_item_loop().unwrap();
        let mut folders: Vec<Utf8PathBuf> = root
            .read_dir_utf8()
            .unwrap()
            .map(|entry| entry.unwrap().into_path())
            .filter(|path| path.is_dir())
            .collect();
        // The longest walk notices most.
        folders.sort_by_key(|path| (path.file_name() != Some("happy-path"), path.clone()));
        let scenarios = folders.iter().map(|folder| Scenario::load(folder, &graph).unwrap()).collect();
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        Self { scenarios, runtime }
    }

    /// Who notices it: the compiler, or a scenario. The scenario that noticed it last is asked first.
    fn judge(&self, mutant: &Mutant, last: Option<&str>) -> Option<String> {
        match Graph::compile("mutant", &mutant.graph, &mutant.hooks) {
            Ok(graph) => self.play(graph, last).map(|(scenario, _)| format!("{SCENARIO}{scenario}")),
            Err(faults) => faults.iter().next().map(|fault| format!("compiler: {}", fault.message())),
        }
    }

    /// The first scenario that fails over this graph, and how.
    pub(crate) fn play(&self, graph: Graph, last: Option<&str>) -> Option<(&str, ScenarioError)> {
        let setup = Setup::new(Arc::new(graph));
        let (first, rest): (Vec<&Scenario>, Vec<&Scenario>) =
            self.scenarios.iter().partition(|scenario| Some(scenario.name()) == last);
        first.into_iter().chain(rest).find_map(|scenario| {
            let played = self.runtime.block_on(play(scenario, &setup));
            Some((scenario.name(), played.outcome.err()?))
        })
    }
}

/// Each mutation with who notices it. One that nobody notices and nobody can explain fails the test.
pub(crate) fn table(name: &str, mutants: Vec<Mutant>) -> String {
    let judge = Judge::new();
    let last = last(name);
    let mut table = String::new();
    let mut surprises = Vec::new();
    for mutant in mutants {
        let what = mutant.what.as_str();
        let reason = || UNSEEN.iter().find(|(part, _)| what.contains(part)).map(|(_, reason)| *reason);
        match (judge.judge(&mutant, last.get(what).map(String::as_str)), reason()) {
            (Some(by), _) => table.extend([what, "\n", INDENT, &by, "\n"]),
            (None, Some(reason)) => table.extend([what, "\n", INDENT, "nobody: ", reason, "\n"]),
            (None, None) => surprises.push(what.to_owned()),
        }
    }
    assert!(surprises.is_empty(), "nobody notices:\n{}", surprises.join("\n"));
    table
}

/// The scenario that noticed each mutation when the table was accepted.
fn last(name: &str) -> HashMap<String, String> {
    let path = format!("{}/tests/mutations/snapshots/mutations__{name}.snap", env!("CARGO_MANIFEST_DIR"));
    let table = std::fs::read_to_string(path).unwrap_or_default();
    let lines: Vec<&str> = table.lines().collect();
    let pairs = lines.windows(2).filter_map(|pair| {
        let scenario = pair[1].strip_prefix(INDENT)?.strip_prefix(SCENARIO)?;
        Some((pair[0].to_owned(), scenario.to_owned()))
    });
    pairs.collect()
}
