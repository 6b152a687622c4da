//! One call of a program.

use std::fmt;
use std::fs;
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::thread;

use rustix::process::{Pid, Signal, kill_process, kill_process_group};
use tempfile::NamedTempFile;

use crate::folder::Folder;
use crate::process::{LIMIT, eventually};
use crate::program::Program;

/// A program that is about to be called, with an environment that holds only what is given to it.
pub struct Call<'f> {
    folder: &'f Folder,
    command: Command,
    shown: String,
}

impl<'f> Call<'f> {
    pub(crate) fn new(folder: &'f Folder, program: &Program, line: &str) -> Self {
        Self::called(folder, program.path(), line.split_whitespace(), &format!("{} {line}", program.name()))
    }

    pub(crate) fn in_shell(folder: &'f Folder, program: &Program, line: &str) -> Self {
        Self::called(folder, "sh".as_ref(), ["-c", line], line)
            .env(&program.variable(), &program.path().to_string_lossy())
    }

    fn called<'a>(
        folder: &'f Folder,
        program: &Path,
        args: impl IntoIterator<Item = &'a str>,
        shown: &str,
    ) -> Self {
        let mut command = Command::new(program);
        command
            .args(args)
            .current_dir(folder.path(""))
            .env_clear()
            .envs(std::env::var_os("PATH").map(|path| ("PATH", path)))
            .env("HOME", folder.beside("home"))
            .env("TMPDIR", folder.beside("tmp"))
            .env("NO_COLOR", "1")
            .stdin(Stdio::null())
            .process_group(0);
        Self { folder, command, shown: shown.to_owned() }
    }

    /// Sets a variable.
    #[must_use]
    pub fn env(mut self, name: &str, value: &str) -> Self {
        self.command.env(name, value);
        self
    }

    /// Takes a variable away.
    #[must_use]
    pub fn without_env(mut self, name: &str) -> Self {
        self.command.env_remove(name);
        self
    }

    /// Starts it and returns at once.
    pub fn start(mut self) -> Started<'f> {
        // Files, not pipes: what was written is there even if somebody who inherited the stream lives on.
        let stream = || NamedTempFile::new_in(self.folder.beside("")).unwrap();
        let (stdout, stderr) = (stream(), stream());
        let to = |stream: &NamedTempFile| Stdio::from(stream.reopen().unwrap());
        let child = self.command.stdout(to(&stdout)).stderr(to(&stderr)).spawn().unwrap();
        Started { folder: self.folder, child, shown: self.shown, stdout, stderr }
    }

    /// Runs it to its end, which has to be this exit code.
    pub fn exits(self, code: i32) -> Finished {
        self.start().exits(code)
    }

    /// Runs it to its end, which has to be a success.
    pub fn succeeds(self) -> Finished {
        self.exits(0)
    }
}

/// A program that runs. It is killed when it is dropped.
pub struct Started<'f> {
    folder: &'f Folder,
    child: Child,
    shown: String,
    stdout: NamedTempFile,
    stderr: NamedTempFile,
}

impl Started<'_> {
    fn pid(&self) -> Pid {
        Pid::from_child(&self.child)
    }

    /// Sends a signal to this one process.
    pub fn signal(&self, signal: Signal) {
        kill_process(self.pid(), signal).unwrap();
    }

    /// Waits until something is the case, and fails if it ends before.
    #[must_use]
    pub fn until(mut self, what: &str, holds: impl Fn() -> bool) -> Self {
        eventually(what, || {
            let ended = self.child.try_wait().unwrap();
            let holds = holds();
            assert!(holds || ended.is_none(), "it ended before {what}\n{}", self.said());
            holds.then_some(())
        });
        self
    }

    /// The first line of standard output, as soon as it is there.
    pub fn first_line(&mut self) -> String {
        eventually("it prints a line", || {
            let ended = self.child.try_wait().unwrap();
            let said = self.said();
            let line = said.stdout.split_once('\n').map(|(line, _)| line.to_owned());
            assert!(line.is_some() || ended.is_none(), "{said}");
            line
        })
    }

    /// What it has said so far.
    pub fn said(&self) -> Finished {
        let text = |stream: &NamedTempFile| fs::read_to_string(stream.path()).unwrap();
        Finished {
            shown: self.shown.clone(),
            code: None,
            stdout: text(&self.stdout),
            stderr: text(&self.stderr),
        }
    }

    /// Waits for its end, which has to be this exit code. Nothing temporary is left then.
    pub fn exits(self, code: i32) -> Finished {
        let temporary = self.folder.beside("tmp");
        let finished = self.end();
        assert_eq!(finished.code, Some(code), "{finished}");
        assert!(!finished.stderr.contains("panicked at"), "{finished}");
        if !finished.shown.contains("--keep-workspace") {
            let left: Vec<_> = fs::read_dir(temporary).unwrap().map(|entry| entry.unwrap().path()).collect();
            assert!(left.is_empty(), "temporary files are left: {left:?}\n{finished}");
        }
        finished
    }

    /// Waits for its end, which has to be by a signal. What it had no time to remove may be left.
    pub fn was_killed(self) -> Finished {
        let finished = self.end();
        assert_eq!(finished.code, None, "{finished}");
        finished
    }

    fn end(mut self) -> Finished {
        let pid = self.pid();
        let (ended, wait) = mpsc::channel::<()>();
        let watchdog = thread::spawn(move || {
            let late = wait.recv_timeout(LIMIT) == Err(mpsc::RecvTimeoutError::Timeout);
            if late {
                let _ = kill_process_group(pid, Signal::KILL);
            }
            late
        });
        let status = self.child.wait().unwrap();
        drop(ended);
        let late = watchdog.join().unwrap();
        let finished = Finished { code: status.code(), ..self.said() };
        assert!(!late, "killed after {} s\n{finished}", LIMIT.as_secs());
        finished
    }
}

impl Drop for Started<'_> {
    fn drop(&mut self) {
        if matches!(self.child.try_wait(), Ok(None)) {
            let _ = kill_process_group(self.pid(), Signal::KILL);
            let _ = self.child.wait();
        }
    }
}

/// How a call ended. Displayed it is all there is to know about it.
#[derive(Debug)]
pub struct Finished {
    shown: String,
    code: Option<i32>,
    /// What it wrote to standard output.
    pub stdout: String,
    /// What it wrote to standard error.
    pub stderr: String,
}

impl Finished {
    /// Standard output as JSON.
    pub fn json<T: serde::de::DeserializeOwned>(&self) -> T {
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("{error}\n{self}"))
    }

    /// Standard output has this in it.
    pub fn says(&self, text: &str) -> &Self {
        assert!(self.stdout.contains(text), "standard output does not say {text:?}\n{self}");
        self
    }

    /// Standard error has this in it.
    pub fn complains(&self, text: &str) -> &Self {
        assert!(self.stderr.contains(text), "standard error does not say {text:?}\n{self}");
        self
    }
}

impl fmt::Display for Finished {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let code = self.code.map_or_else(|| "killed".to_owned(), |code| format!("exit {code}"));
        let Self { shown, stdout, stderr, .. } = self;
        write!(f, "$ {shown}\n{code}\n--- stdout\n{stdout}\n--- stderr\n{stderr}")
    }
}
