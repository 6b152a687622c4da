//! `wt schema`

use clap::{Args, ValueEnum};

const EXAMPLES: &str = "Examples:
  wt schema scenario > scenario.schema.json
  wt schema defaults > wt.toml";

#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct SchemaArgs {
    /// Of what.
    #[arg(value_name = "KIND")]
    pub(crate) kind: SchemaKind,
}

/// A reference that is made from the code.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum SchemaKind {
    /// JSON Schema of pack.toml.
    Pack,
    /// JSON Schema of scenario files.
    Scenario,
    /// JSON Schema of wt.toml.
    Config,
    /// The defaults, as a commented wt.toml.
    Defaults,
    /// The command line, as Markdown.
    Cli,
}
