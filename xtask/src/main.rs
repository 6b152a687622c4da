//! Tasks of this repository: `cargo xtask <task>`.

mod agents;
mod arrows;
mod bench;
mod ci;
mod endpoint;
mod examples;
mod generated;
mod kill;
mod served;
mod shell;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Tasks of this repository.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
struct Args {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Everything that has to pass: format, lints, tests, doc tests, generated files, arrows, licences, examples.
    Ci,
    /// Self-tests the packs under examples/ and holds the verdicts against their expected.toml; runs the tests of agents and the
    /// process scenarios there.
    Selftest {
        /// Builds wt in release.
        #[arg(long)]
        release: bool,
    },
    /// Self-tests the real installed clients under examples/agents, without a network, and prints a table. Fails if a verdict is not as
    /// expected.
    Agents(agents::AgentsArgs),
    /// Measures: cases per second, overhead per case, the matcher. Prints figures and ratios.
    Bench {
        /// Only this.
        part: Option<bench::Part>,
    },
    /// Writes the JSON Schemas and the command-line reference.
    Schema {
        /// Only says what would change, and fails if anything would.
        #[arg(long)]
        check: bool,
    },
    /// Says which crates use one that the architecture lists below them.
    Arrows,
    /// Kills `wt run` at random moments and looks at what it left on disk.
    Kill {
        /// How many times.
        #[arg(long, default_value_t = 50)]
        times: u32,
    },
}

fn main() -> ExitCode {
    let outcome = match Args::parse().task {
        Task::Ci => ci::run(),
        Task::Selftest { release } => examples::selftest(release),
        Task::Agents(args) => agents::run(&args),
        Task::Bench { part } => bench::run(part),
        Task::Schema { check } => generated::run(check),
        Task::Arrows => arrows::run(),
        Task::Kill { times } => kill::run(times),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            eprintln!("xtask: {problem}");
            ExitCode::FAILURE
        }
    }
}
