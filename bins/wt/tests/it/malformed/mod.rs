//! What `wt` says about files and requests that are wrong.
//!
//! A case is a folder and a command. It is refused with exit code 2, nothing on standard output, and the text of its
//! snapshot on standard error.

mod config;
mod documents;
mod pack;
mod reference;
mod request;
mod scenario;

use crate::harness::{CallWt, PACK, SCENARIO, desk};
use windtunnel_testkit::Folder;

/// A folder, and a command that is refused in it.
struct Case {
    folder: Folder,
    line: &'static str,
    env: Vec<(&'static str, &'static str)>,
}

impl Case {
    /// `wt selftest` in a folder.
    fn of(folder: Folder) -> Self {
        Self { folder, line: "selftest", env: Vec::new() }
    }

    /// A pack file, beside a scenario that is all right.
    fn pack(text: &str) -> Self {
        Self::of(Folder::new().file("pack.toml", text).file("greet.scenario.toml", SCENARIO))
    }

    /// A scenario file, in a pack that is all right.
    fn scenario(text: &str) -> Self {
        Self::of(Folder::new().file("pack.toml", PACK).file("greet.scenario.toml", text))
    }

    /// A configuration, beside a pack that is all right.
    fn config(text: &str) -> Self {
        Self::of(desk().file("wt.toml", text))
    }

    fn file(mut self, path: &str, text: impl AsRef<[u8]>) -> Self {
        self.folder = self.folder.file(path, text);
        self
    }

    /// Another command.
    fn line(self, line: &'static str) -> Self {
        Self { line, ..self }
    }

    fn env(mut self, name: &'static str, value: &'static str) -> Self {
        self.env.push((name, value));
        self
    }

    /// Calls it. Returns the call and what it said, in which files go by names that are the same everywhere.
    fn refused(self) -> String {
        let before = self.folder.files("");
        let wt = self.env.iter().fold(self.folder.wt(self.line), |wt, (name, value)| wt.env(name, value));
        let finished = wt.exits(2);
        assert_eq!(finished.stdout, "", "{finished}");
        assert_eq!(self.folder.files(""), before, "something was written");
        let root = self.folder.beside("").canonicalize().unwrap();
        let said = finished.stderr;
        assert!(!said.contains(&*root.to_string_lossy()), "{said}");
        let env = self.env.iter().map(|(name, value)| format!("{name}={value}"));
        let call: Vec<String> = env.chain([format!("wt {}", self.line)]).collect();
        format!("$ {}\n{said}", call.join(" "))
    }
}

/// Makes a test of every case; its snapshot has the same name.
macro_rules! refused {
    ($($name:ident: $case:expr;)+) => {$(
        #[test]
        fn $name() {
            insta::with_settings!({ omit_expression => true }, {
                insta::assert_snapshot!(stringify!($name), $case.refused());
            });
        }
    )+};
}
use refused;
