//! `wt run`

use std::process::{Command, Stdio};
use std::sync::Arc;

use camino::Utf8Path;
use windtunnel_api::exit::Exit;
use windtunnel_process::scenario::suite::ScenarioCase;
use windtunnel_report::JsonReport;
use windtunnel_runner::{SweepCases, SweepOptions, sweep};
use windtunnel_spi::TestCase;

use super::execute;
use super::reporting::Reporting;
use super::scope::Scope;
use super::watch;
use crate::App;
use crate::args::{GlobalArgs, RunArgs};
use crate::error::CliError;
use crate::shell;

pub(crate) fn run(app: &App, global: &GlobalArgs, args: &RunArgs) -> Result<Exit, CliError> {
    let request = watch::Request { select: &args.select, args: &args.execute, color: global.color };
    let resolve = || Scope::resolve(app, global, &args.select, args.execute.runs_dir.as_deref());
    watch::carry_out(request, resolve, |scope| once(app, global, args, scope))
}

fn once(app: &App, global: &GlobalArgs, args: &RunArgs, scope: Scope) -> Result<Exit, CliError> {
    let wanted = scope.wanted(args.execute.runtime.as_deref());
    let alone = scope.folders.first().map(|folder| folder.path.clone());
    let refused = |error| refused(error, alone.as_deref());
    let runtimes = execute::runtimes(app, &scope, &wanted).map_err(refused)?;
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
    // Gates of a process compute in place. A second thread sees an interrupt meanwhile.
    let threads = options.suite.jobs.max(1 + usize::from(!cases.beside.is_empty()));
    let outcome = execute::block_on(threads, async {
        let mut interrupts = execute::interrupts()?;
        let outcome = sweep(&bench, &runtimes, cases, &options, &events, &mut interrupts).await;
        outcome.map_err(CliError::from)
    });
    bench.close();
    drop(events);
    reporting.finish()?;
    Ok(outcome.map_err(refused)?.exit)
}

/// A runtime that cannot be used refuses all of a run; the process scenarios in it need none.
fn refused(error: CliError, process: Option<&Utf8Path>) -> CliError {
    match (error, process) {
        (error @ (CliError::Suite(_) | CliError::Runtime(_)), Some(process)) => CliError::usage(
            error.to_string(),
            format!(
                "process scenarios need no runtime; name their folders to play them alone: `wt run {}`",
                shell::word(process)
            ),
        ),
        (error, _) => error,
    }
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
