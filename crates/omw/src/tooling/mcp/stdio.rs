//! A server that is started here and spoken to over its standard streams.

use std::env;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use camino::{Utf8Path, Utf8PathBuf};
use indexmap::IndexMap;
use rmcp::RoleClient;
use rmcp::transport::async_rw::AsyncRwTransport;
use tokio::io::{AsyncRead, ReadBuf};
use tokio::process::{ChildStdin, ChildStdout};
use tokio::time::timeout;
use windtunnel_api::Secret;
use windtunnel_api::secret::Redactor;
use windtunnel_child::{Child, ChildError, Command, Environment};
use windtunnel_spi::{CaseWorld, with_causes};

use super::failure::ConnectError;
use super::session::MESSAGE_BYTES;

/// How long a server may take to end by itself once its input is closed.
const GOODBYE: Duration = Duration::from_millis(500);
/// How long after the end of its output a server's exit status is waited for.
const LAST_WORDS: Duration = Duration::from_millis(500);
/// Bytes of its error output that go into a message.
const SHOWN: usize = 500;
/// Our own settings, which are no affair of a tool server: among them are the keys of models.
const OURS: [&str; 2] = ["OMW__", "OMW_TEST__"];

/// The program of a server.
pub(super) struct StdioOrigin {
    label: String,
    command: Command,
    world: CaseWorld,
}

impl StdioOrigin {
    /// A program that gets our environment and `env`.
    pub(super) fn new(
        command: &str,
        args: &[Secret],
        env: &IndexMap<String, Secret>,
        cwd: Option<Utf8PathBuf>,
        redactor: Redactor,
    ) -> Result<Self, ChildError> {
        let environment = env.iter().try_fold(inherited(), |environment, (name, value)| {
            environment.set_plain(name, value.expose())
        })?;
        let label = Utf8Path::new(command).file_name().unwrap_or(command).to_owned();
        let words = std::iter::once(command).chain(args.iter().map(Secret::expose));
        let cwd = cwd.unwrap_or_else(|| Utf8PathBuf::from("."));
        let command = Command::new(words, cwd.clone()).source(label.clone()).env(environment).log_stderr();
        let mut world = CaseWorld::new(label.clone(), cwd);
        world.redactor = redactor;
        Ok(Self { label, command, world })
    }

    /// The server's name in messages.
    pub(super) fn label(&self) -> &str {
        &self.label
    }

    /// Starts the program.
    pub(super) fn spawn(
        &self,
    ) -> Result<(Process, AsyncRwTransport<RoleClient, Bounded, ChildStdin>), ConnectError> {
        let mut child =
            self.command.spawn(&self.world).map_err(|error| ConnectError::lasting(with_causes(&error)))?;
        let (Some(stdin), Some(stdout)) = (child.take_stdin(), child.take_stdout()) else {
            return Err(ConnectError::lasting("its standard streams are not piped"));
        };
        let is_too_long = Arc::new(AtomicBool::new(false));
        let stdout = Bounded { stdout, line: 0, is_too_long: Arc::clone(&is_too_long) };
        // A line that is too long is an end here: whoever waits for it would wait in vain.
        let transport = AsyncRwTransport::new_client(stdout, stdin).with_max_line_length(usize::MAX);
        Ok((Process { child, is_too_long }, transport))
    }
}

fn inherited() -> Environment {
    let names = env::vars_os().filter_map(|(name, _)| name.into_string().ok());
    Environment::default().pass(names.filter(|name| !is_ours(name)))
}

fn is_ours(name: &str) -> bool {
    let name = name.to_ascii_uppercase();
    OURS.iter().any(|prefix| name.starts_with(prefix))
}

/// A running server.
#[derive(Debug)]
pub(super) struct Process {
    child: Child,
    is_too_long: Arc<AtomicBool>,
}

impl Process {
    /// What it did, once its output is at an end: `ended with exit code 3; its last words: …`.
    pub(super) async fn epitaph(&self) -> String {
        if self.is_too_long.load(Ordering::Relaxed) {
            return format!("sent a message of more than {MESSAGE_BYTES} bytes");
        }
        let end = match timeout(LAST_WORDS, self.child.wait()).await {
            Ok(exit) => exit.to_string(),
            Err(_) => "closed its output".to_owned(),
        };
        let written = self.child.captured().text;
        let written = written.trim();
        let start = written.len().saturating_sub(SHOWN);
        let start = (start..written.len()).find(|at| written.is_char_boundary(*at)).unwrap_or(0);
        match written.get(start..) {
            None | Some("") => end,
            Some(words) => format!("{end}; its last words: {words}"),
        }
    }

    /// Waits for its end, and brings it about if it takes too long. Its input has to be closed before.
    pub(super) async fn end(&self) {
        if timeout(GOODBYE, self.child.wait()).await.is_err() {
            self.child.kill().await;
        }
    }
}

/// A server's output, which ends with the first line that is too long.
#[derive(Debug)]
pub(super) struct Bounded {
    stdout: ChildStdout,
    /// Bytes of the line that is being read.
    line: usize,
    is_too_long: Arc<AtomicBool>,
}

impl AsyncRead for Bounded {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        if self.is_too_long.load(Ordering::Relaxed) {
            return Poll::Ready(Ok(()));
        }
        let before = buf.filled().len();
        ready!(Pin::new(&mut self.stdout).poll_read(cx, buf))?;
        let read = buf.filled().get(before..).unwrap_or_default();
        if let Some(longest) = longest_line(&mut self.line, read)
            && longest > MESSAGE_BYTES
        {
            self.is_too_long.store(true, Ordering::Relaxed);
            buf.set_filled(before);
        }
        Poll::Ready(Ok(()))
    }
}

/// The longest line, as far as it is known, that a read ended or went on with; `line` counts the bytes of the one that goes on.
fn longest_line(line: &mut usize, read: &[u8]) -> Option<usize> {
    let mut longest = None;
    for part in read.split_inclusive(|byte| *byte == b'\n') {
        *line += part.len();
        longest = longest.max(Some(*line));
        if part.ends_with(b"\n") {
            *line = 0;
        }
    }
    longest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_measured_across_reads() {
        let mut line = 0;
        assert_eq!(longest_line(&mut line, b"abc"), Some(3));
        assert_eq!(longest_line(&mut line, b"de\nx"), Some(6));
        assert_eq!((longest_line(&mut line, b""), line), (None, 1));
    }

    #[test]
    fn our_own_settings_are_not_handed_on() {
        assert!(is_ours("OMW__PROVIDERS__MAIN__API_KEY") && is_ours("omw_test__tunables__inbox_bound"));
        assert!(!is_ours("PATH") && !is_ours("OMW_HOME"));
    }
}
