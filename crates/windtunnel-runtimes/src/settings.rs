//! What the settings of several runtimes have in common.

use std::time::Duration;

use windtunnel_spi::{RuntimeError, RuntimeErrorKind};

/// An error in the settings of the named runtime.
pub(crate) fn wrong(name: &str, message: &str) -> RuntimeError {
    RuntimeError::new(RuntimeErrorKind::Config, format!("runtimes.{name}: {message}"))
}

/// How long a turn may take by `turn_timeout_s`.
pub(crate) fn turn_limit(turn_timeout_s: Option<f64>) -> Result<Option<Duration>, String> {
    let checked = |seconds| {
        Duration::try_from_secs_f64(seconds)
            .ok()
            .filter(|limit| !limit.is_zero())
            .ok_or_else(|| format!("turn_timeout_s: expected seconds above 0, found {seconds}"))
    };
    turn_timeout_s.map(checked).transpose()
}
