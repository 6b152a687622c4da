//! `wt surface`

use camino::Utf8PathBuf;
use clap::{Args, Subcommand};

use super::SelectArgs;

const EXAMPLES: &str = "Examples:
  wt surface record my-pack
  wt surface check my-pack --runtime support_bot
  wt surface diff my-pack

The prompt surface is what a model is told besides the conversation: instructions and tools. It is taken from what the agent really sends:
the first golden reference case of every scenario is played with its script.";

#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct SurfaceArgs {
    #[command(subcommand)]
    pub(crate) action: SurfaceAction,
}

#[derive(Debug, Subcommand)]
pub(crate) enum SurfaceAction {
    /// Remember the surface of every pack in its surface.golden.json.
    #[command(after_help = "Examples:\n  wt surface record my-pack\n  wt surface record my-pack --with-text")]
    Record {
        #[command(flatten)]
        of: SurfaceOf,
        /// Also keep the text, so that changes can be shown. Without it, only hashes are kept.
        #[arg(long)]
        with_text: bool,
    },
    /// Say what has changed since, and succeed.
    #[command(after_help = "Examples:\n  wt surface diff my-pack")]
    Diff {
        #[command(flatten)]
        of: SurfaceOf,
    },
    /// Fail if anything has changed since.
    #[command(
        after_help = "Examples:\n  wt surface check my-pack\n\nExit codes: 0 nothing has changed; 1 something has; 2 wrong usage."
    )]
    Check {
        #[command(flatten)]
        of: SurfaceOf,
    },
}

/// Whose surface, and where it is remembered.
#[derive(Debug, Args)]
pub(crate) struct SurfaceOf {
    #[command(flatten)]
    pub(crate) select: SelectArgs,
    /// The runtime to use, instead of the packs' own.
    #[arg(long, value_name = "RUNTIME")]
    pub(crate) runtime: Option<String>,
    /// The golden file [default: surface.golden.json beside pack.toml].
    #[arg(long, value_name = "FILE")]
    pub(crate) golden: Option<Utf8PathBuf>,
}
