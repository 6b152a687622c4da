//! `wt doctor`

use clap::Args;

use super::SelectArgs;

const EXAMPLES: &str = "Examples:
  wt doctor
  wt doctor my-pack --runtime support_bot

Exit codes: 0 everything is in order; 1 something is not; 2 wrong usage or malformed files.";

#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct DoctorArgs {
    #[command(flatten)]
    pub(crate) select: SelectArgs,
    /// Only look at this runtime.
    #[arg(long, value_name = "RUNTIME")]
    pub(crate) runtime: Option<String>,
}
