//! `omw-test` in a folder of its own.

use windtunnel_testkit::{Call, Folder, Program};

/// The tables that every test here has: one agent, its brain in `brain.rhai`.
pub(crate) const AGENT: &str = r#"[agents.alice]
runtime = "rhai"
script = "brain.rhai"

[runtime.rhai]
kind = "rhai"
"#;

/// A folder with one test: a brain, and what the test has besides its agent.
pub(crate) fn test(brain: &str, rest: &str) -> Folder {
    Folder::new().file("brain.rhai", brain).file("omw.test.toml", format!("{AGENT}\n{rest}"))
}

/// Calls of the program under test.
pub(crate) trait CallOmwTest {
    /// An `omw-test` that is called here.
    fn omw_test(&self, line: &str) -> Call<'_>;
}

impl CallOmwTest for Folder {
    fn omw_test(&self, line: &str) -> Call<'_> {
        self.call(&Program::new("omw-test", env!("CARGO_BIN_EXE_omw-test")), line)
    }
}
