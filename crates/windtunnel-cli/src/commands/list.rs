//! `wt list`: what there is to run.

use std::fmt::Write as _;

use serde::Serialize;
use windtunnel_api::exit::Exit;
use windtunnel_api::{Layer, ReferenceKind, counted};
use windtunnel_discovery::{Found, TestFolder};
use windtunnel_process::Graph;
use windtunnel_process::scenario::{Scenario, suite};
use windtunnel_report::line;

use super::scope::Scope;
use crate::App;
use crate::args::{GlobalArgs, ListArgs, ListFormat};
use crate::error::CliError;

/// The version of the JSON list.
const LIST_VERSION: u32 = 1;

pub(crate) fn run(app: &App, global: &GlobalArgs, args: &ListArgs) -> Result<Exit, CliError> {
    let scope = Scope::resolve(app, global, &args.select, None)?;
    let setup = app.process_setup()?;
    let list = List {
        version: LIST_VERSION,
        scenarios: scope.found.iter().map(|found| Row::new(found, &scope)).collect(),
        process: scope.folders.iter().map(|folder| ProcessRow::new(folder, setup.graph())).collect(),
    };
    match args.format {
        ListFormat::Text => windtunnel_report::print(&text(&list))?,
        ListFormat::Json => {
            let json = serde_json::to_string_pretty(&list)
                .map_err(|error| CliError::io("cannot write", error.into()))?;
            windtunnel_report::print(&(json + "\n"))?;
        }
    }
    Ok(Exit::Success)
}

#[derive(Serialize)]
struct List<'a> {
    #[serde(rename = "windtunnel_list")]
    version: u32,
    scenarios: Vec<Row<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    process: Vec<ProcessRow<'a>>,
}

#[derive(Serialize)]
struct Row<'a> {
    scenario: &'a str,
    pack: &'a str,
    owner: Option<&'a str>,
    runtime: String,
    tags: Vec<&'a str>,
    gate: Vec<Layer>,
    golden: Vec<&'a str>,
    poison: Vec<&'a str>,
    /// What disturbs its runs, by kind.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    perturbations: Vec<&'a str>,
    file: Option<&'a str>,
}

impl<'a> Row<'a> {
    fn new(found: &'a Found, scope: &Scope) -> Self {
        let scenario = found.scenario();
        let manifest = &found.pack.manifest;
        let cases = |kind: ReferenceKind| {
            scenario
                .reference_cases
                .iter()
                .filter(|case| case.kind == kind)
                .map(|case| case.name.as_str())
                .collect()
        };
        Self {
            scenario: &scenario.name,
            pack: found.pack.name(),
            owner: manifest.owner.as_deref(),
            runtime: scope.runtime_of_pack(&found.pack, None),
            tags: scenario.tags.iter().chain(&manifest.tags).map(String::as_str).collect(),
            gate: scenario.gate(),
            golden: cases(ReferenceKind::Golden),
            poison: cases(ReferenceKind::Poison),
            perturbations: scenario.perturbations.iter().map(|one| one.kind.name()).collect(),
            file: found.file.as_ref().map(|file| file.as_str()),
        }
    }
}

/// A process scenario. One that is malformed has nothing but its name, its folder, and what is wrong.
#[derive(Serialize)]
struct ProcessRow<'a> {
    scenario: &'a str,
    folder: &'a str,
    description: Option<String>,
    tier: Option<i64>,
    steps: Option<usize>,
    error: Option<String>,
}

impl<'a> ProcessRow<'a> {
    fn new(folder: &'a TestFolder, graph: &Graph) -> Self {
        let loaded = suite::load(folder, graph);
        let (loaded, error) = match loaded {
            Ok(scenario) => (Some(scenario), None),
            Err(error) => (None, Some(error.to_string())),
        };
        Self {
            scenario: &folder.name,
            folder: folder.path.as_str(),
            description: loaded.as_ref().map(|scenario| scenario.description().to_owned()),
            tier: loaded.as_ref().and_then(Scenario::tier),
            steps: loaded.as_ref().map(|scenario| scenario.steps().len()),
            error,
        }
    }
}

fn text(list: &List<'_>) -> String {
    let scenarios = list.scenarios.iter().map(|row| (format!("{}/{}", row.pack, row.scenario), told(row)));
    let process = list.process.iter().map(|row| (format!("process/{}", row.scenario), told_of_process(row)));
    let lines: Vec<_> = scenarios
        .chain(process)
        .map(|(name, told)| (line(&name).into_owned(), line(&told).into_owned()))
        .collect();
    let width = lines.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0);
    let mut text = String::new();
    for (name, told) in &lines {
        let _ = writeln!(text, "{name:width$}  {told}");
    }
    let _ = writeln!(text, "{}", counted(lines.len(), "scenario"));
    text
}

/// What would be run of a scenario of a pack.
fn told(row: &Row<'_>) -> String {
    let tags = if row.tags.is_empty() { String::new() } else { format!("  [{}]", row.tags.join(", ")) };
    let perturbed = if row.perturbations.is_empty() {
        String::new()
    } else {
        format!("  perturbed: {}", row.perturbations.join(", "))
    };
    format!("{}  {} golden, {} poison{perturbed}{tags}", row.runtime, row.golden.len(), row.poison.len())
}

/// What would be played of a process scenario.
fn told_of_process(row: &ProcessRow<'_>) -> String {
    let Some(steps) = row.steps else {
        let error = row.error.as_deref().and_then(|error| error.lines().next()).unwrap_or_default();
        return format!("malformed: {error}");
    };
    let tier = row.tier.map(|tier| format!("  tier {tier}")).unwrap_or_default();
    format!("{}{tier}", counted(steps, "step"))
}
