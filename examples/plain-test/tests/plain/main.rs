//! Wind Tunnel from plain tests. `lab` is what two of the modules share.

#![expect(clippy::unwrap_used, reason = "a test stops at what it does not expect")]

mod lab;
mod pack_folder;
mod saved_trace;
mod scenario_in_rust;
