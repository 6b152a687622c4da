//! `wt serve`: a decision script as a model endpoint.

use windtunnel_api::exit::Exit;
use windtunnel_doc::Document;
use windtunnel_inference::serve::{DecisionScript, ServedRequest, serve};

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
    execute::runtime(1)?.block_on(async {
        let mut interrupts = execute::interrupts()?;
        let serving = serve(script, args.listen, args.repeat, log)
            .await
            .map_err(|error| CliError::usage(format!("{}: {error}", args.script), "see `wt serve --help`"))?;
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

fn log(request: &ServedRequest) {
    let ServedRequest { method, path, status, answer } = request;
    let status = status.map_or_else(|| "closed".to_owned(), |status| status.to_string());
    match answer {
        Some(answer) => log::line(format!("{method} {path} {status} {answer}")),
        None => log::line(format!("{method} {path} {status}")),
    }
}
