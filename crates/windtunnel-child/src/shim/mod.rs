//! The process between us and a program, which adopts whatever the program leaves behind.

#[cfg(target_os = "linux")]
mod linux;
#[cfg(not(target_os = "linux"))]
mod other;

#[cfg(target_os = "linux")]
use linux as platform;
#[cfg(not(target_os = "linux"))]
use other as platform;

use std::ffi::OsString;
use std::sync::OnceLock;

static SHIM: OnceLock<Vec<OsString>> = OnceLock::new();

/// Registers the command line that runs [`shim_main`]: normally our own program with a hidden subcommand. The first
/// registration counts; children that are spawned before it have no shim. Only Linux makes use of it.
pub fn set_shim<S: Into<OsString>>(argv: impl IntoIterator<Item = S>) {
    SHIM.get_or_init(|| argv.into_iter().map(Into::into).collect());
}

/// The hidden first argument with which a program of ours is its own shim.
const SHIM_ARGUMENT: &str = "__case";

/// Makes this program its own shim. First thing in `main`, before threads or runtimes are started: if the process was started as a
/// shim it is one, and ends with the code that comes back; else children that it spawns from now on have one.
///
/// A program that calls this takes `__case` as a first argument from nobody else.
pub fn reenter() -> Option<u8> {
    let mut arguments = std::env::args_os().skip(1);
    if arguments.next().is_some_and(|first| first == SHIM_ARGUMENT) {
        return Some(shim_main(arguments));
    }
    if let Ok(program) = std::env::current_exe() {
        set_shim([program.as_os_str(), SHIM_ARGUMENT.as_ref()]);
    }
    None
}

/// The registered command line: a program and its arguments.
#[cfg(target_os = "linux")]
pub(crate) fn registered() -> Option<(&'static OsString, &'static [OsString])> {
    SHIM.get()?.split_first()
}

/// The body of the shim; `args` are those after the registered command line. Returns the exit code of the process.
///
/// It runs the program in its own place, with its standard streams, and as its subreaper adopts every process that the
/// program leaves behind. When the program ends, the shim kills what is left and ends in the same way: with its exit code,
/// or by its signal. When it gets TERM, INT, HUP or QUIT, or the process that spawned it dies, it ends the whole tree: TERM
/// first, KILL after half a second.
///
/// Call it first thing in `main`, before threads or runtimes are started.
pub fn shim_main(args: impl IntoIterator<Item = OsString>) -> u8 {
    platform::shim_main(args)
}
