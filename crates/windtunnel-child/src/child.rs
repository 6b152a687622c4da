//! A running program.

use std::time::Duration;

use tokio::process::{ChildStdin, ChildStdout};
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio::time::timeout;
use tokio_util::sync::{CancellationToken, DropGuard};
use windtunnel_api::event::CapturedOutput;
use windtunnel_api::secret::Redactor;

use crate::capture::Capture;
use crate::exit::Exit;
use crate::line_log::LineLog;
use crate::tree::Tree;

/// How long output is still read after the tree is dead. Its pipes are closed then, unless a process escaped with them.
const LAST_OUTPUT: Duration = Duration::from_millis(250);

/// A running program, with everything that it starts. Dropping it kills them.
///
/// A task of its own waits for it, so that it also dies with its case when nobody looks at it.
#[derive(Debug)]
pub struct Child {
    id: Option<u32>,
    stdin: Option<ChildStdin>,
    stdout: Option<ChildStdout>,
    stderr_capture: Capture,
    stdout_capture: Option<Capture>,
    ending: Ending,
    stop: CancellationToken,
    _stop_on_drop: DropGuard,
}

/// The end of a program, to be waited for by who does not keep it alive.
#[derive(Debug, Clone)]
pub struct Ending(watch::Receiver<Option<Exit>>);

impl Ending {
    /// Waits until the program has ended, what it left behind is killed, and its output is read. May be called again, and
    /// dropped halfway.
    pub async fn wait(&self) -> Exit {
        let mut exit = self.0.clone();
        let ended = exit.wait_for(Option::is_some).await.map(|exit| *exit);
        // The supervisor only goes away unheard when its runtime is shut down, and then it kills.
        ended.ok().flatten().unwrap_or(Exit::Killed)
    }
}

/// What is done with what a program prints.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct CaptureMode {
    /// Standard output is kept, as standard error is, and not piped.
    pub(crate) stdout: bool,
    /// Standard error goes to the log as well.
    pub(crate) log_stderr: bool,
}

impl Child {
    pub(crate) fn supervise(
        mut tree: Tree,
        source: &str,
        redactor: &Redactor,
        mode: CaptureMode,
        cancel: &CancellationToken,
    ) -> Self {
        let root = tree.root();
        let id = root.id();
        let stdin = root.stdin().take();
        let mut stdout = root.stdout().take();
        let mut readers = Vec::new();

        let stderr_capture = Capture::new(format!("{source} stderr"), redactor.clone());
        let stderr_log = mode.log_stderr.then(|| LineLog::new(redactor.clone()));
        let stderr = root.stderr().take();
        readers.extend(stderr.map(|stream| tokio::spawn(stderr_capture.clone().read(stream, stderr_log))));
        let stdout_capture = mode.stdout.then(|| Capture::new(format!("{source} stdout"), redactor.clone()));
        if let Some(capture) = &stdout_capture {
            readers.extend(stdout.take().map(|stream| tokio::spawn(capture.clone().read(stream, None))));
        }

        let stop = cancel.child_token();
        let (ended, exit) = watch::channel(None);
        tokio::spawn(supervise(tree, stop.clone(), readers, ended));
        let stop_on_drop = stop.clone().drop_guard();
        let ending = Ending(exit);
        Self { id, stdin, stdout, stderr_capture, stdout_capture, ending, stop, _stop_on_drop: stop_on_drop }
    }

    /// Its standard input, once. Dropping it closes it.
    pub fn take_stdin(&mut self) -> Option<ChildStdin> {
        self.stdin.take()
    }

    /// Its standard output, once; `None` if it is captured. Whoever takes it has to read it: a full pipe stops the program.
    pub fn take_stdout(&mut self) -> Option<ChildStdout> {
        self.stdout.take()
    }

    /// The last 64 KiB of what it wrote to standard error, redacted.
    pub fn captured(&self) -> CapturedOutput {
        self.stderr_capture.output()
    }

    /// The last 64 KiB of what it wrote to standard output, redacted, where the command said to capture it.
    pub fn captured_stdout(&self) -> Option<CapturedOutput> {
        self.stdout_capture.as_ref().map(Capture::output)
    }

    /// Waits for its end, see [`Ending::wait`].
    pub async fn wait(&self) -> Exit {
        self.ending.wait().await
    }

    /// Its end, which can still be waited for when this is dropped.
    pub fn ending(&self) -> Ending {
        self.ending.clone()
    }

    /// How it ended, if it has.
    pub fn exit(&self) -> Option<Exit> {
        *self.ending.0.borrow()
    }

    /// Ends the whole tree, asking first and killing after half a second, and waits for that. May be called again.
    pub async fn kill(&self) -> Exit {
        self.stop.cancel();
        self.wait().await
    }

    /// The process id of what was started directly: the shim's, where there is one. For messages.
    pub fn id(&self) -> Option<u32> {
        self.id
    }
}

async fn supervise(
    mut tree: Tree,
    stop: CancellationToken,
    readers: Vec<JoinHandle<()>>,
    ended: watch::Sender<Option<Exit>>,
) {
    let exit = tokio::select! {
        biased;
        exit = tree.wait() => exit,
        () = stop.cancelled() => tree.kill().await,
    };
    for mut reader in readers {
        if timeout(LAST_OUTPUT, &mut reader).await.is_err() {
            reader.abort();
        }
    }
    ended.send_replace(Some(exit));
}
