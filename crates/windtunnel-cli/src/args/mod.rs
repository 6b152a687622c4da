//! The command line as clap sees it. Nothing here does I/O.

mod doctor;
mod list;
mod new;
mod record;
mod run;
mod schema;
mod select;
mod selftest;
mod serve;
mod surface;

use camino::Utf8PathBuf;
use clap::{Parser, Subcommand, ValueEnum};

pub(crate) use doctor::{DoctorArgs, DoctorFormat};
pub(crate) use list::{ListArgs, ListFormat};
pub(crate) use new::NewArgs;
pub(crate) use record::RecordArgs;
pub(crate) use run::RunArgs;
pub(crate) use schema::{SchemaArgs, SchemaKind};
pub(crate) use select::{ExecuteArgs, ReportArgs, ReportFormat, SelectArgs};
pub(crate) use selftest::SelftestArgs;
pub(crate) use serve::ServeArgs;
pub(crate) use surface::{SurfaceAction, SurfaceArgs, SurfaceOf};

/// Deterministic, evidence-based tests for AI agents.
///
/// A scenario says what an agent is asked and which gate judges what it did. `wt selftest` proves the gates with scripted
/// decisions, without a model; `wt run` runs the agent itself.
#[derive(Debug, Parser)]
#[command(name = "wt", version, max_term_width = 100, after_help = EXAMPLES)]
pub(crate) struct Cli {
    #[command(flatten)]
    pub(crate) global: GlobalArgs,
    #[command(subcommand)]
    pub(crate) command: Command,
}

const EXAMPLES: &str = "Examples:
  wt new my-pack && wt selftest my-pack     a first pack, and the proof that its gate works
  wt selftest --tag smoke --jobs 4          some scenarios, four side by side
  wt run --runs 5 --label candidate         five runs of every scenario
  wt run my-process                         every process scenario of a folder, without a model
  wt list --format json                     what there is to run
  wt record --out refund -- python3 bot.py  a session with a real model as a first golden case
  wt surface check                          whether anybody has changed what the model is told

Exit codes: 0 all as expected, 1 a test said no, 2 the request was wrong, 130 interrupted.";

const BRIDGE_EXAMPLES: &str = "Examples:
  wt mcp-bridge \"$MCP_URL\"     for an agent that only starts MCP servers as programs";

const COMPLETIONS_EXAMPLES: &str = "Examples:
  wt completions bash > ~/.local/share/bash-completion/completions/wt
  wt completions fish > ~/.config/fish/completions/wt.fish";

/// Options of every command.
#[derive(Debug, clap::Args)]
pub(crate) struct GlobalArgs {
    /// Use this configuration instead of the wt.toml found from the working folder upward.
    #[arg(long, global = true, value_name = "FILE")]
    pub(crate) config: Option<Utf8PathBuf>,
    /// When to colour the output; `NO_COLOR` is honoured too.
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    pub(crate) color: ColorWhen,
}

/// When output is coloured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ColorWhen {
    /// On a terminal, unless `NO_COLOR` is set.
    Auto,
    /// Also in a pipe.
    Always,
    /// Not at all.
    Never,
}

impl From<ColorWhen> for windtunnel_report::Colour {
    fn from(when: ColorWhen) -> Self {
        match when {
            ColorWhen::Auto => Self::Auto,
            ColorWhen::Always => Self::Always,
            ColorWhen::Never => Self::Never,
        }
    }
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Prove the gates: golden cases must pass them, poison cases must fail them.
    Selftest(SelftestArgs),
    /// Run scenarios against the agent itself, and play process scenarios.
    Run(RunArgs),
    /// List the scenarios, with what would be run.
    List(ListArgs),
    /// Make a starter pack that passes its own self-test, or process scenarios that pass.
    New(NewArgs),
    /// Start and stop every tool server, set up every runtime, read every process scenario, and say what is wrong.
    Doctor(DoctorArgs),
    /// Serve a decision script as a model endpoint, by hand or for other harnesses.
    Serve(ServeArgs),
    /// Record an agent's session with a real provider as a pack: golden case, universe and scenario.
    Record(RecordArgs),
    /// Remember what agents tell their models besides the conversation, and say what has changed.
    Surface(SurfaceArgs),
    /// Speak MCP on standard input and output for a server at a URL.
    #[command(after_help = BRIDGE_EXAMPLES)]
    McpBridge {
        /// The server's streamable-HTTP address.
        url: String,
    },
    /// Print the JSON Schema of a file that people write, or another reference.
    Schema(SchemaArgs),
    /// Print a completion script.
    #[command(after_help = COMPLETIONS_EXAMPLES)]
    Completions {
        /// For which shell.
        shell: clap_complete::Shell,
    },
}

#[cfg(test)]
mod tests {
    use clap::{CommandFactory, Parser};

    use super::Cli;

    #[test]
    fn the_definition_is_sound() {
        Cli::command().debug_assert();
    }

    #[test]
    fn every_command_and_argument_says_what_it_is_for() {
        for command in Cli::command().get_subcommands().filter(|command| !command.is_hide_set()) {
            assert!(command.get_about().is_some(), "{} has no help", command.get_name());
            for argument in command.get_arguments() {
                assert!(
                    argument.get_help().is_some(),
                    "{} {} has no help",
                    command.get_name(),
                    argument.get_id()
                );
            }
        }
    }

    #[test]
    fn good_and_bad_lines() {
        for (line, good) in [
            ("selftest", true),
            ("selftest examples/quickstart --scenario a* --scenario b --tag t --pack p --owner o", true),
            ("selftest --format junit --out x.xml --jobs 2 --strict --fail-fast", true),
            ("selftest --format xml", false),
            ("selftest --out x.xml", false),
            ("selftest --jobs 0", false),
            ("selftest --runs 3", false),
            ("run --runs 3 --label l --keep-workspace", true),
            ("run --runs 0", false),
            ("run --label ''", false),
            ("list --format json", true),
            ("list --format junit", false),
            ("new", false),
            ("new dir", true),
            ("new --process dir", true),
            ("new --process", false),
            ("serve", false),
            ("serve --script s.toml --listen 127.0.0.1:0", true),
            ("serve --script s.toml --listen nowhere", false),
            ("surface", false),
            ("surface record pack --with-text", true),
            ("surface check pack --scenario s --runtime r --golden g.json", true),
            ("surface diff", true),
            ("surface check --with-text", false),
            ("record --out dir", true),
            ("record --out dir --prompt p --upstream http://127.0.0.1:1/v1 -- sh -c x", true),
            ("record pack --out dir --runtime r --prompt a --prompt b", true),
            ("record pack --out dir --scenario s", true),
            ("record", false),
            ("record pack --out dir -- sh", false),
            ("record --out dir --runtime r", false),
            ("record --out dir --scenario s", false),
            ("record pack --out dir --scenario s --prompt p", false),
            ("record --out dir --name a/b", false),
            ("doctor --runtime http_inject --url http://127.0.0.1:1 --format json", true),
            ("doctor --url http://127.0.0.1:1", false),
            ("doctor --format junit", false),
            ("mcp-bridge http://127.0.0.1:1/mcp", true),
            ("schema pack", true),
            ("schema nothing", false),
            ("completions bash", true),
            ("frobnicate", false),
            ("", false),
        ] {
            let words =
                std::iter::once("wt").chain(line.split_whitespace()).map(|word| word.trim_matches('\''));
            assert_eq!(Cli::try_parse_from(words).is_ok(), good, "wt {line}");
        }
    }
}
