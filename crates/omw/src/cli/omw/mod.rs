//! `omw`: runs agents, and makes tests of them.

mod args;
mod run;
#[cfg(feature = "scaffold")]
mod scaffold;

use clap::Parser;
use windtunnel_api::exit::Exit;

use self::args::Command;
use super::Program;
use super::error::CliError;
use super::options::GlobalArgs;
use crate::config;

const EXAMPLES: &str = "Examples:
  omw run                        the agents of the omw.toml here, once
  omw loop --watch               for ever, with scripts replaced as they change
  omw scaffold omw.toml          a test of that config, with mocks filled in from the real back ends
  OMW__ENDPOINT__LISTEN=127.0.0.1:9000 omw run

Exit codes: 0 ended or stopped as asked, 1 an agent failed, 2 the request was wrong.";

/// Runs the agents of an omw.toml, and makes tests of them.
///
/// Values of the config can be set from the environment: `OMW__PROVIDERS__LLM__API_KEY` is `providers.llm.api_key`.
#[derive(Debug, Parser)]
#[command(name = "omw", version, max_term_width = 100, after_help = EXAMPLES)]
pub struct Omw {
    #[command(flatten)]
    global: GlobalArgs,
    #[command(subcommand)]
    command: Command,
}

impl Omw {
    /// The program: runs with this process's arguments.
    pub fn main() -> std::process::ExitCode {
        <Self as Program>::main()
    }
}

impl Program for Omw {
    const LOG_LEVEL: &str = "info,rmcp=off";

    fn global(&self) -> &GlobalArgs {
        &self.global
    }

    fn execute(self) -> Result<Exit, CliError> {
        match self.command {
            Command::Run(args) => run::run(&args, false),
            Command::Loop(args) => run::run(&args, true),
            #[cfg(feature = "scaffold")]
            Command::Scaffold(args) => scaffold::run(&args),
            Command::Schema(args) => Self::schema(&args, config::schema),
        }
    }
}

#[cfg(test)]
mod tests {
    use clap::{CommandFactory, Parser};

    use super::Omw;

    #[test]
    fn the_definition_is_sound() {
        Omw::command().debug_assert();
    }

    #[test]
    fn good_and_bad_lines() {
        for (line, good) in [
            ("run", true),
            ("run --config a.yaml --format yml --watch", true),
            ("run --format xml", false),
            ("loop --watch --log-format journald", true),
            ("scaffold", false),
            ("scaffold omw.toml --output - --force --no-resources", true),
            ("scaffold a b", false),
            ("schema", false),
            ("schema --output -", true),
            ("test", false),
            ("", false),
        ] {
            let words = std::iter::once("omw").chain(line.split_whitespace());
            assert_eq!(Omw::try_parse_from(words).is_ok(), good, "omw {line}");
        }
    }
}
