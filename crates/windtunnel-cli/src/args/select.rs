//! Options that several commands share.

use std::num::NonZeroUsize;

use camino::Utf8PathBuf;
use clap::{Args, ValueEnum};

/// Which scenarios.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct SelectArgs {
    /// Packs, scenarios, or folders of them [default: the working folder].
    #[arg(value_name = "PATH")]
    pub(crate) paths: Vec<Utf8PathBuf>,
    /// Only scenarios of this name, or matching this glob; repeatable.
    #[arg(long, value_name = "NAME|GLOB", help_heading = "Selection")]
    pub(crate) scenario: Vec<String>,
    /// Only scenarios with this tag; repeatable.
    #[arg(long, value_name = "TAG", help_heading = "Selection")]
    pub(crate) tag: Vec<String>,
    /// Only scenarios of this pack; repeatable.
    #[arg(long, value_name = "PACK", help_heading = "Selection")]
    pub(crate) pack: Vec<String>,
    /// Only scenarios of packs with this owner; repeatable.
    #[arg(long, value_name = "OWNER", help_heading = "Selection")]
    pub(crate) owner: Vec<String>,
}

/// How cases are run.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct ExecuteArgs {
    /// The runtime to use, instead of the packs' own.
    #[arg(long, value_name = "RUNTIME")]
    pub(crate) runtime: Option<String>,
    /// How many cases run side by side, where the runtime allows it [default: the number of cores].
    #[arg(long, short, value_name = "N", value_parser = at_least_one)]
    pub(crate) jobs: Option<NonZeroUsize>,
    /// Stop starting cases after the first that is not as expected.
    #[arg(long)]
    pub(crate) fail_fast: bool,
    /// Where traces and scores go [default: `runs_dir` of wt.toml].
    #[arg(long, value_name = "DIR")]
    pub(crate) runs_dir: Option<Utf8PathBuf>,
    /// Leave the workspace of every case behind, and say where it is.
    #[arg(long)]
    pub(crate) keep_workspace: bool,
    /// Run again what a change of files affects, until interrupted.
    #[arg(long)]
    pub(crate) watch: bool,
}

/// What is reported, and where to.
#[derive(Debug, Clone, Args)]
pub(crate) struct ReportArgs {
    /// Also write a machine-readable report.
    #[arg(long, value_name = "FORMAT", help_heading = "Report")]
    pub(crate) format: Option<ReportFormat>,
    /// The report's file [default: standard output].
    #[arg(long, value_name = "FILE", requires = "format", help_heading = "Report")]
    pub(crate) out: Option<Utf8PathBuf>,
    /// Only show what is not as expected, and the tally.
    #[arg(long, short, help_heading = "Report")]
    pub(crate) quiet: bool,
}

/// A machine-readable format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ReportFormat {
    /// JUnit XML.
    Junit,
    /// JSON.
    Json,
}

/// A number of things to do.
pub(super) fn at_least_one(text: &str) -> Result<NonZeroUsize, String> {
    text.parse().map_err(|_| "expected a whole number from 1 up".to_owned())
}
