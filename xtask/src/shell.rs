//! Running commands, with their words shown.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// What went wrong, in words.
pub(crate) type Outcome<T = ()> = Result<T, Box<dyn std::error::Error>>;

/// The repository's root.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().map_or_else(PathBuf::new, Path::to_path_buf)
}

/// A command in the repository's root.
pub(crate) fn command(program: &str, arguments: &[&str]) -> Command {
    let mut command = Command::new(program);
    command.args(arguments).current_dir(root()).stdin(Stdio::null());
    command
}

/// Cargo, the one that runs this.
pub(crate) fn cargo(arguments: &[&str]) -> Command {
    command(&std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned()), arguments)
}

/// Runs a command, says what it is, and fails unless it succeeds.
pub(crate) fn succeed(command: &mut Command) -> Outcome {
    eprintln!("$ {}", words(command));
    let status = command.status().map_err(|error| format!("{}: {error}", words(command)))?;
    if status.success() { Ok(()) } else { Err(format!("{}: {status}", words(command)).into()) }
}

/// Whether a program is there to be run.
pub(crate) fn has(program: &str, arguments: &[&str]) -> bool {
    command(program, arguments)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success())
}

/// The packages of the programs.
const PROGRAMS: [&str; 4] = ["wt", "omw-cli", "omw-test", "acp-agent"];

/// The programs, built.
pub(crate) struct Programs(PathBuf);

impl Programs {
    /// Builds all of them.
    pub(crate) fn build(release: bool) -> Outcome<Self> {
        Self::build_these(&PROGRAMS, release)
    }

    /// Builds `wt` alone.
    pub(crate) fn build_wt(release: bool) -> Outcome<Self> {
        Self::build_these(&["wt"], release)
    }

    fn build_these(packages: &[&str], release: bool) -> Outcome<Self> {
        let mut arguments = vec!["build", "--quiet"];
        arguments.extend(packages.iter().flat_map(|package| ["--package", package]));
        if release {
            arguments.push("--release");
        }
        succeed(&mut cargo(&arguments))?;
        let metadata = cargo_metadata::MetadataCommand::new().current_dir(root()).no_deps().exec()?;
        let folder = if release { "release" } else { "debug" };
        Ok(Self(metadata.target_directory.join(folder).into_std_path_buf()))
    }

    /// `PATH` with them first, for what looks for them there.
    pub(crate) fn search_path(&self) -> Outcome<OsString> {
        let path = std::env::var_os("PATH").unwrap_or_default();
        let folders = std::iter::once(self.0.clone()).chain(std::env::split_paths(&path));
        Ok(std::env::join_paths(folders)?)
    }

    /// The path of one of them: `wt`, `omw`, `omw-test` or `acp-agent`.
    pub(crate) fn path(&self, program: &str) -> PathBuf {
        self.0.join(program)
    }
}

fn words(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    words.map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ")
}
