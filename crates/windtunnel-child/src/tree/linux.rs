//! Trees on Linux: below a shim where there is one, else a process group and what `/proc` knows.

use std::ffi::OsString;
use std::io;
use std::process;
use std::time::Duration;

use process_wrap::tokio::{ChildWrapper, CommandWrap, ProcessGroup};
use rustix::process::{Signal, kill_process, kill_process_group};
use tokio::process::Command;
use tokio::time::{sleep, timeout};

use crate::exit::Exit;
use crate::procfs::{Process, descendants, marked};
use crate::shim;
use crate::tree::program::{Program, deaths};
use crate::tree::{GRACE, Launch, MARKER};

/// How long a shim may take beyond the grace of its program.
const SHIM_EXTRA: Duration = Duration::from_secs(6);

/// How often leftovers are looked for before they are left alone.
const SWEEPS: usize = 200;

/// A running tree. Dropping it kills it.
#[derive(Debug)]
pub(crate) struct Tree {
    root: Box<dyn ChildWrapper>,
    program: Program,
    marker: String,
    shimmed: bool,
    /// Set when nothing is left of it.
    exit: Option<Exit>,
}

impl Tree {
    /// Starts a program. `configure` sets its folder, environment and streams.
    pub(crate) fn spawn(launch: Launch<'_>, configure: impl FnOnce(&mut Command)) -> io::Result<Self> {
        let shim = shim::registered();
        let mut command = match shim {
            Some((program, args)) => {
                let mut command = Command::new(program);
                command.args(args).arg(process::id().to_string()).arg("--").arg(launch.program);
                command
            }
            None => Command::new(launch.program),
        };
        command.args(launch.args);
        configure(&mut command);
        command.env(MARKER, OsString::from(&launch.marker));
        let deaths = deaths()?;
        let mut command = CommandWrap::from(command);
        if launch.own_group {
            command.wrap(ProcessGroup::leader());
        }
        let root = command.spawn()?;
        let program = Program::new(root.id(), deaths)?;
        Ok(Self { root, program, marker: launch.marker, shimmed: shim.is_some(), exit: None })
    }

    pub(crate) fn root(&mut self) -> &mut dyn ChildWrapper {
        self.root.as_mut()
    }

    /// Waits until the program has ended and nothing is left of its tree. May be dropped halfway; [`Self::kill`] then does
    /// the rest.
    pub(crate) async fn wait(&mut self) -> Exit {
        if let Some(exit) = self.exit {
            return exit;
        }
        let exit = self.program.ended().await;
        self.finish(exit, &[]).await;
        *self.exit.insert(exit)
    }

    /// Ends the whole tree: TERM, and KILL after a short grace. Of a program that has ended by itself, only what is left is
    /// killed, and it is told how that ended.
    pub(crate) async fn kill(&mut self) -> Exit {
        if self.exit.is_some() || self.program.exit().is_some() {
            return self.wait().await;
        }
        let (seen, limit) = if self.shimmed {
            let _ = kill_process(self.program.pid(), Signal::TERM);
            (Vec::new(), GRACE + SHIM_EXTRA)
        } else {
            // Looked for before anything dies: the dead are nobody's parents.
            let seen = self.members();
            let _ = kill_process_group(self.program.pid(), Signal::TERM);
            signal_all(&seen, Signal::TERM);
            (seen, GRACE)
        };
        let exit = if let Ok(exit) = timeout(limit, self.program.ended()).await {
            exit
        } else {
            self.kill_now(&seen);
            self.program.ended().await
        };
        self.finish(exit, &seen).await;
        *self.exit.insert(Exit::Killed)
    }

    fn members(&self) -> Vec<Process> {
        let mut members = descendants(self.program.pid());
        members.extend(marked(MARKER, &self.marker));
        members
    }

    /// Kills what the ended program left, and only then reaps it: until then its group's number is nobody else's.
    async fn finish(&mut self, exit: Exit, seen: &[Process]) {
        // A shim leaves nothing behind, unless it was killed itself.
        if !self.shimmed || !matches!(exit, Exit::Code(_)) {
            // Somebody else has reaped a program whose exit is unknown.
            if exit != Exit::Unknown {
                let _ = kill_process_group(self.program.pid(), Signal::KILL);
            }
            self.sweep(seen).await;
        }
        let _ = self.root.wait().await;
    }

    async fn sweep(&self, seen: &[Process]) {
        signal_all(seen, Signal::KILL);
        for _ in 0..SWEEPS {
            let left = marked(MARKER, &self.marker);
            if left.is_empty() {
                return;
            }
            signal_all(&left, Signal::KILL);
            sleep(Duration::from_millis(2)).await;
        }
        tracing::warn!(marker = self.marker, "processes of a case do not die");
    }

    fn kill_now(&self, seen: &[Process]) {
        let left = self.members();
        let _ = kill_process_group(self.program.pid(), Signal::KILL);
        signal_all(seen, Signal::KILL);
        signal_all(&left, Signal::KILL);
    }
}

impl Drop for Tree {
    fn drop(&mut self) {
        if self.exit.is_some() {
            return;
        }
        if self.shimmed {
            let _ = kill_process(self.program.pid(), Signal::TERM);
        } else {
            self.kill_now(&[]);
        }
    }
}

fn signal_all(processes: &[Process], signal: Signal) {
    for process in processes {
        process.signal(signal);
    }
}
