//! `wt list`: what there is to run.

use std::fmt::Write as _;

use serde::Serialize;
use windtunnel_api::exit::Exit;
use windtunnel_api::{Layer, ReferenceKind};
use windtunnel_discovery::Found;

use super::scope::Scope;
use crate::App;
use crate::args::{GlobalArgs, ListArgs, ListFormat};
use crate::error::CliError;

/// The version of the JSON list.
const LIST_VERSION: u32 = 1;

pub(crate) fn run(app: &App, global: &GlobalArgs, args: &ListArgs) -> Result<Exit, CliError> {
    let scope = Scope::resolve(app, global, &args.select)?;
    let rows: Vec<Row<'_>> = scope.found.iter().map(|found| Row::new(found, &scope)).collect();
    match args.format {
        ListFormat::Text => windtunnel_report::print(&text(&rows))?,
        ListFormat::Json => {
            let list = List { windtunnel_list: LIST_VERSION, scenarios: rows };
            let json = serde_json::to_string_pretty(&list)
                .map_err(|error| CliError::io("cannot write", error.into()))?;
            windtunnel_report::print(&(json + "\n"))?;
        }
    }
    Ok(Exit::Success)
}

#[derive(Serialize)]
struct List<'a> {
    windtunnel_list: u32,
    scenarios: Vec<Row<'a>>,
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
            file: found.file.as_ref().map(|file| file.as_str()),
        }
    }
}

fn text(rows: &[Row<'_>]) -> String {
    let names: Vec<String> = rows.iter().map(|row| format!("{}/{}", row.pack, row.scenario)).collect();
    let width = names.iter().map(|name| name.chars().count()).max().unwrap_or(0);
    let mut text = String::new();
    for (row, name) in rows.iter().zip(&names) {
        let _ = write!(
            text,
            "{name:width$}  {}  {} golden, {} poison",
            row.runtime,
            row.golden.len(),
            row.poison.len()
        );
        if !row.tags.is_empty() {
            let _ = write!(text, "  [{}]", row.tags.join(", "));
        }
        text.push('\n');
    }
    let _ = writeln!(text, "{} {}", rows.len(), if rows.len() == 1 { "scenario" } else { "scenarios" });
    text
}
