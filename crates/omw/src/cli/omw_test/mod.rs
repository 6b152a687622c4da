//! `omw-test`: runs tests of agents.

mod args;
mod run;

use clap::Parser;
use windtunnel_api::exit::Exit;

use self::args::Command;
use super::Program;
use super::error::CliError;
use super::options::GlobalArgs;
use crate::config;

const EXAMPLES: &str = "Examples:
  omw-test run                               every test below the working folder
  omw-test run examples/omw --watch          again whenever a test, its bases or its scripts change
  omw-test run --include 'billing/**' -j 4   some of them, four side by side
  omw-test run hello --dump - | jq .         everything that was recorded
  omw-test run - --format toml < one.toml    a test from standard input

Exit codes: 0 all passed, 1 any failed, 2 the request was wrong, 130 interrupted.";

/// Deterministic tests of agents: the real brains in the real runtime, with scripted models, tools and clients around them.
///
/// Values of each test's config can be set from the environment: `OMW_TEST__TUNABLES__TEST_TIMEOUT_SECS` is
/// `tunables.test_timeout_secs`.
#[derive(Debug, Parser)]
#[command(name = "omw-test", version, max_term_width = 100, after_help = EXAMPLES)]
pub struct OmwTest {
    #[command(flatten)]
    global: GlobalArgs,
    #[command(subcommand)]
    command: Command,
}

impl OmwTest {
    /// The program: runs with this process's arguments.
    pub fn main() -> std::process::ExitCode {
        <Self as Program>::main()
    }
}

impl Program for OmwTest {
    // How agents end is what the tests report.
    const LOG_LEVEL: &str = "warn,omw::run::supervisor=off";

    fn global(&self) -> &GlobalArgs {
        &self.global
    }

    fn execute(self) -> Result<Exit, CliError> {
        match self.command {
            Command::Run(args) => run::run(*args, self.global),
            Command::Schema(args) => Self::schema(&args, config::test_schema),
        }
    }
}

#[cfg(test)]
mod tests {
    use clap::{CommandFactory, Parser};

    use super::OmwTest;

    #[test]
    fn the_definition_is_sound() {
        OmwTest::command().debug_assert();
    }

    #[test]
    fn good_and_bad_lines() {
        for (line, good) in [
            ("run", true),
            ("run a/b --include x --include y --exclude z", true),
            ("run --all -j 0 --dump - --dump-format yaml", true),
            ("run --all --fail-fast", false),
            ("run --dump-format yaml", false),
            ("run - --format yml", true),
            ("run --format xml", false),
            ("run -j two", false),
            ("run --watch --no-tests pass", true),
            ("run --no-tests maybe", false),
            ("run a b", false),
            ("schema", false),
            ("schema --output -", true),
            ("", false),
        ] {
            let words = std::iter::once("omw-test").chain(line.split_whitespace());
            assert_eq!(OmwTest::try_parse_from(words).is_ok(), good, "omw-test {line}");
        }
    }
}
