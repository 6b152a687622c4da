//! Trees elsewhere: a job object on Windows, a process group on macOS, which a process that starts its own session leaves.

use std::io;

use process_wrap::tokio::{ChildWrapper, CommandWrap};
use tokio::process::Command;

use crate::exit::Exit;
use crate::tree::{Launch, MARKER};

/// A running tree. Dropping it kills it.
#[derive(Debug)]
pub(crate) struct Tree {
    root: Box<dyn ChildWrapper>,
    ended: bool,
}

impl Tree {
    /// Starts a program. `configure` sets its folder, environment and streams.
    pub(crate) fn spawn(launch: Launch<'_>, configure: impl FnOnce(&mut Command)) -> io::Result<Self> {
        let mut command = Command::new(launch.program);
        command.args(launch.args);
        configure(&mut command);
        command.env(MARKER, launch.marker);
        let mut command = CommandWrap::from(command);
        #[cfg(unix)]
        command.wrap(process_wrap::tokio::ProcessGroup::leader());
        #[cfg(windows)]
        command.wrap(process_wrap::tokio::JobObject);
        Ok(Self { root: command.spawn()?, ended: false })
    }

    pub(crate) fn root(&mut self) -> &mut dyn ChildWrapper {
        self.root.as_mut()
    }

    /// Waits until the program has ended, and kills what is left of its group.
    pub(crate) async fn wait(&mut self) -> Exit {
        let exit = self.root.wait().await.map_or(Exit::Unknown, Exit::from);
        self.ended = true;
        // Of a group without members there is nothing to kill.
        let _ = self.root.start_kill();
        exit
    }

    /// Ends the whole group: TERM, and KILL after a short grace. Windows has no TERM.
    pub(crate) async fn kill(&mut self) {
        if self.ended {
            return;
        }
        #[cfg(unix)]
        {
            const SIGTERM: i32 = 15;
            let _ = self.root.signal(SIGTERM);
            let _ = tokio::time::timeout(crate::tree::GRACE, self.root.wait()).await;
        }
        let _ = self.root.start_kill();
        let _ = self.root.wait().await;
        self.ended = true;
    }
}

impl Drop for Tree {
    fn drop(&mut self) {
        if !self.ended {
            let _ = self.root.start_kill();
        }
    }
}
