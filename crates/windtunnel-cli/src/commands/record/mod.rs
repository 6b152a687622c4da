//! `wt record`: a session with a real provider becomes a pack.

mod fit;
mod live;
mod manifest;
mod notation;
mod pack;
mod program;
mod source;
mod summary;
mod watched;

use windtunnel_api::exit::Exit;
use windtunnel_api::scenario::permission::PermissionRule;
use windtunnel_inference::ServerError;
use windtunnel_inference::record::{Recorder, Redaction, Session, UpstreamError, Upstreams};

use self::pack::{Frame, PackFiles};
use self::source::Source;
use super::execute::block_on;
use crate::App;
use crate::args::{GlobalArgs, RecordArgs};
use crate::error::CliError;
use crate::folder::{self, NewFolder};
use crate::log;

/// What helps where the provider is not where it is said to be.
const NAME_IT: &str = "name the provider with --upstream, or correct OPENAI_BASE_URL or ANTHROPIC_BASE_URL";

pub(crate) fn run(app: &App, global: &GlobalArgs, args: &RecordArgs) -> Result<Exit, CliError> {
    // Before a session that may take long, and not after it.
    let folder = NewFolder::begin(&args.out)?;
    let name = args.name.clone().unwrap_or_else(|| folder::plain_name(&args.out, "recorded"));
    let recorded = match &args.pack {
        Some(pack) => live::record(app, global, args, pack, &name)?,
        None => block_on(1, program::record(args))?,
    };
    let (session, frame, failed) = match recorded {
        Recorded::Session { session, source, runtime, permissions, failed } => {
            (session, Frame { name, prompts: args.prompt.clone(), source, runtime, permissions }, failed)
        }
        Recorded::Failed { exit, reason } => {
            log::line(reason);
            log::line("nothing was written");
            return Ok(exit);
        }
    };
    if session.turns.is_empty() {
        let nothing = nothing_recorded(&session);
        return Err(match failed {
            Some(failed) => nothing.after_a_failure(&failed),
            None => nothing,
        });
    }
    let workspace = frame.source.as_ref().and_then(|source| source.copy_workspace(&folder));
    let files = PackFiles::of(&session, &frame, workspace)?;
    folder.commit(files.files.iter().cloned())?;
    log::line(summary::text(&session, &files, &args.out).trim_end());
    Ok(match failed {
        Some(failed) => {
            log::line(format!("\n{failed}: what it did until then is recorded"));
            Exit::Failure
        }
        None => Exit::Success,
    })
}

/// How a recording ended.
enum Recorded {
    /// With a session to be written.
    Session {
        session: Box<Session>,
        /// The pack that the agent had the tools and the files of.
        source: Option<Source>,
        /// The runtime that the agent ran on.
        runtime: Option<String>,
        /// What it was allowed when it asked, and what not.
        permissions: Vec<PermissionRule>,
        /// How the agent failed at the end, if it did.
        failed: Option<String>,
    },
    /// With an agent that failed in a session that is none.
    Failed { exit: Exit, reason: String },
}

async fn start(args: &RecordArgs, upstreams: Upstreams) -> Result<Recorder, CliError> {
    let variables = std::env::vars_os()
        .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)));
    Recorder::start(args.listen, upstreams, Redaction::of_variables(variables)).await.map_err(|error| {
        let help = match &error {
            ServerError::Listen { .. } => "name another one with --listen",
            ServerError::Circle { .. } => NAME_IT,
        };
        CliError::usage(error.to_string(), help)
    })
}

/// The providers: `--upstream`, else where the agent would have gone.
fn upstreams(
    args: &RecordArgs,
    openai: Option<&str>,
    anthropic: Option<&str>,
) -> Result<Upstreams, CliError> {
    let given = args.upstream.as_deref();
    Upstreams::of(given.or(openai), given.or(anthropic), args.insecure_upstream).map_err(|error| {
        let help = match &error {
            UpstreamError::NotOne { .. } => NAME_IT,
            UpstreamError::Insecure { .. } => {
                "use https, or add --insecure-upstream if nobody else is on the way"
            }
        };
        CliError::usage(error.to_string(), help)
    })
}

/// The value of a variable that says where a provider is.
fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.trim().is_empty())
}

fn nothing_recorded(session: &Session) -> CliError {
    if session.requests() == 0 {
        return CliError::usage(
            "no request for an answer came, so nothing was recorded",
            "the agent has to ask its model at the address that it is given: in OPENAI_BASE_URL, OPENAI_API_BASE or ANTHROPIC_BASE_URL, \
             or by a setting of its own",
        );
    }
    let said = session.exchanges.iter().rev().find_map(|exchange| {
        let problem = exchange.problem.as_ref()?;
        Some(format!("the provider answered {} to {}: {problem}", exchange.status, exchange.path))
    });
    let came = match session.requests() {
        1 => "1 request came and was not answered".to_owned(),
        more => format!("{more} requests came and none was answered"),
    };
    CliError::usage(
        format!("{came} with a decision, so nothing was recorded"),
        said.unwrap_or_else(|| "the last one had no answer".to_owned()),
    )
}
