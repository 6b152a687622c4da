//! The program at the root of a tree, watched without being reaped.

use std::io;

use rustix::process::{Pid, WaitId, WaitIdOptions, WaitIdStatus, waitid};
use tokio::signal::unix::{Signal, SignalKind, signal};

use crate::exit::Exit;

/// Sees a program end and leaves it unreaped: until it is reaped, its number, which is also its group's, means nobody else.
#[derive(Debug)]
pub(crate) struct Program {
    pid: Pid,
    deaths: Signal,
}

/// What hears of the deaths of child processes. To be made before the child is, so that it misses none.
pub(crate) fn deaths() -> io::Result<Signal> {
    signal(SignalKind::child())
}

impl Program {
    pub(crate) fn new(id: Option<u32>, deaths: Signal) -> io::Result<Self> {
        let pid = id.and_then(|id| i32::try_from(id).ok()).and_then(Pid::from_raw);
        let pid = pid.ok_or_else(|| io::Error::other("the new process has no process id"))?;
        Ok(Self { pid, deaths })
    }

    #[cfg(target_os = "linux")]
    pub(crate) fn pid(&self) -> Pid {
        self.pid
    }

    /// How it ended, if it has.
    pub(crate) fn exit(&self) -> Option<Exit> {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        match waitid(WaitId::Pid(self.pid), options) {
            Ok(status) => status.as_ref().map(exit),
            Err(_) => Some(Exit::Unknown),
        }
    }

    /// Waits until it has ended. May be dropped halfway and called again.
    pub(crate) async fn ended(&mut self) -> Exit {
        loop {
            if let Some(exit) = self.exit() {
                return exit;
            }
            self.deaths.recv().await;
        }
    }
}

fn exit(status: &WaitIdStatus) -> Exit {
    match (status.exit_status(), status.terminating_signal()) {
        (Some(code), _) => Exit::Code(code),
        (None, Some(signal)) => Exit::Signal(signal),
        (None, None) => Exit::Unknown,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_program_that_was_seen_to_end_is_not_reaped() {
        let deaths = deaths().unwrap();
        let mut child = std::process::Command::new("sh").args(["-c", "exit 7"]).spawn().unwrap();
        let mut program = Program::new(Some(child.id()), deaths).unwrap();
        assert_eq!((program.ended().await, program.ended().await), (Exit::Code(7), Exit::Code(7)));
        assert_eq!(child.wait().unwrap().code(), Some(7));
        assert_eq!(program.exit(), Some(Exit::Unknown), "now it is");
    }
}
