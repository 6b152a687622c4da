//! Scenario folders as tests of a suite.
//!
//! - [`find`] looks for them; a folder that should be one and is none is found as well, with its [`Standing`].
//! - [`load`] reads one that was found; what is wrong with it is its own failure.
//! - [`ScenarioCase`] is one as a case of the case runner; [`StoredVerdict`] is what it leaves beside an event log.
#![cfg_attr(feature = "libtest", doc = "- [`libtest`] is a test target that has one test for each.")]

mod case;
mod folders;
#[cfg(feature = "libtest")]
pub mod libtest;
mod room;
mod verdict;

pub use case::ScenarioCase;
pub use folders::{find, load};
pub use verdict::{StoredVerdict, VERDICT_VERSION};
#[doc(no_inline)]
pub use windtunnel_discovery::{Standing, TestFolder};
