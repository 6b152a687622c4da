//! The two ends of OpenAI Chat Completions, over real sockets: our provider against servers, our endpoint against clients, and one
//! against the other.
#![cfg(feature = "openai")]
#![expect(clippy::unwrap_used, clippy::panic, reason = "helpers of tests may panic")]

mod agents;
mod endpoint;
mod endpoint_ends;
mod params;
mod provider;
mod provider_failures;
mod round_trip;
mod runs;
mod servers;
