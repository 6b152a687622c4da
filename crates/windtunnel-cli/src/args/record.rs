//! `wt record`

use std::net::SocketAddr;

use camino::Utf8PathBuf;
use clap::Args;
use clap::builder::NonEmptyStringValueParser;

use crate::folder::MAX_NAME;

const EXAMPLES: &str = "Examples:
  wt record --out refund -- python3 agent.py 'Refund order A-17.'
  wt record my-pack --runtime support_bot --prompt 'Refund order A-17.' --out refund
  wt record --out refund --listen 127.0.0.1:8080        until Ctrl-C, for an agent that is started elsewhere

Requests go on to where OPENAI_BASE_URL and ANTHROPIC_BASE_URL point, else to the public providers. Keys are passed on and never kept.
A pack is written: a scenario with the decisions as they came as its golden case, a universe of the witnessed tool calls, and the
recording. `wt selftest` of it fails until somebody has written down what a right answer must say.

Exit codes: 0 the pack is written; 1 the agent failed, and what it did until then is written if there is any; 2 wrong usage, or
nothing was recorded. Ctrl-C ends the session, and is no failure.";

#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct RecordArgs {
    /// A pack whose tools the agent gets, each behind its recorder; the runtime of the pack is run live.
    #[arg(value_name = "PACK", conflicts_with = "command")]
    pub(crate) pack: Option<Utf8PathBuf>,
    /// The folder to make.
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Utf8PathBuf,
    /// The name of the scenario and its files [default: the folder's].
    #[arg(long, value_name = "NAME", value_parser = plain_name)]
    pub(crate) name: Option<String>,
    /// What the agent is asked; repeated for several turns. Without a pack it only stands in the scenario.
    #[arg(long, value_name = "TEXT", value_parser = NonEmptyStringValueParser::new())]
    pub(crate) prompt: Vec<String>,
    /// Ask what this scenario of the pack asks.
    #[arg(long, value_name = "NAME", requires = "pack", conflicts_with = "prompt")]
    pub(crate) scenario: Option<String>,
    /// The runtime to use, instead of the pack's own.
    #[arg(long, value_name = "RUNTIME", requires = "pack")]
    pub(crate) runtime: Option<String>,
    /// The provider: a base URL as clients are given it.
    #[arg(long, value_name = "URL")]
    pub(crate) upstream: Option<String>,
    /// Allow an upstream that is neither encrypted nor on this machine.
    #[arg(long)]
    pub(crate) insecure_upstream: bool,
    /// Where to listen; port 0 takes a free one.
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:0")]
    pub(crate) listen: SocketAddr,
    /// A program to start and to wait for, with `OPENAI_BASE_URL`, `OPENAI_API_BASE` and `ANTHROPIC_BASE_URL` set.
    #[arg(last = true, value_name = "COMMAND")]
    pub(crate) command: Vec<String>,
}

/// A name that goes into file names.
fn plain_name(text: &str) -> Result<String, String> {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
    if text.is_empty() || !text.chars().all(plain) {
        return Err("expected letters, digits, `_` and `-`".to_owned());
    }
    if text.len() > MAX_NAME {
        return Err(format!("{} characters are more than {MAX_NAME}", text.len()));
    }
    Ok(text.to_owned())
}
