//! Trees elsewhere: a job object on Windows, a process group on macOS, which a process that starts its own session leaves.

use std::io;

use process_wrap::tokio::{ChildWrapper, CommandWrap};
use tokio::process::Command;

use crate::exit::Exit;
#[cfg(unix)]
use crate::tree::program::{Program, deaths};
use crate::tree::{Launch, MARKER};

/// A running tree. Dropping it kills it.
#[derive(Debug)]
pub(crate) struct Tree {
    root: Box<dyn ChildWrapper>,
    #[cfg(unix)]
    program: Program,
    /// Set when nothing is left of it.
    exit: Option<Exit>,
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
        let deaths = deaths()?;
        #[cfg(unix)]
        if launch.own_group {
            command.wrap(process_wrap::tokio::ProcessGroup::leader());
        }
        #[cfg(windows)]
        command.wrap(process_wrap::tokio::JobObject);
        let root = command.spawn()?;
        Ok(Self {
            #[cfg(unix)]
            program: Program::new(root.id(), deaths)?,
            root,
            exit: None,
        })
    }

    pub(crate) fn root(&mut self) -> &mut dyn ChildWrapper {
        self.root.as_mut()
    }

    /// Waits until the program has ended, and kills what is left of its group. May be dropped halfway; [`Self::kill`] then
    /// does the rest.
    pub(crate) async fn wait(&mut self) -> Exit {
        if let Some(exit) = self.exit {
            return exit;
        }
        #[cfg(unix)]
        self.program.ended().await;
        #[cfg(not(unix))]
        let _ = self.root.wait().await;
        let exit = self.finish().await;
        *self.exit.insert(exit)
    }

    /// Ends the whole group: TERM, and KILL after a short grace. Windows has no TERM. Of a program that has ended by itself,
    /// only what is left is killed, and it is told how that ended.
    pub(crate) async fn kill(&mut self) -> Exit {
        if self.has_ended() {
            return self.wait().await;
        }
        #[cfg(unix)]
        {
            const SIGTERM: i32 = 15;
            let _ = self.root.signal(SIGTERM);
            let _ = tokio::time::timeout(crate::tree::GRACE, self.program.ended()).await;
        }
        self.finish().await;
        *self.exit.insert(Exit::Killed)
    }

    fn has_ended(&mut self) -> bool {
        #[cfg(unix)]
        let ended = self.program.exit().is_some();
        #[cfg(not(unix))]
        let ended = matches!(self.root.try_wait(), Ok(Some(_)));
        self.exit.is_some() || ended
    }

    /// Kills the group, and only then reaps the program: until then the group's number is nobody else's. A job has no
    /// number.
    async fn finish(&mut self) -> Exit {
        // Of a group without members there is nothing to kill.
        let _ = self.root.start_kill();
        self.root.wait().await.map_or(Exit::Unknown, Exit::from)
    }
}

impl Drop for Tree {
    fn drop(&mut self) {
        if self.exit.is_none() {
            let _ = self.root.start_kill();
        }
    }
}
