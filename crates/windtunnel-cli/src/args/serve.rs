//! `wt serve`

use std::net::SocketAddr;

use camino::Utf8PathBuf;
use clap::Args;

const EXAMPLES: &str = "Examples:
  wt serve --script decisions.toml --listen 127.0.0.1:8080
  OPENAI_BASE_URL=http://127.0.0.1:8080/v1 my-agent 'Refund order A-17.'

A script is a file with `decisions`, written as in a reference case, or `turns`; `[[aside]]` answers side requests.";

#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct ServeArgs {
    /// The decision script: TOML, YAML or JSON.
    #[arg(long, value_name = "FILE")]
    pub(crate) script: Utf8PathBuf,
    /// Where to listen; port 0 takes a free one. The address is printed.
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:0")]
    pub(crate) listen: SocketAddr,
    /// Begin again when the script ends, instead of refusing further requests.
    #[arg(long)]
    pub(crate) repeat: bool,
}
