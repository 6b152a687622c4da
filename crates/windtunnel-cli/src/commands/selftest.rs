//! `wt selftest`

use windtunnel_api::exit::Exit;
use windtunnel_report::JsonReport;
use windtunnel_runner::{SelftestOptions, selftest};

use super::execute;
use super::reporting::Reporting;
use super::scope::Scope;
use super::watch;
use crate::App;
use crate::args::{GlobalArgs, SelftestArgs};
use crate::error::CliError;
use crate::log;

pub(crate) fn run(app: &App, global: &GlobalArgs, args: &SelftestArgs) -> Result<Exit, CliError> {
    let request = watch::Request { select: &args.select, args: &args.execute, color: global.color };
    let resolve = || Scope::resolve_packs(app, global, &args.select, args.execute.runs_dir.as_deref());
    watch::carry_out(request, resolve, |scope| once(app, global, args, scope))
}

fn once(app: &App, global: &GlobalArgs, args: &SelftestArgs, scope: Scope) -> Result<Exit, CliError> {
    let wanted = scope.wanted(args.execute.runtime.as_deref());
    let runtimes = execute::runtimes(app, &scope, &wanted)?;
    // Away from ordinary runs, unless a folder is asked for.
    let runs_dir = match args.execute.runs_dir.as_deref() {
        Some(dir) => dir.to_owned(),
        None => scope.settings.runs_dir(None).join("selftest"),
    };
    let bench = execute::bench(app, &scope, &args.execute, &runs_dir)?;
    let options =
        SelftestOptions { suite: execute::suite_options(&args.execute, &scope), strict: args.strict };
    let (events, reporting) =
        Reporting::start(global, &args.report, |output| Box::new(JsonReport::selftest(output)))?;
    let outcome = execute::block_on(options.suite.jobs, async {
        let mut interrupts = execute::interrupts()?;
        let outcome = selftest(&bench, &runtimes, scope.found, &options, &events, &mut interrupts).await;
        outcome.map_err(CliError::from)
    });
    bench.close();
    drop(events);
    reporting.finish()?;
    let outcome = outcome?;
    if args.strict && !outcome.incomplete.is_empty() {
        let scenarios = match outcome.incomplete.len() {
            1 => "1 scenario lacks".to_owned(),
            more => format!("{more} scenarios lack"),
        };
        log::line(format!("--strict: {scenarios} a golden or a poison case, see the notes above"));
    }
    Ok(outcome.exit)
}
