//! `wt serve`: a decision script as a model endpoint.

use windtunnel_api::exit::Exit;
use windtunnel_doc::{Document, Path};
use windtunnel_gate::pattern_faults;
use windtunnel_inference::serve::{DecisionScript, ServeError, ServedRequest, serve};

use super::execute;
use crate::args::ServeArgs;
use crate::error::CliError;
use crate::log;

pub(crate) fn run(args: &ServeArgs) -> Result<Exit, CliError> {
    let document = Document::read(&args.script)?;
    if document.root().get("reference_cases").is_some() {
        return Err(CliError::usage(
            format!("{} is a scenario, and holds a script per reference case", args.script),
            "copy the `decisions` of one case into a file of their own",
        ));
    }
    let script: DecisionScript = document.decode()?;
    document.diagnose(script.validate())?;
    execute::runtime(1)?.block_on(async {
        let mut interrupts = execute::interrupts()?;
        let serving =
            serve(script, args.listen, args.repeat, log).await.map_err(|error| refused(&document, &error))?;
        for (name, url) in serving.variables() {
            log::line(format!("{name}={url}"));
        }
        windtunnel_report::print(&format!("{}\n", serving.base_url()))?;
        interrupts.next().await;
        let progress = serving.progress();
        let complete = if args.repeat {
            log::line(format!("served {} decisions", progress.consumed));
            progress.violations.is_empty()
        } else {
            log::line(format!("served {} of {} decisions", progress.consumed, progress.decisions));
            progress.is_exact()
        };
        for violation in &progress.violations {
            log::line(violation);
        }
        Ok(if complete { Exit::Success } else { Exit::Failure })
    })
}

/// Why a script is not served, at its place in the file where it has one.
fn refused(document: &Document, error: &ServeError) -> CliError {
    let faults = match error {
        ServeError::Aside(errors) => errors
            .by_entry()
            .iter()
            .flat_map(|(index, errors)| {
                pattern_faults(errors, &Path::root().then("aside").then(*index).then("pattern"))
            })
            .collect(),
        ServeError::Decisions(_) | ServeError::Server(_) => Vec::new(),
    };
    match document.diagnose(faults) {
        Err(problems) => problems.into(),
        Ok(()) => CliError::usage(format!("{}: {error}", document.name()), "see `wt serve --help`"),
    }
}

fn log(request: &ServedRequest) {
    let ServedRequest { method, path, status, answer } = request;
    let status = status.map_or_else(|| "closed".to_owned(), |status| status.to_string());
    match answer {
        Some(answer) => log::line(format!("{method} {path} {status} {answer}")),
        None => log::line(format!("{method} {path} {status}")),
    }
}
