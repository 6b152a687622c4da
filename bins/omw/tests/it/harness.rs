//! `omw` in a folder of its own.

use windtunnel_testkit::{Call, Folder, Program};

/// The program under test.
pub(crate) fn program() -> Program {
    Program::new("omw", env!("CARGO_BIN_EXE_omw"))
}

/// Calls of the program under test.
pub(crate) trait CallOmw {
    /// An `omw` that is called here.
    fn omw(&self, line: &str) -> Call<'_>;
}

impl CallOmw for Folder {
    fn omw(&self, line: &str) -> Call<'_> {
        self.call(&program(), line)
    }
}

/// The tables of one agent, its brain in `brain.rhai`.
pub(crate) const AGENT: &str =
    "[agents.alice]\nruntime = \"rhai\"\nscript = \"brain.rhai\"\n\n[runtime.rhai]\nkind = \"rhai\"\n";
