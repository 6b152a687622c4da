//! The name of this machine, for the event log.

/// The machine's name; `unknown` where it has none.
pub(super) fn name() -> String {
    read().filter(|name| !name.is_empty()).unwrap_or_else(|| "unknown".to_owned())
}

#[cfg(unix)]
fn read() -> Option<String> {
    Some(rustix::system::uname().nodename().to_string_lossy().into_owned())
}

#[cfg(windows)]
fn read() -> Option<String> {
    std::env::var("COMPUTERNAME").ok()
}
