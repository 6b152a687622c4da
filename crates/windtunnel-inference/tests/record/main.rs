//! Recording in front of a provider that a test plays.

#![expect(clippy::unwrap_used, clippy::expect_used, reason = "helpers of tests fail as tests do")]

mod canaries;
mod passing;
mod session;
mod upstream;
