//! Real installed clients as agents: the packs under `examples/agents`, self-tested on every runtime of the `wt.toml` there, in a
//! network that is only a loopback.

mod faults;
mod roster;
mod selftest;
mod table;

use std::process::Command;

use serde::Serialize;

use self::roster::{Agent, Roster};
use self::selftest::{Bench, Finished};
use self::table::Table;
use crate::ci::LeftOut;
use crate::shell::{Outcome, Programs, root, succeed};

/// What is asked for.
#[derive(clap::Args)]
pub(crate) struct AgentsArgs {
    /// Only these: runtimes of examples/agents/wt.toml, or folders of agents.
    names: Vec<String>,
    /// Installs them first, pinned, in their own folders.
    #[arg(long)]
    install: bool,
    /// Shows what each client does with each way in which a model's answer can go wrong, instead of self-testing.
    #[arg(long)]
    faults: bool,
    /// Builds wt in release.
    #[arg(long)]
    release: bool,
    /// How the rows are written.
    #[arg(long, value_enum, default_value_t = Format::Markdown)]
    format: Format,
}

/// How rows are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    Markdown,
    Json,
}

/// An agent in the table.
#[derive(Debug, Serialize)]
struct Row {
    agent: String,
    version: String,
    wire: String,
    cases: usize,
    passed: usize,
    /// The median over its cases, from the beginning of the run to its end.
    seconds_per_case: f64,
}

/// Runs the agents that are asked for and installed, and prints the table.
pub(crate) fn run(args: &AgentsArgs) -> Outcome {
    let roster = Roster::read()?;
    let agents = roster.select(&args.names)?;
    if args.install {
        install(&agents)?;
    }
    let bench = Bench::new(&Programs::build_wt(args.release)?)?;
    let ready = ready(&agents, &bench);
    if ready.is_empty() {
        return Err("no agent is installed: `cargo xtask agents --install`".into());
    }
    if args.faults { faults::run(&bench, &ready, args.format) } else { verdicts(&bench, &ready, args.format) }
}

/// Self-tests what is installed. Where nothing is, or some are not, that is fine, and told.
pub(crate) fn installed() -> Outcome<LeftOut> {
    let roster = Roster::read()?;
    let bench = Bench::new(&Programs::build_wt(false)?)?;
    let agents = roster.select(&[])?;
    let ready = ready(&agents, &bench);
    if ready.is_empty() {
        let why = "no client of examples/agents is installed: `cargo xtask agents --install` brings them";
        return Ok(Some(why.to_owned()));
    }
    verdicts(&bench, &ready, Format::Markdown)?;
    let left_out: Vec<&str> = agents
        .iter()
        .filter(|agent| !ready.iter().any(|(ready, _)| ready.name == agent.name))
        .map(|agent| agent.name.as_str())
        .collect();
    Ok((!left_out.is_empty()).then(|| left_out.join(", ")))
}

fn verdicts(bench: &Bench, agents: &[(&Agent, String)], format: Format) -> Outcome {
    let (mut rows, mut problems) = (Vec::new(), Vec::new());
    for (agent, version) in agents {
        eprintln!("{}: {} cases…", agent.name, agent.cases);
        let finished = bench.selftest(agent, &agent.folders())?;
        problems.extend(unexpected(agent, &finished));
        rows.push(Row {
            agent: agent.name.clone(),
            version: version.clone(),
            wire: agent.wire.clone(),
            cases: finished.len(),
            passed: finished.iter().filter(|case| case.verdict == "PASS").count(),
            seconds_per_case: median(finished.iter().map(|case| case.seconds).collect()),
        });
    }
    match format {
        Format::Json => println!("{}", serde_json::to_string_pretty(&rows)?),
        Format::Markdown => print!("{}", table_of(&rows)),
    }
    if problems.is_empty() { Ok(()) } else { Err(problems.join("\n").into()) }
}

fn table_of(rows: &[Row]) -> Table {
    let mut table = Table::new(["agent", "version", "wire", "cases", "verdicts", "time per case"]);
    for row in rows {
        let verdicts = match row.cases - row.passed {
            0 => format!("{} PASS", row.passed),
            failed => format!("{} PASS, {failed} not", row.passed),
        };
        table.row([
            row.agent.clone(),
            row.version.clone(),
            row.wire.clone(),
            row.cases.to_string(),
            verdicts,
            format!("{:.1} s", row.seconds_per_case),
        ]);
    }
    table
}

/// What is not as it has to be.
fn unexpected(agent: &Agent, finished: &[Finished]) -> Vec<String> {
    let mut problems: Vec<String> = finished
        .iter()
        .filter(|case| case.verdict != "PASS")
        .map(|case| {
            format!("{}: {}/{}: {}: {}", agent.name, case.scenario, case.case, case.verdict, case.detail)
        })
        .collect();
    if finished.len() != agent.cases {
        problems.push(format!("{}: expected {} cases, found {}", agent.name, agent.cases, finished.len()));
    }
    problems
}

fn median(mut seconds: Vec<f64>) -> f64 {
    seconds.sort_by(f64::total_cmp);
    seconds.get(seconds.len() / 2).copied().unwrap_or_default()
}

/// The agents that can be run, each with its version; says of every other why not.
fn ready<'a>(agents: &[&'a Agent], bench: &Bench) -> Vec<(&'a Agent, String)> {
    if !bench.is_offline() {
        eprintln!("there are no network namespaces here: clients run in the network of this machine");
    }
    let mut ready = Vec::new();
    for agent in agents {
        match agent.installed_version() {
            None => {
                eprintln!("{}: skipped, not installed: examples/agents/install {}", agent.name, agent.folder);
            }
            Some(_) if agent.calls_home && !bench.is_offline() => {
                eprintln!("{}: skipped, it would ask servers of its vendor", agent.name);
            }
            Some(version) => ready.push((*agent, version)),
        }
    }
    ready
}

fn install(agents: &[&Agent]) -> Outcome {
    let mut folders: Vec<&str> = agents.iter().map(|agent| agent.folder.as_str()).collect();
    folders.dedup();
    succeed(Command::new(root().join("examples/agents/install")).args(folders))
}
