//! Options that both programs have.

use camino::Utf8PathBuf;
use clap::ValueEnum;
use windtunnel_doc::Format;
use windtunnel_report::Colour;

/// Options of every command.
#[derive(Debug, Clone, Copy, clap::Args)]
pub(super) struct GlobalArgs {
    /// How the log on standard error is written: `auto` is `tty` on a terminal, `journald` under systemd, else `pipe`.
    #[arg(long, global = true, value_name = "FORMAT", default_value = "auto")]
    pub(super) log_format: LogFormat,
    /// When to colour the output; `NO_COLOR` is honoured too.
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    pub(super) color: ColorWhen,
}

/// How the log is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum LogFormat {
    /// Whatever standard error is.
    Auto,
    /// Lines for people.
    Tty,
    /// One JSON object a line.
    Pipe,
    /// Lines with a priority, without a time.
    Journald,
}

/// When output is coloured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum ColorWhen {
    /// On a terminal, unless `NO_COLOR` is set.
    Auto,
    /// Also in a pipe.
    Always,
    /// Not at all.
    Never,
}

impl From<ColorWhen> for Colour {
    fn from(when: ColorWhen) -> Self {
        match when {
            ColorWhen::Auto => Self::Auto,
            ColorWhen::Always => Self::Always,
            ColorWhen::Never => Self::Never,
        }
    }
}

/// The format of a config, where its name does not say it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum ConfigFormat {
    /// TOML.
    Toml,
    /// YAML.
    #[value(alias = "yml")]
    Yaml,
    /// JSON.
    Json,
}

impl From<ConfigFormat> for Format {
    fn from(format: ConfigFormat) -> Self {
        match format {
            ConfigFormat::Toml => Self::Toml,
            ConfigFormat::Yaml => Self::Yaml,
            ConfigFormat::Json => Self::Json,
        }
    }
}

/// A reference that is made from the code, and where it goes.
#[derive(Debug, clap::Args)]
pub(super) struct SchemaArgs {
    /// What is written.
    #[arg(value_enum, default_value = "config")]
    pub(super) kind: SchemaKind,
    /// The file; `-` is standard output.
    #[arg(long, short, value_name = "FILE")]
    pub(super) output: Utf8PathBuf,
}

/// What `schema` writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum SchemaKind {
    /// The JSON Schema of the files that the program reads.
    Config,
    /// The command-line reference, as a page of the book.
    Cli,
}
