//! `wt new`

use camino::Utf8PathBuf;
use clap::Args;

const EXAMPLES: &str = "Examples:
  wt new my-pack && wt selftest my-pack
  wt new --process my-process && wt run my-process";

#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct NewArgs {
    /// The folder to make.
    pub(crate) dir: Utf8PathBuf,
    /// Make a folder of process scenarios instead of a pack.
    #[arg(long)]
    pub(crate) process: bool,
}
