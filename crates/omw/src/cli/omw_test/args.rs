//! The command line of `omw-test` as clap sees it.

use camino::Utf8PathBuf;
use clap::{Args, Subcommand, ValueEnum};

use crate::cli::options::{ConfigFormat, SchemaArgs};
use crate::testing::DumpFormat;

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Run tests.
    Run(Box<RunArgs>),
    /// Write the JSON Schema of a test.
    Schema(SchemaArgs),
}

#[derive(Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "they are flags")]
pub(super) struct RunArgs {
    /// A folder with tests, one test, or `-` for a test on standard input.
    #[arg(value_name = "PATH", default_value = ".")]
    pub(super) path: Utf8PathBuf,
    /// Only tests whose path below PATH matches; repeatable. `*` stays within a folder, `**` does not.
    #[arg(long, value_name = "GLOB")]
    pub(super) include: Vec<String>,
    /// No tests whose path below PATH matches; repeatable.
    #[arg(long, value_name = "GLOB")]
    pub(super) exclude: Vec<String>,
    /// How the files are written, whatever their names say.
    #[arg(long, value_name = "FORMAT")]
    pub(super) format: Option<ConfigFormat>,
    /// How many tests run side by side; 0 is one for each core.
    #[arg(long, short, value_name = "N", default_value_t = 0, hide_default_value = true)]
    pub(super) jobs: usize,
    /// Start no more tests after the first failure.
    #[arg(long, conflicts_with = "all")]
    pub(super) fail_fast: bool,
    /// Run all tests, whatever fails; so it is without it.
    #[arg(long)]
    pub(super) all: bool,
    /// Run again what a change of files affects, until interrupted.
    #[arg(long)]
    pub(super) watch: bool,
    /// Where everything that was recorded goes; `-` is standard output.
    #[arg(long, value_name = "FILE")]
    pub(super) dump: Option<Utf8PathBuf>,
    /// How the dump is written.
    #[arg(long, value_name = "FORMAT", default_value = "json", requires = "dump")]
    pub(super) dump_format: DumpAs,
    /// Also write a `JUnit` report.
    #[arg(long, value_name = "FILE")]
    pub(super) junit: Option<Utf8PathBuf>,
    /// Also write a JSON report.
    #[arg(long, value_name = "FILE")]
    pub(super) json: Option<Utf8PathBuf>,
    /// What it means that no test is selected.
    #[arg(long, value_name = "MEANING", default_value = "fail")]
    pub(super) no_tests: NoTests,
    /// Only show failures, and the tally.
    #[arg(long, short)]
    pub(super) quiet: bool,
}

/// How a dump is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum DumpAs {
    /// JSON, indented.
    Json,
    /// YAML.
    Yaml,
    /// TOML, without what is null.
    Toml,
}

impl From<DumpAs> for DumpFormat {
    fn from(format: DumpAs) -> Self {
        match format {
            DumpAs::Json => Self::Json,
            DumpAs::Yaml => Self::Yaml,
            DumpAs::Toml => Self::Toml,
        }
    }
}

/// What it means that no test is selected.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum NoTests {
    /// The request was wrong.
    Fail,
    /// Nothing failed.
    Pass,
}
