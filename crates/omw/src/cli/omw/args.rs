//! The command line of `omw` as clap sees it.

use camino::Utf8PathBuf;
use clap::{Args, Subcommand};

use crate::cli::options::{ConfigFormat, SchemaArgs};

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Run every agent once.
    Run(RunArgs),
    /// Run every agent for ever: again at once when it ended, after a growing pause when it failed.
    Loop(RunArgs),
    #[cfg(feature = "scaffold")]
    /// Make a test of a config: mocks filled in from the real back ends, and none of their parameters.
    Scaffold(ScaffoldArgs),
    /// Write the JSON Schema of a config.
    Schema(SchemaArgs),
}

#[derive(Debug, Args)]
pub(super) struct RunArgs {
    /// The config; without it the first of omw.toml, omw.yaml, omw.yml and omw.json in the working folder.
    #[arg(long, value_name = "FILE")]
    pub(super) config: Option<Utf8PathBuf>,
    /// How the config is written, where its name does not say it.
    #[arg(long, value_name = "FORMAT")]
    pub(super) format: Option<ConfigFormat>,
    /// Replace brains whose scripts change. A script with a mistake changes nothing.
    #[arg(long)]
    pub(super) watch: bool,
}

#[cfg(feature = "scaffold")]
#[derive(Debug, Args)]
pub(super) struct ScaffoldArgs {
    /// The config of the deployment.
    #[arg(value_name = "CONFIG")]
    pub(super) config: Utf8PathBuf,
    /// How the config is written, where its name does not say it.
    #[arg(long, value_name = "FORMAT")]
    pub(super) format: Option<ConfigFormat>,
    /// Where the test goes; without it omw.test.toml beside the config. `-` is standard output.
    #[arg(long, short, value_name = "FILE")]
    pub(super) output: Option<Utf8PathBuf>,
    /// Overwrite what is there.
    #[arg(long)]
    pub(super) force: bool,
    /// Do not list and read resources.
    #[arg(long)]
    pub(super) no_resources: bool,
}
