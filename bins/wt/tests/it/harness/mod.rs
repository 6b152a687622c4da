//! `wt` in a folder of its own.

pub(crate) mod endpoint;
mod fixtures;
mod http;

use windtunnel_testkit::{Call, Folder, Program};

pub(crate) use fixtures::{PACK, SCENARIO};
pub(crate) use http::post;

/// The program under test.
pub(crate) fn program() -> Program {
    Program::new("wt", env!("CARGO_BIN_EXE_wt"))
}

/// A folder that is a pack with a scenario whose gate holds.
pub(crate) fn desk() -> Folder {
    Folder::new().file("pack.toml", PACK).file("greet.scenario.toml", SCENARIO)
}

/// Calls of the program under test.
pub(crate) trait CallWt {
    /// A `wt` that is called here. The words of the line are its arguments.
    fn wt(&self, line: &str) -> Call<'_>;

    /// A line of `sh` here, in which `$WT` is the program.
    fn shell_wt(&self, line: &str) -> Call<'_>;
}

impl CallWt for Folder {
    fn wt(&self, line: &str) -> Call<'_> {
        self.call(&program(), line)
    }

    fn shell_wt(&self, line: &str) -> Call<'_> {
        self.shell(&program(), line)
    }
}
