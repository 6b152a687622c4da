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

Exit codes: 0 every scenario PASS or PASS_WITH_VARIANCE; 1 any FAIL, INVALID or error; 2 wrong usage or nothing selected.";

#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct RunArgs {
    #[command(flatten)]
    pub(crate) select: SelectArgs,
    #[command(flatten)]
    pub(crate) execute: ExecuteArgs,
    /// Runs of every scenario.
    #[arg(long, value_name = "N", default_value = "1", value_parser = at_least_one)]
    pub(crate) runs: NonZeroUsize,
    /// Names this sweep, to compare it with others.
    #[arg(long, value_name = "LABEL", default_value = "default", value_parser = NonEmptyStringValueParser::new())]
    pub(crate) label: String,
    #[command(flatten)]
    pub(crate) report: ReportArgs,
}
