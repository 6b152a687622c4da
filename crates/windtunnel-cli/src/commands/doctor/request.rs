//! The command: what is looked at, and how it ends.

use std::collections::BTreeSet;

use windtunnel_api::exit::Exit;

use super::endpoint;
use super::rounds::Doctor;
use crate::App;
use crate::args::{DoctorArgs, GlobalArgs};
use crate::commands::execute;
use crate::commands::scope::Scope;
use crate::error::CliError;

pub(crate) fn run(app: &App, global: &GlobalArgs, args: &DoctorArgs) -> Result<Exit, CliError> {
    // An endpoint that is named is meant, and not the packs that happen to be here.
    let mut scope = if args.url.is_some() && args.select.paths.is_empty() {
        Scope::without_scenarios(app, global)?
    } else {
        Scope::resolve_any(app, global, &args.select)?
    };
    if let (Some(name), Some(url)) = (&args.runtime, &args.url) {
        let settings = &mut scope.settings;
        endpoint::set_url(&mut settings.config, name, url)?;
        if let Some(spec) = settings.config.runtimes.get(name) {
            windtunnel_runtimes::plugin(name, spec, &settings.base)?;
        }
    }
    let runtimes = execute::runtimes(app, &scope, &BTreeSet::new())?;
    // One that is configured and broken is a finding; one that nobody knows is a wrong request.
    if let Some(name) =
        args.runtime.as_deref().filter(|name| !scope.settings.config.runtimes.contains_key(*name))
    {
        runtimes.get(name)?;
    }
    let (_folder, workspace) = execute::scratch()?;
    let mut doctor = Doctor::new(&scope, &runtimes, app.tools(), args.runtime.as_deref(), workspace);
    doctor.settings();
    doctor.process(app);
    let interrupted = execute::runtime(1)?.block_on(async {
        let mut interrupts = execute::interrupts()?;
        // What is dropped in the middle is killed.
        tokio::select! {
            () = doctor.everything() => Ok::<_, CliError>(false),
            () = interrupts.next() => Ok(true),
        }
    })?;
    if interrupted {
        return Ok(Exit::Interrupted);
    }
    doctor.findings.conclude(args.format)
}
