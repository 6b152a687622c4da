//! `omw run` and `omw loop`.

use std::io;
use std::sync::Arc;

use camino::{Utf8Path, Utf8PathBuf};
use windtunnel_api::exit::Exit;
use windtunnel_runner::Interrupts;

use super::args::RunArgs;
use crate::cli::error::CliError;
use crate::cli::options::ConfigFormat;
use crate::config::{self, Config, Source};
use crate::registry::Registries;
use crate::run::{Control, Run};

/// The names that a config is looked for under.
const NAMES: [&str; 4] = ["omw.toml", "omw.yaml", "omw.yml", "omw.json"];

pub(super) fn run(args: &RunArgs, repeat: bool) -> Result<Exit, CliError> {
    let path = match &args.config {
        Some(path) => path.clone(),
        None => find()?,
    };
    let config = load(&path, args.format)?;
    let registries = Registries::deployment();
    config.check(&registries)?;
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
    let runtime =
        runtime.map_err(|error| CliError::Io { what: "cannot start the async runtime".to_owned(), error })?;
    runtime.block_on(async {
        let mut interrupts = Interrupts::from_signals()
            .map_err(|error| CliError::Io { what: "cannot listen to signals".to_owned(), error })?;
        let control = Control::new();
        let run = Run::builder(Arc::new(config), &registries)
            .watch(args.watch)
            .repeat(repeat)
            .control(control.clone())
            .start()
            .await?;
        let mut interrupted = false;
        let finish = run.finish();
        tokio::pin!(finish);
        let report = loop {
            tokio::select! {
                report = &mut finish => break report,
                () = interrupts.next() => {
                    if interrupted { control.halt() } else { control.shutdown() }
                    interrupted = true;
                }
            }
        };
        // Who asked for the end does not ask how it was reached.
        if !interrupted {
            report.into_result()?;
        }
        Ok(Exit::Success)
    })
}

fn find() -> Result<Utf8PathBuf, CliError> {
    let found = NAMES.into_iter().map(Utf8PathBuf::from).find(|path| path.is_file());
    found.ok_or_else(|| {
        let message = format!("there is no {} here", NAMES.join(", "));
        CliError::usage(message, "name the config with --config <FILE>")
    })
}

/// Loads a config as `omw` does: overlaid from the environment, its scripts relative to the working folder.
pub(super) fn load(path: &Utf8Path, format: Option<ConfigFormat>) -> Result<Config, CliError> {
    let here = std::env::current_dir().and_then(|dir| {
        Utf8PathBuf::from_path_buf(dir).map_err(|dir| {
            io::Error::new(io::ErrorKind::InvalidData, format!("{} is not UTF-8", dir.display()))
        })
    });
    let here =
        here.map_err(|error| CliError::Io { what: "cannot tell the working folder".to_owned(), error })?;
    let mut source =
        Source::file(path).with_environment("OMW__", std::env::vars_os()).scripts_relative_to(here);
    if let Some(format) = format {
        source = source.with_format(format.into());
    }
    // A test is a config too; what it asserts is no concern of a run.
    Ok(config::load(&source.knows(["assertions"]))?.log_warnings())
}
