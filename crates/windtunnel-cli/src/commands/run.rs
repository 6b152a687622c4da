//! `wt run`

use std::process::{Command, Stdio};
use std::sync::Arc;

use windtunnel_api::exit::Exit;
use windtunnel_process::scenario::suite::ScenarioCase;
use windtunnel_report::JsonReport;
use windtunnel_runner::{Interrupts, SweepCases, SweepOptions, sweep};
use windtunnel_spi::TestCase;

use super::execute;
use super::reporting::Reporting;
use super::scope::Scope;
use super::watch;
use crate::App;
use crate::args::{GlobalArgs, RunArgs};
use crate::error::CliError;

pub(crate) fn run(app: &App, global: &GlobalArgs, args: &RunArgs) -> Result<Exit, CliError> {
    let request = watch::Request { select: &args.select, args: &args.execute, color: global.color };
    let resolve = || Scope::resolve(app, global, &args.select);
    watch::carry_out(request, resolve, |scope| once(app, global, args, scope))
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
        // It is about the runs of agents.
        git_sha: if scope.found.is_empty() { None } else { git_sha() },
    };
    let setup = app.process_setup()?.runs_dir(&runs_dir).keep_worlds(args.execute.keep_workspace);
    let play = |folder| Arc::new(ScenarioCase::new(folder, setup.clone())) as Arc<dyn TestCase>;
    let cases = SweepCases { scenarios: scope.found, beside: scope.folders.into_iter().map(play).collect() };
    let (events, reporting) =
        Reporting::start(global, &args.report, |output| Box::new(JsonReport::run(output)))?;
    let outcome = execute::runtime(options.suite.jobs)?.block_on(async {
        let mut interrupts =
            Interrupts::from_signals().map_err(|error| CliError::io("cannot wait for Ctrl-C", error))?;
        let outcome = sweep(&bench, &runtimes, cases, &options, &events, &mut interrupts).await;
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
