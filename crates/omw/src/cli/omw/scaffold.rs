//! `omw scaffold`.

use windtunnel_api::exit::Exit;
use windtunnel_report::is_stdout;

use super::args::ScaffoldArgs;
use super::run::load;
use crate::cli::error::CliError;
use crate::cli::out;
use crate::registry::Registries;
use crate::scaffold::{Options, WriteError, ensure_free, scaffold, write};

/// The name of the test, beside the config.
const NAME: &str = "omw.test.toml";

pub(super) fn run(args: &ScaffoldArgs) -> Result<Exit, CliError> {
    let output = args.output.clone().unwrap_or_else(|| args.config.with_file_name(NAME));
    let to_stdout = is_stdout(&output);
    if !to_stdout {
        // Said before servers are started and asked.
        ensure_free(&output, args.force)?;
    }
    let config = load(&args.config, args.format)?;
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
    let runtime =
        runtime.map_err(|error| CliError::Io { what: "cannot start the async runtime".to_owned(), error })?;
    let options = Options { resources: !args.no_resources };
    let made = runtime.block_on(scaffold(&config, &Registries::deployment(), &options));
    for warning in &made.warnings {
        tracing::warn!("{warning}");
    }
    if to_stdout {
        out::print(&made.text)?;
    } else {
        write(&output, &made.text, args.force)?;
        out::print(&format!("{output}\n"))?;
    }
    Ok(Exit::Success)
}

impl From<WriteError> for CliError {
    fn from(error: WriteError) -> Self {
        match error {
            WriteError::Output(error) => Self::Report(error),
            error => Self::Usage { message: error.to_string(), help: None },
        }
    }
}
