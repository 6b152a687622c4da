//! `wt doctor`

use clap::{Args, ValueEnum};

use super::SelectArgs;

const EXAMPLES: &str = "Examples:
  wt doctor
  wt doctor my-pack --runtime support_bot
  wt doctor --runtime http_inject --url http://127.0.0.1:8000     what an endpoint keeps of the contract

Exit codes: 0 nothing is wrong; 1 something is; 2 wrong usage or malformed files.";

#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct DoctorArgs {
    #[command(flatten)]
    pub(crate) select: SelectArgs,
    /// Only look at this runtime. One of kind `http_inject` is examined rule by rule; its agent is asked a dozen turns.
    #[arg(long, value_name = "RUNTIME")]
    pub(crate) runtime: Option<String>,
    /// The endpoint of a runtime of kind `http_inject`, configured or not: `--runtime http_inject`. Without a PATH no pack is looked at.
    #[arg(long, value_name = "URL", requires = "runtime")]
    pub(crate) url: Option<String>,
    /// How to print it.
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) format: DoctorFormat,
}

/// How what was found is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum DoctorFormat {
    /// A line per finding.
    Text,
    /// JSON.
    Json,
}
