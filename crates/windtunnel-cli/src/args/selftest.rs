//! `wt selftest`

use clap::Args;

use super::{ExecuteArgs, ReportArgs, SelectArgs};

const EXAMPLES: &str = "Examples:
  wt selftest examples/quickstart
  wt selftest --pack billing --format junit --out selftest.xml
  wt selftest --scenario 'refund*' --keep-workspace

Verdicts: PASS, GOLDEN_FAILED, POISON_PASSED, UNSUPPORTED, ERROR.
Exit codes: 0 all PASS; 1 any GOLDEN_FAILED, POISON_PASSED or ERROR; 2 unsupported runtime, wrong usage or nothing selected.";

#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct SelftestArgs {
    #[command(flatten)]
    pub(crate) select: SelectArgs,
    #[command(flatten)]
    pub(crate) execute: ExecuteArgs,
    /// Also fail scenarios without at least one golden and one poison case.
    #[arg(long)]
    pub(crate) strict: bool,
    #[command(flatten)]
    pub(crate) report: ReportArgs,
}
