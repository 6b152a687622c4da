//! Why an agent failed its test.

use std::fmt;

use windtunnel_pattern::{Failure, Verdict};

use crate::host::trace::RunOutcome;
use crate::run::Whereabouts;

use super::Expected;
use super::expected::outcome_text;

/// One thing that is wrong with what an agent did. Its `Display` is one or more lines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Flaw {
    /// An expected event did not come, or came where it must not.
    Events(Box<Failure>),
    /// Its run ended in another way than expected.
    Outcome {
        /// The expected end.
        expected: Expected,
        /// How it ended.
        found: RunOutcome,
    },
    /// Its brain failed before its assertions were settled; this is the failure's text.
    Brain(String),
    /// It was stopped from outside before its assertions were settled.
    Stopped,
    /// What was recorded ends before its run does.
    NoEnd,
    /// The test's time was over.
    TimedOut {
        /// What it was doing; none if it was not running.
        whereabouts: Option<Whereabouts>,
    },
}

impl fmt::Display for Flaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Events(failure) => failure.fmt(f),
            Self::Outcome { expected, found } => {
                write!(f, "outcome mismatch\n  expected: {expected}\n  found:    {}", outcome_text(found))
            }
            Self::Brain(error) => write!(f, "the brain failed: {error}"),
            Self::Stopped => f.write_str("it was stopped before its assertions were settled"),
            Self::NoEnd => f.write_str("what was recorded ends before its run does"),
            Self::TimedOut { whereabouts: Some(whereabouts) } => write!(f, "timed out: {whereabouts}"),
            Self::TimedOut { whereabouts: None } => f.write_str("timed out: it was not running"),
        }
    }
}

/// The flaws of an agent whose run is over before its events decided, or whose end counts.
///
/// | outcome | the expected end | events | flaws |
/// |---|---|---|---|
/// | completed, exited | it | match | none |
/// | completed, exited | it | do not | the events |
/// | completed, exited | another one | match | the outcome |
/// | completed, exited | another one | do not | the outcome and the events |
/// | failed | any | match | the brain |
/// | failed | any | do not | the brain and the events |
/// | stopped | any | match | stopped |
/// | stopped | any | do not | stopped and the events |
pub(super) fn at_end(expected: &Expected, events: Verdict, outcome: &RunOutcome) -> Vec<Flaw> {
    let end = match outcome {
        RunOutcome::Failed(error) => Some(Flaw::Brain(error.clone())),
        RunOutcome::Stopped => Some(Flaw::Stopped),
        RunOutcome::Completed | RunOutcome::Exited(_) => (!expected.admits(outcome))
            .then(|| Flaw::Outcome { expected: expected.clone(), found: outcome.clone() }),
    };
    end.into_iter().chain(of_events(events)).collect()
}

pub(super) fn of_events(events: Verdict) -> Option<Flaw> {
    events.err().map(Flaw::Events)
}

#[cfg(test)]
mod tests {
    use windtunnel_pattern::{Options, Sequence};

    use super::*;

    fn missing() -> Verdict {
        let list = [serde_json::json!({"kind": "call"})];
        Sequence::compile(&list, &Options::new()).unwrap().matcher().finish()
    }

    #[test]
    fn every_row_of_the_table() {
        let exited = |text: &str| RunOutcome::Exited(text.to_owned());
        let failed = || RunOutcome::Failed("boom".to_owned());
        let end = |expected: &Expected, outcome: &RunOutcome| {
            [Ok(()), missing()].map(|events| {
                let names = at_end(expected, events, outcome).into_iter().map(|flaw| match flaw {
                    Flaw::Events(_) => "events",
                    Flaw::Outcome { .. } => "outcome",
                    Flaw::Brain(_) => "brain",
                    Flaw::Stopped => "stopped",
                    Flaw::NoEnd | Flaw::TimedOut { .. } => "other",
                });
                names.collect::<Vec<_>>().join(" ")
            })
        };
        let exits = Expected::Exited("4".to_owned());
        for (expected, outcome, flaws) in [
            (&Expected::AnyEnd, RunOutcome::Completed, ["", "events"]),
            (&Expected::AnyEnd, exited("3"), ["", "events"]),
            (&Expected::Completed, RunOutcome::Completed, ["", "events"]),
            (&Expected::Completed, exited(""), ["outcome", "outcome events"]),
            (&exits, exited("4"), ["", "events"]),
            (&exits, exited("44"), ["outcome", "outcome events"]),
            (&exits, RunOutcome::Completed, ["outcome", "outcome events"]),
            (&Expected::Asserted, RunOutcome::Completed, ["", "events"]),
            (&Expected::Asserted, exited("4"), ["", "events"]),
            (&Expected::Asserted, failed(), ["brain", "brain events"]),
            (&Expected::Completed, failed(), ["brain", "brain events"]),
            (&exits, RunOutcome::Stopped, ["stopped", "stopped events"]),
        ] {
            assert_eq!(end(expected, &outcome), flaws, "{expected} {outcome:?}");
        }
    }
}
