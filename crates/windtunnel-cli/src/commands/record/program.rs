//! An agent that a person starts: as the command's own program, or elsewhere.

use std::time::Duration;

use camino::Utf8PathBuf;
use tokio::time::timeout;
use windtunnel_api::config::Wire;
use windtunnel_child::{Command, Environment};
use windtunnel_inference::record::{Recorder, Witnessed};
use windtunnel_runner::Interrupts;
use windtunnel_spi::CaseWorld;

use super::{Recorded, start, upstreams, variable};
use crate::args::RecordArgs;
use crate::commands::execute;
use crate::error::CliError;
use crate::log;

/// How much later than its program this process may learn of an interrupt.
const SAME_INTERRUPT: Duration = Duration::from_millis(100);

pub(super) async fn record(args: &RecordArgs) -> Result<Recorded, CliError> {
    let (openai, anthropic) = (variable("OPENAI_BASE_URL"), variable("ANTHROPIC_BASE_URL"));
    let upstreams = upstreams(args, openai.as_deref(), anthropic.as_deref())?;
    let mut interrupts = execute::interrupts()?;
    let recorder = start(args, upstreams).await?;
    let failed = if args.command.is_empty() {
        windtunnel_report::print(&format!("{}\n", recorder.base_url(Wire::OpenAiChat)))?;
        let variables = recorder.variables().into_iter().map(|(name, value)| format!("{name}={value}"));
        log::line(format!(
            "{}; Ctrl-C ends the session and writes {}",
            variables.collect::<Vec<_>>().join(" "),
            args.out
        ));
        interrupts.next().await;
        None
    } else {
        run(&args.command, &recorder, &mut interrupts).await?
    };
    let session = recorder.take(Witnessed::default()).await;
    let session = session.map_err(|error| CliError::Usage { message: error.to_string(), help: None })?;
    Ok(Recorded::Session {
        session: Box::new(session),
        source: None,
        runtime: None,
        permissions: Vec::new(),
        failed,
    })
}

/// Runs the program to its end, and says how it failed if it did. An interrupt ends it, which is no failure: what it did so far is the
/// session.
async fn run(
    command: &[String],
    recorder: &Recorder,
    interrupts: &mut Interrupts,
) -> Result<Option<String>, CliError> {
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
    let ended = tokio::select! {
        ended = child.wait() => ended,
        () = interrupts.next() => {
            child.kill().await;
            return Ok(None);
        }
    };
    // An interrupt from a terminal reaches the program too, and it may be the first to know.
    if ended.is_success() || timeout(SAME_INTERRUPT, interrupts.next()).await.is_ok() {
        return Ok(None);
    }
    Ok(Some(format!("{} {ended}", command.first().map_or("the program", String::as_str))))
}
