//! Scenario folders: what is refused, what is played, and what is said of what is not as expected.

#![expect(clippy::expect_used, clippy::unwrap_used, reason = "helpers of tests fail as tests do")]

mod doubles;
mod errors;
mod expectations;
mod hostile;
mod kit;
mod malformed;
mod paths;
mod plays;
mod resume;
mod worlds;
