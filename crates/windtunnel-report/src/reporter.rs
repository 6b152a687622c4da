//! The trait of all reporters.

use windtunnel_api::event::SuiteEvent;

use crate::ReportError;

/// Listens to a suite. Its double is [`RecordingReporter`](crate::doubles::RecordingReporter).
pub trait Reporter: Send {
    /// Something happened. Events come in order; a suite ends with [`SuiteEvent::SuiteFinished`].
    fn event(&mut self, event: &SuiteEvent) -> Result<(), ReportError>;

    /// No more events come, whether or not the suite came to its end: what was collected is written now.
    fn finish(&mut self) -> Result<(), ReportError>;
}
