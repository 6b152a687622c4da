//! The case runner that every front door uses: jobs, resources, time limits, interrupts, and reports in the order of
//! the cases.
//!
//! The dispatcher decides and is tested without async; [`run_cases`] selects and delivers.

mod conclude;
mod dispatcher;
mod interrupts;
mod options;
mod run;
mod signals;

pub use interrupts::{Interrupter, Interrupts};
pub use options::Options;
pub use run::{CasesRun, Ended, EventSender, run_cases};
pub(crate) use run::{panic_message, tell};
