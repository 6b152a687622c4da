//! What each client does with each way in which the answer of a model can go wrong.
//!
//! A scenario per fault: the model calls a tool, and its answer to the result goes wrong once. What the client did next is in the
//! evidence of the run.

use std::path::PathBuf;

use serde::Serialize;
use serde_json::Value;
use tempfile::TempDir;

use super::Format;
use super::roster::{self, Agent};
use super::selftest::{Bench, Finished};
use super::table::Table;
use crate::shell::Outcome;

/// A fault: its name in the table, how the script writes it, and how often it is served.
struct Fault {
    name: &'static str,
    written: &'static str,
    times: usize,
}

const fn once(name: &'static str, written: &'static str) -> Fault {
    Fault { name, written, times: 1 }
}

const FAULTS: [Fault; 9] = [
    once("429, retry-after 1 s", "status = 429, retry_after = 1"),
    once("500", "status = 500"),
    once("529", "status = 529"),
    once("disconnect", "kind = \"disconnect\""),
    once("cut", "kind = \"cut\""),
    once("stream_error", "kind = \"stream_error\""),
    once("malformed", "kind = \"malformed\""),
    once("truncated", "kind = \"truncated\""),
    Fault { name: "500 for ever", written: "status = 500", times: 60 },
];

/// Apart from the others, since only its limit ends it.
const STALL: [Fault; 1] = [once("stall", "kind = \"stall\"")];

/// Seconds after which a client that still waits is ended.
const TURN_LIMIT: &str = "60";
const STALL_LIMIT: &str = "15";

/// The answer whose way goes wrong.
const ANSWER: &str = "I have looked it up for you: order A-17 was paid in full, and it cost 42 EUR.";

/// What one client did with one fault.
#[derive(Debug, Serialize)]
struct Cell {
    agent: String,
    version: String,
    wire: String,
    fault: &'static str,
    /// Requests from the one that was answered with the fault.
    requests: usize,
    end: End,
}

/// How the run ended.
#[derive(Debug, Serialize)]
#[serde(rename_all = "snake_case")]
enum End {
    /// With the whole answer.
    Recovered,
    /// With something else as its answer.
    Answered(String),
    /// With an error, by its name where it has one.
    Failed(String),
    /// It did not.
    Waited,
}

/// Runs every agent against every fault and prints what it did.
pub(super) fn run(bench: &Bench, agents: &[(&Agent, String)], format: Format) -> Outcome {
    let folder = tempfile::tempdir()?;
    let once = pack(&folder, "faults", &FAULTS)?;
    let stall = pack(&folder, "stall", &STALL)?;
    let mut cells = Vec::new();
    for (agent, version) in agents {
        eprintln!("{}: {} faults…", agent.name, FAULTS.len() + STALL.len());
        let mut finished = bench.selftest_with(
            agent,
            std::slice::from_ref(&once),
            &[("WT__TIMEOUTS__TURN_S", TURN_LIMIT)],
        )?;
        finished.extend(bench.selftest_with(
            agent,
            std::slice::from_ref(&stall),
            &[("WT__TIMEOUTS__TURN_S", STALL_LIMIT)],
        )?);
        for fault in FAULTS.iter().chain(&STALL) {
            let scenario = scenario_name(fault);
            let case = finished.iter().find(|case| case.scenario == scenario);
            let case = case.ok_or_else(|| format!("{}: {} was not run", agent.name, fault.name))?;
            cells.push(Cell {
                agent: agent.name.clone(),
                version: version.clone(),
                wire: agent.wire.clone(),
                fault: fault.name,
                requests: requests(case),
                end: End::of(case),
            });
        }
    }
    match format {
        Format::Json => println!("{}", serde_json::to_string_pretty(&cells)?),
        Format::Markdown => print!("{}", table_of(&cells)),
    }
    Ok(())
}

/// One column per fault, one row per agent.
fn table_of(cells: &[Cell]) -> Table {
    let names = FAULTS.iter().chain(&STALL).map(|fault| fault.name);
    let mut table = Table::new(["agent", "version"].into_iter().chain(names));
    for row in cells.chunk_by(|one, next| one.agent == next.agent) {
        if let Some(first) = row.first() {
            let does = row.iter().map(Cell::to_string);
            table.row([first.agent.clone(), first.version.clone()].into_iter().chain(does));
        }
    }
    table
}

impl std::fmt::Display for Cell {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.end {
            End::Recovered => write!(f, "recovers")?,
            End::Answered(text) => write!(f, "takes “{text}”")?,
            End::Failed(error) => write!(f, "{error}")?,
            End::Waited => write!(f, "waits")?,
        }
        write!(f, " ({})", self.requests)
    }
}

impl End {
    fn of(case: &Finished) -> Self {
        let answer = case.events_of("turn").filter(|turn| turn["role"] == "assistant").last();
        match answer.and_then(|turn| turn["content"].as_str()) {
            Some(ANSWER) => Self::Recovered,
            Some(text) => Self::Answered(shortened(text)),
            None if case.detail.contains("gave no answer within") => Self::Waited,
            None => Self::Failed(error_name(&case.detail)),
        }
    }
}

/// How many requests there were from the first fault on.
fn requests(case: &Finished) -> usize {
    let is_fault = |event: &&Value| event["decision"].get("fault").is_some();
    case.events_of("inference").skip_while(|event| !is_fault(event)).count()
}

/// The last word of a program's message that names an error.
fn error_name(detail: &str) -> String {
    let mut words = detail.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_'));
    let is_name =
        |word: &&str| word.len() > "Error".len() && (word.ends_with("Error") || word.ends_with("Exception"));
    let named = words.rfind(is_name);
    named.unwrap_or("error").to_owned()
}

/// The beginning of a text.
fn shortened(text: &str) -> String {
    const SHOWN: usize = 24;
    let mut shown: String = text.chars().take(SHOWN).collect();
    if shown.len() < text.len() {
        shown.push('…');
    }
    shown
}

fn scenario_name(fault: &Fault) -> String {
    let words = fault.name.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    format!("fault_{}", words.collect::<Vec<_>>().join("_"))
}

/// A pack of one scenario per fault, in the world of the shop.
fn pack(folder: &TempDir, name: &str, faults: &[Fault]) -> Outcome<PathBuf> {
    let pack = folder.path().join(name);
    std::fs::create_dir(&pack)?;
    let server = roster::folder().join("shop/server.py");
    let manifest = format!(
        "name = {name:?}\n[tools.shop]\nkind = \"stdio\"\ncommand = [\"python3\", {:?}]\n",
        server.to_string_lossy()
    );
    std::fs::write(pack.join("pack.toml"), manifest)?;
    for fault in faults {
        let scenario = scenario_name(fault);
        std::fs::write(pack.join(format!("{scenario}.scenario.toml")), scenario_of(&scenario, fault))?;
    }
    Ok(pack)
}

fn scenario_of(name: &str, fault: &Fault) -> String {
    let faults = vec![format!("{{ {} }}", fault.written); fault.times].join(", ");
    format!(
        "name = {name:?}
prompt = \"What did order A-17 cost?\"
target_numbers = [{{ value = 42, unit = \"EUR\" }}]

[[reference_cases]]
name = \"once\"
kind = \"golden\"
decisions = [
  {{ tool_calls = [{{ name = \"lookup_order\", arguments = {{ order_id = \"A-17\" }} }}] }},
  {{ faults = [{faults}], content = {ANSWER:?} }},
]
"
    )
}
