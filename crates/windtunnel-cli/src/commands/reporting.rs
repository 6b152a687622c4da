//! The reporters that a command's options ask for.

use std::io::{self, IsTerminal as _};

use windtunnel_report::{Background, Colour, Junit, Output, Reporter, Terminal};
use windtunnel_runner::EventSender;

use crate::args::{GlobalArgs, ReportArgs, ReportFormat};
use crate::error::CliError;

/// Listens to a suite until it is over.
pub(crate) struct Reporting {
    reporters: Background,
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
        let (sender, reporters) = Background::start(reporters);
        Ok((sender, Self { reporters }))
    }

    /// Waits until everything is reported. The sender has to be dropped before.
    pub(crate) fn finish(self) -> Result<(), CliError> {
        Ok(self.reporters.finish()?)
    }
}
