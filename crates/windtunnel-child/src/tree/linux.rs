//! Trees on Linux: below a shim where there is one, else a process group and what `/proc` knows.

use std::ffi::OsString;
use std::io;
use std::process;
use std::time::Duration;

use process_wrap::tokio::{ChildWrapper, CommandWrap, ProcessGroup};
use rustix::process::{Pid, Signal, kill_process, kill_process_group};
use tokio::process::Command;
use tokio::time::{sleep, timeout};

use crate::exit::Exit;
use crate::procfs::{Process, descendants, marked};
use crate::shim;
use crate::tree::{GRACE, Launch, MARKER};

/// How long a shim may take beyond the grace of its program.
const SHIM_EXTRA: Duration = Duration::from_secs(6);

/// How often leftovers are looked for before they are left alone.
const SWEEPS: usize = 200;

/// A running tree. Dropping it kills it.
#[derive(Debug)]
pub(crate) struct Tree {
    root: Box<dyn ChildWrapper>,
    pid: Pid,
    marker: String,
    shimmed: bool,
    ended: bool,
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
        let root = CommandWrap::from(command).wrap(ProcessGroup::leader()).spawn()?;
        let pid = root.id().and_then(|id| i32::try_from(id).ok()).and_then(Pid::from_raw);
        let pid = pid.ok_or_else(|| io::Error::other("the new process has no process id"))?;
        Ok(Self { root, pid, marker: launch.marker, shimmed: shim.is_some(), ended: false })
    }

    pub(crate) fn root(&mut self) -> &mut dyn ChildWrapper {
        self.root.as_mut()
    }

    /// Waits until the program has ended and nothing is left of its tree.
    pub(crate) async fn wait(&mut self) -> Exit {
        let exit = self.root.wait().await.map_or(Exit::Unknown, Exit::from);
        self.ended = true;
        // A shim leaves nothing behind, unless it was killed itself.
        if !self.shimmed || matches!(exit, Exit::Signal(_)) {
            self.sweep(Vec::new()).await;
        }
        exit
    }

    /// Ends the whole tree: TERM, and KILL after a short grace.
    pub(crate) async fn kill(&mut self) {
        if self.ended {
            return;
        }
        let (seen, limit) = if self.shimmed {
            let _ = kill_process(self.pid, Signal::TERM);
            (Vec::new(), GRACE + SHIM_EXTRA)
        } else {
            // Looked for before anything dies: the dead are nobody's parents.
            let seen = self.members();
            let _ = kill_process_group(self.pid, Signal::TERM);
            signal_all(&seen, Signal::TERM);
            (seen, GRACE)
        };
        let in_time = timeout(limit, self.root.wait()).await.is_ok();
        if !in_time {
            self.kill_now(&seen);
            let _ = self.root.wait().await;
        }
        self.ended = true;
        if !self.shimmed || !in_time {
            self.sweep(seen).await;
        }
    }

    fn members(&self) -> Vec<Process> {
        let mut members = descendants(self.pid);
        members.extend(marked(MARKER, &self.marker));
        members
    }

    /// Kills what is left when the program itself has ended.
    async fn sweep(&self, seen: Vec<Process>) {
        let _ = kill_process_group(self.pid, Signal::KILL);
        signal_all(&seen, Signal::KILL);
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
        let _ = kill_process_group(self.pid, Signal::KILL);
        signal_all(seen, Signal::KILL);
        signal_all(&left, Signal::KILL);
    }
}

impl Drop for Tree {
    fn drop(&mut self) {
        if self.ended {
            return;
        }
        if self.shimmed {
            let _ = kill_process(self.pid, Signal::TERM);
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
