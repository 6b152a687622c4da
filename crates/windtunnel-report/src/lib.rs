//! Reporters: what people and machines see of a suite.
//!
//! A [`Reporter`] listens to the [`SuiteEvent`]s that the runner emits and knows nothing else of how cases are run.
//! [`Fanout`] drives several of them, [`Background`] does so on a thread of its own.
//!
//! | reporter | shows | where |
//! |---|---|---|
//! | [`Terminal`] | a line per case, failures with their evidence, a tally | stdout; notices and the bar on stderr |
//! | [`JsonReport`] | the self-test report, the ledger rows of a run, the tests of `omw-test` | an [`Output`], at the end |
//! | [`Junit`] | the same as `JUnit` XML | an [`Output`], at the end |
//!
//! ```
//! use windtunnel_api::event::SuiteEvent;
//! use windtunnel_report::{Fanout, JsonReport, Output, Reporter, Terminal};
//!
//! let mut reporters = Fanout::new([
//!     Box::new(Terminal::new(std::io::stdout(), std::io::stderr())) as Box<dyn Reporter>,
//!     Box::new(JsonReport::selftest(Output::stream("memory", std::io::sink()))),
//! ]);
//! reporters.event(&SuiteEvent::SuiteStarted {
//!     command: "selftest".into(),
//!     runtime: "loop".into(),
//!     cases: 0,
//!     jobs: 1,
//!     sweep: None,
//! })?;
//! reporters.event(&SuiteEvent::SuiteFinished { duration_s: 0.0, not_run: 0 })?;
//! reporters.finish()?;
//! # Ok::<(), windtunnel_report::ReportError>(())
//! ```
//!
//! What keeps a suite from being run at all is drawn by [`diagnostic()`].
//!
//! [`SuiteEvent`]: windtunnel_api::event::SuiteEvent

mod background;
mod cases;
mod diagnostic;
pub mod doubles;
mod error;
mod fanout;
mod json;
mod junit;
mod output;
mod reporter;
mod terminal;
mod text;

pub use background::Background;
pub use diagnostic::{diagnostic, diagnostic_without_context};
pub use error::ReportError;
pub use fanout::Fanout;
pub use json::JsonReport;
pub use junit::Junit;
pub use output::{OutFile, Output, is_stdout, print};
pub use reporter::Reporter;
pub use terminal::colour::Colour;
pub use terminal::{Style, Terminal};
pub use text::{block, line};
