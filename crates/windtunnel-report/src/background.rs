//! Reporters on a thread of their own, so that nothing they do slows the cases down.

use std::panic;
use std::thread::{self, JoinHandle};

use tokio::sync::mpsc::{self, UnboundedSender};
use windtunnel_api::event::SuiteEvent;

use crate::{Fanout, ReportError, Reporter};

/// Reporters that listen to a suite until it is over.
///
/// ```
/// use windtunnel_api::event::SuiteEvent;
/// use windtunnel_report::Background;
/// use windtunnel_report::doubles::RecordingReporter;
///
/// let reporter = RecordingReporter::new();
/// let (events, background) = Background::start([Box::new(reporter.clone()) as _]);
/// events.send(SuiteEvent::Cancelled).unwrap();
/// drop(events);
/// background.finish().unwrap();
/// assert_eq!((reporter.events().len(), reporter.is_finished()), (1, true));
/// ```
pub struct Background {
    thread: JoinHandle<Result<(), ReportError>>,
}

impl Background {
    /// Starts to listen to what is sent.
    pub fn start(
        reporters: impl IntoIterator<Item = Box<dyn Reporter>>,
    ) -> (UnboundedSender<SuiteEvent>, Self) {
        let mut reporters = Fanout::new(reporters);
        let (sender, mut events) = mpsc::unbounded_channel();
        let thread = thread::spawn(move || {
            while let Some(event) = events.blocking_recv() {
                // A reporter that fails is left out of what follows; `finish` says what happened.
                let _ = reporters.event(&event);
            }
            reporters.finish()
        });
        (sender, Self { thread })
    }

    /// Waits until everything is reported, for which every sender has to be dropped. That nobody reads our output any more, as
    /// after `| head`, is no error.
    ///
    /// # Errors
    /// What reporters failed with.
    pub fn finish(self) -> Result<(), ReportError> {
        match self.thread.join() {
            Ok(Err(error)) if !error.is_broken_pipe() => Err(error),
            Ok(_) => Ok(()),
            Err(payload) => panic::resume_unwind(payload),
        }
    }
}
