//! An agent that a person starts: as the command's own program, or elsewhere.

use camino::Utf8PathBuf;
use windtunnel_api::config::Wire;
use windtunnel_child::{Command, Environment, Exit as ChildExit};
use windtunnel_inference::record::{Recorder, Witnessed};
use windtunnel_runner::Interrupts;
use windtunnel_spi::CaseWorld;

use super::{Recorded, start, upstreams, variable};
use crate::args::RecordArgs;
use crate::commands::execute;
use crate::error::CliError;
use crate::log;

pub(super) async fn record(args: &RecordArgs) -> Result<Recorded, CliError> {
    let (openai, anthropic) = (variable("OPENAI_BASE_URL"), variable("ANTHROPIC_BASE_URL"));
    let upstreams = upstreams(args, openai.as_deref(), anthropic.as_deref())?;
    let mut interrupts = execute::interrupts()?;
    let recorder = start(args, upstreams).await?;
    if args.command.is_empty() {
        windtunnel_report::print(&format!("{}\n", recorder.base_url(Wire::OpenAiChat)))?;
        let variables = recorder.variables().into_iter().map(|(name, value)| format!("{name}={value}"));
        log::line(format!(
            "{}; Ctrl-C ends the session and writes {}",
            variables.collect::<Vec<_>>().join(" "),
            args.out
        ));
        interrupts.next().await;
    } else {
        let ended = run(&args.command, &recorder, &mut interrupts).await?;
        if !ended.is_success() {
            log::line(format!("{} {ended}", args.command.first().map_or("the program", String::as_str)));
        }
    }
    let session = recorder.take(Witnessed::default()).await;
    let session = session.map_err(|error| CliError::Usage { message: error.to_string(), help: None })?;
    Ok(Recorded::Session { session: Box::new(session), runtime: None })
}

/// Runs the program to its end. An interrupt ends it, and then what it did so far is the session.
async fn run(
    command: &[String],
    recorder: &Recorder,
    interrupts: &mut Interrupts,
) -> Result<ChildExit, CliError> {
    let here =
        std::env::current_dir().map_err(|error| CliError::io("cannot find the working folder", error))?;
    let here = Utf8PathBuf::from_path_buf(here).map_err(|path| {
        CliError::usage(format!("{} is not UTF-8", path.display()), "call it in a folder that is")
    })?;
    let failed = |error: windtunnel_child::ChildError| {
        CliError::usage(
            error.to_string(),
            "what follows `--` is a program with its arguments, not a line of a shell",
        )
    };
    // Older clients of OpenAI's wires read another name.
    let older = ("OPENAI_API_BASE", recorder.base_url(Wire::OpenAiChat));
    let environment = recorder
        .variables()
        .into_iter()
        .chain([older])
        .try_fold(Environment::inherited(), |environment, (name, value)| environment.set_plain(name, &value))
        .map_err(failed)?;
    let child = Command::new(command, here.clone())
        .env(environment)
        .foreground()
        .spawn(&CaseWorld::new("record", here))
        .map_err(failed)?;
    tokio::select! {
        exit = child.wait() => Ok(exit),
        () = interrupts.next() => Ok(child.kill().await),
    }
}
