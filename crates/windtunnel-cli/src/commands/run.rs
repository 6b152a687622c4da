//! `wt run`

use std::process::{Command, Stdio};

use windtunnel_api::exit::Exit;
use windtunnel_report::JsonReport;
use windtunnel_runner::{Interrupts, SweepOptions, sweep};

use super::execute;
use super::reporting::Reporting;
use super::scope::Scope;
use super::watch;
use crate::App;
use crate::args::{GlobalArgs, RunArgs};
use crate::error::CliError;

pub(crate) fn run(app: &App, global: &GlobalArgs, args: &RunArgs) -> Result<Exit, CliError> {
    watch::carry_out(app, global, &args.select, &args.execute, |scope| once(app, global, args, scope))
}

fn once(app: &App, global: &GlobalArgs, args: &RunArgs, scope: Scope) -> Result<Exit, CliError> {
    let wanted = scope.wanted(args.execute.runtime.as_deref());
    let runtimes = execute::runtimes(app, &scope, &wanted)?;
    let runs_dir = scope.settings.runs_dir(args.execute.runs_dir.as_deref());
    let bench = execute::bench(app, &scope, &args.execute, &runs_dir)?;
    let options = SweepOptions {
        suite: execute::suite_options(&args.execute, &scope),
        runs: args.runs.get(),
        label: args.label.clone(),
        git_sha: git_sha(),
    };
    let (events, reporting) =
        Reporting::start(global, &args.report, |output| Box::new(JsonReport::run(output)))?;
    let outcome = execute::runtime(options.suite.jobs)?.block_on(async {
        let mut interrupts =
            Interrupts::from_signals().map_err(|error| CliError::io("cannot wait for Ctrl-C", error))?;
        let outcome = sweep(&bench, &runtimes, scope.found, &options, &events, &mut interrupts).await;
        outcome.map_err(CliError::from)
    });
    bench.close();
    drop(events);
    reporting.finish()?;
    Ok(outcome?.exit)
}

/// The commit of the working folder, where there is one and git is there to tell.
fn git_sha() -> Option<String> {
    let output = Command::new("git")
        .args(["rev-parse", "HEAD"])
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .output()
        .ok()
        .filter(|output| output.status.success())?;
    let sha = String::from_utf8(output.stdout).ok()?.trim().to_owned();
    (!sha.is_empty()).then_some(sha)
}
