//! `wt __case`: the root of a case's process tree.

use std::ffi::OsString;

use windtunnel_api::exit::Exit;

pub(crate) fn run(arguments: Vec<OsString>) -> Exit {
    // The program's own exit code is handed on as it is.
    std::process::exit(i32::from(windtunnel_child::shim_main(arguments)))
}
