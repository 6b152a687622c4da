//! `wt doctor`

use clap::Args;

use super::SelectArgs;

#[derive(Debug, Args)]
pub(crate) struct DoctorArgs {
    #[command(flatten)]
    pub(crate) select: SelectArgs,
    /// Only look at this runtime.
    #[arg(long, value_name = "RUNTIME")]
    pub(crate) runtime: Option<String>,
}
