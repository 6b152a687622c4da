//! A program to be started.

use std::process::{self, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};

use camino::Utf8PathBuf;
use windtunnel_spi::CaseWorld;

use crate::child::{CaptureMode, Child};
use crate::environment::Environment;
use crate::error::ChildError;
use crate::program;
use crate::tree::{Launch, Tree};

/// A program with its arguments; never a shell.
#[derive(Debug, Clone)]
pub struct Command {
    argv: Vec<String>,
    cwd: Utf8PathBuf,
    program_dir: Option<Utf8PathBuf>,
    source: String,
    environment: Environment,
    pipe_stdin: bool,
    capture: CaptureMode,
    foreground: bool,
}

impl Command {
    /// A program, its arguments and the folder it runs in, with the allowed [`Environment`] and all streams piped.
    ///
    /// A program with a slash is a path relative to the folder (see [`Command::program_dir`]); a bare name is looked
    /// for in PATH.
    pub fn new<S: Into<String>>(argv: impl IntoIterator<Item = S>, cwd: impl Into<Utf8PathBuf>) -> Self {
        Self {
            argv: argv.into_iter().map(Into::into).collect(),
            cwd: cwd.into(),
            program_dir: None,
            source: "child".to_owned(),
            environment: Environment::allowed(),
            pipe_stdin: true,
            capture: CaptureMode::default(),
            foreground: false,
        }
    }

    /// Whose output it is: with `agent`, what it writes to standard error is shown as `agent stderr`.
    #[must_use]
    pub fn source(mut self, source: impl Into<String>) -> Self {
        self.source = source.into();
        self
    }

    /// Its whole environment, besides `WT_WORKSPACE` and `WT_CASE_ID`.
    #[must_use]
    pub fn env(mut self, environment: Environment) -> Self {
        self.environment = environment;
        self
    }

    /// The folder that a program with a slash is relative to, where that is not the working folder.
    #[must_use]
    pub fn program_dir(mut self, dir: impl Into<Utf8PathBuf>) -> Self {
        self.program_dir = Some(dir.into());
        self
    }

    /// Nothing on its standard input.
    #[must_use]
    pub fn without_stdin(mut self) -> Self {
        self.pipe_stdin = false;
        self
    }

    /// Keeps the last part of its standard output, as is always done with standard error, instead of piping it.
    #[must_use]
    pub fn capture_stdout(mut self) -> Self {
        self.capture.stdout = true;
        self
    }

    /// Writes each line of its standard error to the log as well, redacted and at level `info`.
    #[must_use]
    pub fn log_stderr(mut self) -> Self {
        self.capture.log_stderr = true;
        self
    }

    /// Has our own streams, and stays in our process group, so that a person can use it at their terminal.
    #[must_use]
    pub fn foreground(mut self) -> Self {
        self.foreground = true;
        self
    }

    /// The program's file, without starting it.
    pub fn find_program(&self) -> Result<Utf8PathBuf, ChildError> {
        let name = self.argv.first().ok_or(ChildError::NoProgram)?;
        program::resolve(name, self.program_dir.as_ref().unwrap_or(&self.cwd), &self.environment)
    }

    /// Starts it in a case: with the case's workspace as `WT_WORKSPACE`, killed when the case is cancelled.
    ///
    /// Has to be called in a tokio runtime with I/O and time.
    pub fn spawn(&self, world: &CaseWorld) -> Result<Child, ChildError> {
        let (name, args) = self.argv.split_first().ok_or(ChildError::NoProgram)?;
        let program = self.find_program()?;
        if !self.cwd.is_dir() {
            return Err(ChildError::NoFolder { path: self.cwd.clone(), program: name.clone() });
        }
        let launch =
            Launch { program: &program, args, marker: marker(&world.case_id), own_group: !self.foreground };
        let tree = Tree::spawn(launch, |command| self.configure(command, world))
            .map_err(|source| ChildError::Spawn { program: program.clone(), source })?;
        let redactor = world.redactor.and(self.environment.secrets().iter().cloned());
        Ok(Child::supervise(tree, &self.source, &redactor, self.capture, &world.cancel))
    }

    fn configure(&self, command: &mut tokio::process::Command, world: &CaseWorld) {
        command.current_dir(&self.cwd).env_clear().envs(self.environment.iter());
        if self.foreground {
            return;
        }
        command
            .env("WT_WORKSPACE", &world.workspace)
            .stdin(if self.pipe_stdin { Stdio::piped() } else { Stdio::null() })
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
    }
}

/// A mark for the processes of one tree; cases are only unique in their process, and a case has several children.
fn marker(case_id: &str) -> String {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    format!("{case_id}.{}.{}", process::id(), NEXT.fetch_add(1, Ordering::Relaxed))
}
