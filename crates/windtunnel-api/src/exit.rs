//! Exit codes, and what decides them.

use crate::artifact::score::Verdict;
use crate::selftest::SelftestVerdict;

/// How a command ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Exit {
    /// Everything was as expected: 0.
    Success,
    /// A test said no: 1.
    Failure,
    /// The request was wrong: usage, configuration, format, nothing selected, unsupported: 2.
    Usage,
    /// Interrupted: 130.
    Interrupted,
}

impl Exit {
    /// The process's exit code.
    pub fn code(self) -> u8 {
        match self {
            Self::Success => 0,
            Self::Failure => 1,
            Self::Usage => 2,
            Self::Interrupted => 130,
        }
    }

    /// How `wt selftest` ends: 1 with any GOLDEN_FAILED, POISON_PASSED or ERROR; else 2 with any UNSUPPORTED or without any
    /// case; else 0.
    pub fn of_selftest(verdicts: impl IntoIterator<Item = SelftestVerdict>) -> Self {
        let mut exit = None;
        for verdict in verdicts {
            match verdict {
                SelftestVerdict::GoldenFailed | SelftestVerdict::PoisonPassed | SelftestVerdict::Error => {
                    return Self::Failure;
                }
                SelftestVerdict::Unsupported => exit = Some(Self::Usage),
                SelftestVerdict::Pass => exit = exit.or(Some(Self::Success)),
            }
        }
        exit.unwrap_or(Self::Usage)
    }

    /// How `wt run` ends: 0 if every scenario passed (also with variance); 2 without any scenario; else 1. A scenario
    /// that could not be run is `None`.
    pub fn of_run(verdicts: impl IntoIterator<Item = Option<Verdict>>) -> Self {
        let mut exit = Self::Usage;
        for verdict in verdicts {
            match verdict {
                Some(verdict) if verdict.is_pass() => exit = Self::Success,
                Some(_) | None => return Self::Failure,
            }
        }
        exit
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use SelftestVerdict::{Error, GoldenFailed, Pass, PoisonPassed, Unsupported};

    #[test]
    fn selftest_exit_codes() {
        for (verdicts, code) in [
            (&[][..], 2),
            (&[Pass], 0),
            (&[Pass, Pass], 0),
            (&[Pass, Unsupported], 2),
            (&[Unsupported, Pass], 2),
            (&[Unsupported, GoldenFailed], 1),
            (&[PoisonPassed, Pass], 1),
            (&[Pass, Error], 1),
        ] {
            assert_eq!(Exit::of_selftest(verdicts.iter().copied()).code(), code, "{verdicts:?}");
        }
    }

    #[test]
    fn run_exit_codes() {
        for (verdicts, code) in [
            (&[][..], 2),
            (&[Some(Verdict::Pass), Some(Verdict::PassWithVariance)], 0),
            (&[Some(Verdict::Pass), Some(Verdict::Fail)], 1),
            (&[Some(Verdict::Invalid)], 1),
            (&[None, Some(Verdict::Pass)], 1),
        ] {
            assert_eq!(Exit::of_run(verdicts.iter().copied()).code(), code, "{verdicts:?}");
        }
    }
}
