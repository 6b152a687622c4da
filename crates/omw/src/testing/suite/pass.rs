//! One pass over the tests of a suite.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, IsTerminal as _};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use camino::{Utf8Path, Utf8PathBuf};
use windtunnel_api::event::{CaseStatus, SuiteEvent};
use windtunnel_discovery::{NamedFile, PathFilter, find};
use windtunnel_report::{Background, JsonReport, Junit, Output, Reporter, Style, Terminal, is_stdout};
use windtunnel_runner::cases::{CasesRun, Options};
use windtunnel_runner::{Interrupts, run_cases};
use windtunnel_spi::TestCase;

use super::case::{Case, CaseResult, Shared};
use super::options::NAMES;
use super::{SuiteError, SuiteOptions, Summary, Tests};
use crate::config::Source;
use crate::registry::Registries;
use crate::testing::{DumpFormat, Harness, Keep, dump};

/// What a suite is called in its reports.
const COMMAND: &str = "omw-test";

/// Tests have a time limit of their own, or none at all; the case runner's is not to interfere.
const NO_LIMIT: Duration = Duration::from_secs(365 * 24 * 3600);

/// Runs the tests of a suite once. Verdicts go to standard output, what there is to say about them to standard error.
///
/// # Errors
/// There are no such tests ([`SuiteError::is_no_tests`]), or the results cannot be written.
pub async fn run_suite(
    options: &SuiteOptions,
    registries: &Registries,
    interrupts: &mut Interrupts,
) -> Result<Summary, SuiteError> {
    let found = Found::at(options)?;
    let all: Vec<_> = found.iter().collect();
    Ok(pass(options, registries, &all, None, interrupts).await?.summary)
}

/// A test that was found.
pub(super) struct Found {
    pub(super) label: String,
    /// Its file; none for a text.
    pub(super) file: Option<NamedFile>,
    source: Source,
}

impl Found {
    /// The tests that the options select, in the order of their paths.
    pub(super) fn at(options: &SuiteOptions) -> Result<Vec<Self>, SuiteError> {
        match &options.tests {
            Tests::Text { text, format } => {
                let source = options.overlaid(Source::text("-", text.clone(), *format));
                Ok(vec![Self { label: "-".to_owned(), file: None, source }])
            }
            Tests::Path(path) => {
                let filter = PathFilter::new(options.include.clone(), options.exclude.clone())?;
                let files = find(path, &NAMES, &filter)?;
                let found = files.into_iter().map(|file| {
                    let source = options.overlaid(Source::file(&file.path).with_bases(file.bases.clone()));
                    let source = match options.format {
                        Some(format) => source.with_format(format),
                        None => source,
                    };
                    Self { label: file.label.clone(), file: Some(file), source }
                });
                Ok(found.collect())
            }
        }
    }
}

/// What a pass leaves behind.
pub(super) struct Pass {
    pub(super) summary: Summary,
    /// The scripts of each test that could be read, by its label.
    pub(super) scripts: BTreeMap<String, Vec<Utf8PathBuf>>,
}

/// Runs these tests and reports on them. `afterwards` is said after the tally.
pub(super) async fn pass(
    options: &SuiteOptions,
    registries: &Registries,
    tests: &[&Found],
    afterwards: Option<&str>,
    interrupts: &mut Interrupts,
) -> Result<Pass, SuiteError> {
    // What is written to is opened first, so that a wrong name is said before anything runs.
    let dump_to = options.dump.as_ref().map(|to| Ok::<_, SuiteError>((open_dump(&to.path)?, to.format)));
    let dump_to = dump_to.transpose()?;
    let (events, background) = Background::start(reporters(options)?);

    let keep = if dump_to.is_some() { Keep::Everything } else { Keep::Latest };
    let shared = Arc::new(Shared {
        harness: Harness::new(registries.clone()).keep(keep),
        events: events.clone(),
        keeps_reports: dump_to.is_some(),
        results: Mutex::new(tests.iter().map(|_| None).collect()),
    });
    let cases = tests.iter().enumerate().map(|(index, test)| {
        let (label, source) = (test.label.clone(), test.source.clone());
        Arc::new(Case { index, label, source, shared: Arc::clone(&shared) }) as Arc<dyn TestCase>
    });
    let cases: Vec<_> = cases.collect();

    let began = Instant::now();
    let jobs = options.jobs();
    let schedule =
        Options { jobs, fail_fast: options.fail_fast, case_timeout: NO_LIMIT, ..Options::default() };
    let started = SuiteEvent::SuiteStarted {
        command: COMMAND.to_owned(),
        runtime: "mock".to_owned(),
        cases: cases.len(),
        jobs,
        sweep: None,
    };
    // A reporter that has failed says so at the end.
    let _ = events.send(started);
    let run = run_cases(cases, &schedule, &events, interrupts).await;
    let finished =
        SuiteEvent::SuiteFinished { duration_s: began.elapsed().as_secs_f64(), not_run: run.not_run };
    let _ = events.send(finished);
    if let Some(text) = afterwards.filter(|_| !run.ended.is_interrupt()) {
        let _ = events.send(SuiteEvent::Notice { text: text.to_owned() });
    }

    let results = std::mem::take(&mut *shared.results.lock().unwrap_or_else(PoisonError::into_inner));
    drop((shared, events));
    background.finish()?;
    if let Some((output, format)) = dump_to {
        write_dump(output, format, tests, &results)?;
    }
    let labelled = tests.iter().zip(results);
    let scripts = labelled.filter_map(|(test, result)| Some((test.label.clone(), result?.scripts?)));
    Ok(Pass { summary: summary(&run), scripts: scripts.collect() })
}

fn reporters(options: &SuiteOptions) -> Result<Vec<Box<dyn Reporter>>, SuiteError> {
    // Standard output belongs to the dump if it goes there.
    let terminal: Box<dyn Reporter> = if options.dump.as_ref().is_some_and(|to| is_stdout(&to.path)) {
        let colours = options.colour.resolve(io::stderr().is_terminal(), |name| std::env::var(name).ok());
        let both = Terminal::new(io::stderr(), io::stderr()).colours(colours, colours);
        Box::new(both.style(Style::Plain).quiet(options.quiet))
    } else {
        Box::new(Terminal::stdio(options.colour).style(Style::Plain).quiet(options.quiet))
    };
    let mut reporters = vec![terminal];
    if let Some(path) = &options.junit {
        reporters.push(Box::new(Junit::new(Output::file_of("--junit", path)?)));
    }
    if let Some(path) = &options.json {
        reporters.push(Box::new(JsonReport::omw(Output::file_of("--json", path)?)));
    }
    Ok(reporters)
}

fn open_dump(path: &Utf8Path) -> Result<Output, SuiteError> {
    if is_stdout(path) {
        return Ok(Output::stdout());
    }
    if let Some(folder) = path.parent().filter(|folder| !folder.as_str().is_empty()) {
        fs::create_dir_all(folder)
            .map_err(|error| SuiteError::DumpFolder { path: path.to_owned(), error })?;
    }
    Ok(Output::file_of("--dump", path)?)
}

fn write_dump(
    mut output: Output,
    format: DumpFormat,
    tests: &[&Found],
    results: &[Option<CaseResult>],
) -> Result<(), SuiteError> {
    let labelled = tests.iter().zip(results);
    let reports = labelled.filter_map(|(test, result)| {
        let report = result.as_ref()?.report.as_ref()?;
        Some((test.label.as_str(), report))
    });
    Ok(output.deliver(&dump(reports, format)?)?)
}

fn summary(run: &CasesRun) -> Summary {
    let count = |statuses: &[CaseStatus]| {
        run.reports.iter().filter(|report| statuses.contains(&report.status)).count()
    };
    Summary {
        passed: count(&[CaseStatus::Passed]),
        failed: count(&[CaseStatus::Failed, CaseStatus::Errored, CaseStatus::Unsupported]),
        not_run: run.not_run + count(&[CaseStatus::Cancelled]),
        interrupted: run.ended.is_interrupt(),
    }
}
