//! Several reporters as one.

use windtunnel_api::event::SuiteEvent;

use crate::{ReportError, Reporter};

/// Hands every event to several reporters. One that fails gets no more events and keeps no other from its own; what
/// it failed with is returned at the end.
#[derive(Default)]
pub struct Fanout {
    reporters: Vec<Box<dyn Reporter>>,
    errors: Vec<ReportError>,
}

impl Fanout {
    /// These reporters, in this order.
    pub fn new(reporters: impl IntoIterator<Item = Box<dyn Reporter>>) -> Self {
        Self { reporters: reporters.into_iter().collect(), errors: Vec::new() }
    }

    fn each(&mut self, act: impl Fn(&mut (dyn Reporter + 'static)) -> Result<(), ReportError>) {
        let errors = &mut self.errors;
        self.reporters.retain_mut(|reporter| match act(reporter.as_mut()) {
            Ok(()) => true,
            Err(error) => {
                errors.push(error);
                false
            }
        });
    }
}

impl Reporter for Fanout {
    /// Never fails: errors are returned by [`Fanout::finish`].
    fn event(&mut self, event: &SuiteEvent) -> Result<(), ReportError> {
        self.each(|reporter| reporter.event(event));
        Ok(())
    }

    fn finish(&mut self) -> Result<(), ReportError> {
        self.each(Reporter::finish);
        ReportError::collect(std::mem::take(&mut self.errors))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::doubles::RecordingReporter;

    fn boxed(reporter: &RecordingReporter) -> Box<dyn Reporter> {
        Box::new(reporter.clone())
    }

    #[test]
    fn one_failure_starves_nobody() {
        let (good, bad, also_good) =
            (RecordingReporter::new(), RecordingReporter::failing_after(1), RecordingReporter::new());
        let mut fanout = Fanout::new([boxed(&good), boxed(&bad), boxed(&also_good)]);
        for _ in 0..3 {
            fanout.event(&SuiteEvent::Cancelled).unwrap();
        }
        let error = fanout.finish().unwrap_err();
        assert!(matches!(error, ReportError::Stream { .. }), "{error}");
        for reporter in [good, also_good] {
            assert_eq!((reporter.events().len(), reporter.is_finished()), (3, true));
        }
        assert_eq!((bad.events().len(), bad.is_finished()), (1, false));
    }

    #[test]
    fn all_failures_are_told() {
        let (a, b) = (RecordingReporter::failing_after(0), RecordingReporter::failing_after(0));
        let mut fanout = Fanout::new([boxed(&a), boxed(&b)]);
        fanout.event(&SuiteEvent::Cancelled).unwrap();
        let error = fanout.finish().unwrap_err();
        assert_eq!(error.to_string().lines().count(), 2);
        assert!(error.is_broken_pipe());
    }
}
