//! There is no code here: the content of this example is its tests.
//!
//! - `tests/plain/pack_folder.rs`: every reference case of a pack folder.
//! - `tests/plain/scenario_in_rust.rs`: one scenario built in Rust.
//! - `tests/plain/saved_trace.rs`: a saved trace, judged again.
