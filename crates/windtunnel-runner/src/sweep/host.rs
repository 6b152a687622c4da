//! The name of this machine, for the event log.

/// The machine's name; `unknown` where it has none.
pub(super) fn name() -> String {
    let name = read();
    if name.is_empty() { "unknown".to_owned() } else { name }
}

#[cfg(unix)]
fn read() -> String {
    rustix::system::uname().nodename().to_string_lossy().into_owned()
}

#[cfg(windows)]
fn read() -> String {
    std::env::var("COMPUTERNAME").unwrap_or_default()
}
