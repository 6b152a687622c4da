//! `wt run`

use std::num::NonZeroUsize;

use clap::Args;
use clap::builder::NonEmptyStringValueParser;

use super::select::at_least_one;
use super::{ExecuteArgs, ReportArgs, SelectArgs};

const EXAMPLES: &str = "Examples:
  wt run my-pack
  wt run --runs 10 --label candidate --tag smoke
  wt run --runtime support_bot --format json --out rows.json
  wt run my-process --scenario 'review-*' --watch

A folder with a scenario.yaml is a process scenario; of a folder that holds one, every visible folder has to be one, whatever .gitignore
says, but the folder of the runs. They need no model and no runtime, run once whatever --runs says, and have neither tags nor a pack, so that --tag, --pack and --owner leave
them out. Their event logs and verdicts go to process/ below the folder of the runs.

Exit codes: 0 every scenario PASS or PASS_WITH_VARIANCE; 1 any FAIL, INVALID or error, as a malformed process scenario; 2 wrong \
usage, malformed packs or nothing selected.";

#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct RunArgs {
    #[command(flatten)]
    pub(crate) select: SelectArgs,
    #[command(flatten)]
    pub(crate) execute: ExecuteArgs,
    /// Runs of every scenario of a pack.
    #[arg(long, value_name = "N", default_value = "1", value_parser = at_least_one)]
    pub(crate) runs: NonZeroUsize,
    /// Names this sweep, to compare it with others.
    #[arg(long, value_name = "LABEL", default_value = "default", value_parser = NonEmptyStringValueParser::new())]
    pub(crate) label: String,
    #[command(flatten)]
    pub(crate) report: ReportArgs,
}
