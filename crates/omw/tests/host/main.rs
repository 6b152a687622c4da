//! What brains may do: native brains against the host, with back ends that the tests hold in their hands.

#![expect(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "helpers of tests may panic")]

mod agents;
mod backends;
mod doubles;
mod endpoint;
mod reload;
mod sources;
mod stage;
mod stepped;
mod stops;
mod trace;
