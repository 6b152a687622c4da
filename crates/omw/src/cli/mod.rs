//! The two programs, `omw` and `omw-test`: their arguments, and what they call. Each binary is one line.

mod error;
mod log;
mod omw;
#[cfg(feature = "testing")]
mod omw_test;
mod options;
mod out;
mod reference;

use std::ffi::OsString;
use std::process::ExitCode;

use clap::Parser;
use windtunnel_api::exit::Exit;

use self::error::CliError;
use self::options::{GlobalArgs, SchemaArgs, SchemaKind};

pub use self::omw::Omw;
#[cfg(feature = "testing")]
pub use self::omw_test::OmwTest;

/// A program of ours: arguments that clap reads, and what they ask for.
trait Program: Parser {
    /// Options of every command.
    fn global(&self) -> &GlobalArgs;

    /// What is logged unless `RUST_LOG` says otherwise.
    const LOG_LEVEL: &str;

    /// Writes a reference.
    fn schema(args: &SchemaArgs, config: fn() -> serde_json::Value) -> Result<Exit, CliError> {
        let text = match args.kind {
            SchemaKind::Config => format!("{:#}\n", config()),
            SchemaKind::Cli => reference::markdown::<Self>(),
        };
        out::deliver(&args.output, &text)?;
        Ok(Exit::Success)
    }

    /// Carries out the command.
    fn execute(self) -> Result<Exit, CliError>;

    /// Runs with this process's arguments.
    fn main() -> ExitCode {
        if let Some(code) = reenter() {
            return ExitCode::from(code);
        }
        ExitCode::from(Self::run_with(std::env::args_os()).code())
    }

    /// Runs with these arguments, the program's name first.
    fn run_with<S: Into<OsString> + Clone>(arguments: impl IntoIterator<Item = S>) -> Exit {
        let program = match Self::try_parse_from(arguments) {
            Ok(program) => program,
            Err(message) => {
                let exit = if message.use_stderr() { Exit::Usage } else { Exit::Success };
                // A closed pipe is nobody's mistake.
                let _ = message.print();
                return exit;
            }
        };
        let color = program.global().color;
        log::init(program.global().log_format, Self::LOG_LEVEL);
        program.execute().unwrap_or_else(|error| {
            error::render(&error, color);
            error.exit()
        })
    }
}

/// What tool servers leave behind ends with this process.
#[cfg(feature = "mcp")]
fn reenter() -> Option<u8> {
    windtunnel_child::reenter()
}

#[cfg(not(feature = "mcp"))]
fn reenter() -> Option<u8> {
    None
}
