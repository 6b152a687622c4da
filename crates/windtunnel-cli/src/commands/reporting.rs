//! Reporters on a thread of their own, so that nothing they do slows the cases down.

use std::io::{self, IsTerminal as _};
use std::thread::JoinHandle;

use tokio::sync::mpsc;
use windtunnel_report::{Colour, Fanout, Junit, Output, ReportError, Reporter, Terminal};
use windtunnel_runner::EventSender;

use crate::args::{GlobalArgs, ReportArgs, ReportFormat};
use crate::error::CliError;

/// Listens to a suite until it is over.
pub(crate) struct Reporting {
    thread: JoinHandle<Result<(), ReportError>>,
}

impl Reporting {
    /// Opens what is written to, so that a report that cannot be written is said before anything runs, and starts to listen.
    pub(crate) fn start(
        global: &GlobalArgs,
        args: &ReportArgs,
        json: impl FnOnce(Output) -> Box<dyn Reporter>,
    ) -> Result<(EventSender, Self), CliError> {
        let colour = Colour::from(global.color);
        // Standard output belongs to the machine-readable report if it goes there.
        let shared = args.format.is_some() && args.out.is_none();
        let terminal: Box<dyn Reporter> = if shared {
            let colours = colour.resolve(io::stderr().is_terminal(), |name| std::env::var(name).ok());
            Box::new(Terminal::new(io::stderr(), io::stderr()).colours(colours, colours).quiet(args.quiet))
        } else {
            Box::new(Terminal::stdio(colour).quiet(args.quiet))
        };
        let mut reporters = vec![terminal];
        if let Some(format) = args.format {
            let output = match &args.out {
                Some(path) => Output::file(path)?,
                None => Output::stdout(),
            };
            reporters.push(match format {
                ReportFormat::Json => json(output),
                ReportFormat::Junit => Box::new(Junit::new(output)),
            });
        }
        let (sender, mut events) = mpsc::unbounded_channel();
        let thread = std::thread::spawn(move || {
            let mut reporters = Fanout::new(reporters);
            while let Some(event) = events.blocking_recv() {
                // A reporter that fails is left out of what follows; `finish` says what happened.
                let _ = reporters.event(&event);
            }
            reporters.finish()
        });
        Ok((sender, Self { thread }))
    }

    /// Waits until everything is reported. The sender has to be dropped before.
    pub(crate) fn finish(self) -> Result<(), CliError> {
        match self.thread.join() {
            Ok(Err(error)) if !error.is_broken_pipe() => Err(error.into()),
            Ok(_) => Ok(()),
            Err(panic) => std::panic::resume_unwind(panic),
        }
    }
}
