//! Standard error: what goes wrong behind the scenes, and plain lines. A closed pipe is no error.

use std::fmt::Display;
use std::io::{self, Write as _};

use tracing_subscriber::EnvFilter;

/// The variable that says what is logged, in the syntax of `tracing`.
const FILTER: &str = "WT_LOG";

/// What is logged without it. The protocol's own warnings are of messages that agents may send, such as those of a later version.
const DEFAULT: &str = "warn,agent_client_protocol=error";

/// Sends what the crates log to standard error. The first call counts.
pub(crate) fn init() {
    let filter = EnvFilter::try_from_env(FILTER).unwrap_or_else(|_| EnvFilter::new(DEFAULT));
    let log = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(io::stderr)
        // A log that nobody can read is no reason to end.
        .log_internal_errors(false)
        .with_target(false)
        .without_time();
    // Fails where a program that embeds us logs already; then its log serves.
    let _ = log.with_ansi(false).try_init();
}

/// Writes a line to standard error.
pub(crate) fn line(text: impl Display) {
    // In one piece: standard error has no buffer, and others write to it too.
    let line = format!("{text}\n");
    // Nobody is left to tell if standard error itself is gone.
    let _ = io::stderr().lock().write_all(line.as_bytes());
}
