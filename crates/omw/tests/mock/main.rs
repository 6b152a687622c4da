//! Back ends that answer from a script: what they say of a script that is wrong, and what agents see of one that is right.
#![cfg(feature = "mock")]
#![expect(clippy::expect_used, reason = "helpers of tests fail as tests do")]

mod params;
mod runs;
mod stage;
