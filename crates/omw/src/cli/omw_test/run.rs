//! `omw-test run`.

use std::io::{self, Read as _};

use windtunnel_api::exit::Exit;
use windtunnel_doc::{Format, Limits};
use windtunnel_runner::Interrupts;

use super::args::{NoTests, RunArgs};
use crate::cli::error::CliError;
use crate::cli::options::GlobalArgs;
use crate::registry::Registries;
use crate::testing::{DumpTo, SuiteError, SuiteOptions, Summary, Tests, run_suite, watch};

/// Names of standard input.
const STDIN: [&str; 4] = ["-", "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"];

pub(super) fn run(args: RunArgs, global: GlobalArgs) -> Result<Exit, CliError> {
    let (watched, no_tests) = (args.watch, args.no_tests);
    let options = options(args, global)?;
    // Brains have threads of their own; what is left is little, and a second thread would only cost its start.
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build();
    let runtime =
        runtime.map_err(|error| CliError::Io { what: "cannot start the async runtime".to_owned(), error })?;
    let registries = Registries::testing();
    let summary = runtime.block_on(async {
        let mut interrupts = Interrupts::from_signals()
            .map_err(|error| CliError::Io { what: "cannot listen to signals".to_owned(), error })?;
        let run = if watched {
            watch(&options, &registries, &mut interrupts).await
        } else {
            run_suite(&options, &registries, &mut interrupts).await
        };
        match run {
            Err(error) if error.is_no_tests() && no_tests == NoTests::Pass => {
                tracing::warn!("{error}");
                Ok(Summary::default())
            }
            run => run.map_err(CliError::from),
        }
    });
    // A brain that was given up on has a thread that nothing ends but the process.
    runtime.shutdown_background();
    Ok(exit(summary?))
}

fn options(args: RunArgs, global: GlobalArgs) -> Result<SuiteOptions, CliError> {
    let format = args.format.map(Format::from);
    let tests = if STDIN.contains(&args.path.as_str()) {
        let format = format.ok_or_else(|| {
            CliError::usage(
                "a test on standard input has no name that tells its format",
                "add --format toml, yaml or json",
            )
        })?;
        Tests::Text { text: standard_input()?, format }
    } else {
        Tests::Path(args.path)
    };
    let dump = args.dump.map(|path| DumpTo { path, format: args.dump_format.into() });
    Ok(SuiteOptions {
        include: args.include,
        exclude: args.exclude,
        format,
        jobs: args.jobs,
        fail_fast: args.fail_fast,
        dump,
        junit: args.junit,
        json: args.json,
        colour: global.color.into(),
        quiet: args.quiet,
        ..SuiteOptions::new(tests)
    })
}

fn standard_input() -> Result<String, CliError> {
    let limit = Limits::default().max_bytes;
    let mut text = String::new();
    let read = io::stdin().lock().take(limit as u64 + 1).read_to_string(&mut text);
    read.map_err(|error| CliError::Io { what: "cannot read standard input".to_owned(), error })?;
    if text.len() > limit {
        let message = format!("the test on standard input is longer than {limit} bytes");
        return Err(CliError::usage(message, "name a file with the test instead, and shorten it"));
    }
    Ok(text)
}

/// 130 interrupted; 1 any failed; 0 otherwise.
fn exit(summary: Summary) -> Exit {
    match summary {
        Summary { interrupted: true, .. } => Exit::Interrupted,
        Summary { failed: 0, .. } => Exit::Success,
        Summary { .. } => Exit::Failure,
    }
}

impl From<SuiteError> for CliError {
    fn from(error: SuiteError) -> Self {
        match error {
            SuiteError::Report(error) => Self::Report(error),
            error => Self::Usage { message: error.to_string(), help: None },
        }
    }
}
