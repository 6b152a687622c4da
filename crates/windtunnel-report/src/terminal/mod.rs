//! What a person at a terminal sees.

mod case;
pub(crate) mod colour;
mod plain;
mod progress;
mod tally;

use std::io::{self, IsTerminal as _, Write};

use windtunnel_api::counted;
use windtunnel_api::event::{CaseReport, CaseStatus, SuiteEvent};

use self::colour::{Colour, Palette, Tone};
use self::plain::{Plain, Shown};
use self::progress::Progress;
use self::tally::Tally;
use crate::text::line;
use crate::{ReportError, Reporter};

/// What the lines of a suite look like.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Style {
    /// `PASS pack/scenario  12 ms`, below it the evidence of a failure, all on the first writer; a tally by verdict and the time.
    #[default]
    Evidence,
    /// On the first writer `PASS name` or `FAIL name` for each case and at the end `3 passed, 1 failed`, nothing else, so that
    /// programs can read it. The details of failures, and at the end their names, go to the second.
    Plain,
}

/// A line per case on `out` as soon as it ends, failures with their evidence, and a tally; notices on `err`. [`Style`] says how.
///
/// ```
/// # use windtunnel_report::{Colour, Terminal};
/// let on_the_real_streams = Terminal::stdio(Colour::Auto);
/// let plain = Terminal::new(Vec::new(), Vec::new()).quiet(true);
/// ```
pub struct Terminal<O, E> {
    out: O,
    err: E,
    out_palette: Palette,
    err_palette: Palette,
    quiet: bool,
    with_bar: bool,
    progress: Progress,
    lines: Lines,
}

/// The state of a style.
enum Lines {
    Evidence(Tally),
    /// With the command's name.
    Plain(String, Plain),
}

impl Terminal<io::Stdout, io::Stderr> {
    /// The process's own streams: colours as each stream and the environment want them, a bar if stderr is a terminal.
    pub fn stdio(colour: Colour) -> Self {
        let (out, err) = (io::stdout(), io::stderr());
        let colours = |is_terminal| colour.resolve(is_terminal, |name| std::env::var(name).ok());
        let (out_colours, err_colours) = (colours(out.is_terminal()), colours(err.is_terminal()));
        let with_bar = err.is_terminal();
        Self { with_bar, ..Self::new(out, err) }.colours(out_colours, err_colours)
    }
}

impl<O: Write + Send, E: Write + Send> Terminal<O, E> {
    /// Plain lines to these writers.
    pub fn new(out: O, err: E) -> Self {
        Self {
            out,
            err,
            out_palette: Palette::new(false),
            err_palette: Palette::new(false),
            quiet: false,
            with_bar: false,
            progress: Progress::hidden(),
            lines: Lines::Evidence(Tally::default()),
        }
    }

    /// Writes in this style.
    #[must_use]
    pub fn style(mut self, style: Style) -> Self {
        self.lines = match style {
            Style::Evidence => Lines::Evidence(Tally::default()),
            Style::Plain => Lines::Plain(String::new(), Plain::default()),
        };
        self
    }

    /// Shows only failures and the tally.
    #[must_use]
    pub fn quiet(mut self, quiet: bool) -> Self {
        self.quiet = quiet;
        self
    }

    /// Uses colours on the first, and on the second writer.
    #[must_use]
    pub fn colours(mut self, out: bool, err: bool) -> Self {
        self.out_palette = Palette::new(out);
        self.err_palette = Palette::new(err);
        self
    }

    /// The two writers.
    pub fn into_writers(self) -> (O, E) {
        (self.out, self.err)
    }

    fn show(&mut self, shown: &Shown) -> Result<(), ReportError> {
        write(&self.progress, &mut self.out, "stdout", &shown.out)?;
        write(&self.progress, &mut self.err, "stderr", &shown.err)
    }

    fn begin(&mut self, command: &str, runtime: &str, cases: usize, jobs: usize) -> Result<(), ReportError> {
        match &mut self.lines {
            Lines::Evidence(_) => {
                let head = format!("{}:", line(command));
                let side_by_side = if jobs > 1 { format!(", {jobs} at a time") } else { String::new() };
                let on = if runtime.is_empty() { String::new() } else { format!(" on {}", line(runtime)) };
                let text = format!("{}{on}{side_by_side}", counted(cases, "case"));
                self.notice(Tone::Strong, &head, &text)?;
            }
            Lines::Plain(of, counts) => {
                *of = line(command).into_owned();
                *counts = Plain::default();
            }
        }
        if self.with_bar {
            self.progress = Progress::shown(cases);
        }
        Ok(())
    }

    fn case(&mut self, report: &CaseReport) -> Result<(), ReportError> {
        self.progress.finished(&report.id);
        let shown = match &mut self.lines {
            Lines::Evidence(tally) => {
                tally.count(report);
                Shown { out: case::render(report, self.out_palette), err: String::new() }
            }
            Lines::Plain(_, counts) => counts.case(report, self.out_palette),
        };
        if self.quiet && report.status == CaseStatus::Passed && report.workspace.is_none() {
            return Ok(());
        }
        self.show(&shown)
    }

    fn end(&mut self, duration_s: f64, not_run: usize) -> Result<(), ReportError> {
        self.progress.clear();
        let shown = match &self.lines {
            Lines::Evidence(tally) => {
                Shown { out: tally.render(duration_s, not_run, self.out_palette), err: String::new() }
            }
            Lines::Plain(command, counts) => counts.end(command, not_run),
        };
        self.show(&shown)
    }

    fn notice(&mut self, tone: Tone, head: &str, text: &str) -> Result<(), ReportError> {
        let text = format!("{} {text}\n", self.err_palette.paint(tone, head));
        write(&self.progress, &mut self.err, "stderr", &text)
    }
}

/// Writes at once, so that a bar is not left in between and a kill does not cut a case in two.
fn write(progress: &Progress, to: &mut impl Write, name: &str, text: &str) -> Result<(), ReportError> {
    if text.is_empty() {
        return Ok(());
    }
    progress
        .suspend(|| to.write_all(text.as_bytes()).and_then(|()| to.flush()))
        .map_err(|source| ReportError::Stream { to: name.to_owned(), source })
}

impl<O: Write + Send, E: Write + Send> Reporter for Terminal<O, E> {
    fn event(&mut self, event: &SuiteEvent) -> Result<(), ReportError> {
        match event {
            SuiteEvent::SuiteStarted { command, runtime, cases, jobs, .. } => {
                self.begin(command, runtime, *cases, *jobs)
            }
            SuiteEvent::CaseStarted { id } => {
                self.progress.started(id);
                Ok(())
            }
            SuiteEvent::CaseFinished(report) => self.case(report),
            SuiteEvent::Notice { text } => self.notice(Tone::Strong, "note:", &line(text.trim_end())),
            SuiteEvent::Cancelled => self.notice(
                Tone::Error,
                "interrupted:",
                "waiting for what runs to be stopped; nothing more is started",
            ),
            SuiteEvent::SuiteFinished { duration_s, not_run } => self.end(*duration_s, *not_run),
        }
    }

    fn finish(&mut self) -> Result<(), ReportError> {
        self.progress.clear();
        Ok(())
    }
}
