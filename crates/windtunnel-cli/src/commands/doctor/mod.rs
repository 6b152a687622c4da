//! `wt doctor`: starts and stops everything that is configured, and says what is wrong.
//!
//! [`request`] is the command. [`rounds`] looks at everything in turn: the [`runtimes`] of the settings, then each pack with its
//! [`tools`], its [`scenarios`] and its runtime, whose [`endpoint`] may be examined. What it says is kept as [`findings`].

mod endpoint;
mod findings;
mod request;
mod rounds;
mod runtimes;
mod scenarios;
mod tools;

pub(crate) use self::request::run;
