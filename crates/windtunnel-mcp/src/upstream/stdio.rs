//! A server as a child process: one process, one session, newline-delimited JSON over its pipes.

use std::sync::Arc;
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite};
use windtunnel_api::Secret;
use windtunnel_api::pack::StdioTools;
use windtunnel_child::{Child, Command, Environment};
use windtunnel_spi::{CaseWorld, ToolError, with_causes};

use crate::lines::{Line, Lines, write_line};
use crate::outbox::Inbox;
use crate::relay::{Outgoing, Session};

/// How long a server may take to end by itself once its input is closed.
const GOODBYE: Duration = Duration::from_millis(250);
/// How long after the end of its output a server's exit status is waited for.
const LAST_WORDS: Duration = Duration::from_millis(500);
/// Characters of its error output that go into a message.
const SHOWN: usize = 500;

/// The command of a stdio server.
#[derive(Debug)]
pub(crate) struct StdioOrigin {
    command: Command,
    secrets: Vec<Secret>,
}

impl StdioOrigin {
    /// The command with its environment; a missing variable is an error.
    pub(crate) fn new(server: &str, tools: &StdioTools, world: &CaseWorld) -> Result<Self, ToolError> {
        let failed = |error| ToolError::new(server, with_causes(&error));
        let environment = Environment::of(&tools.pass_env, &tools.env).map_err(failed)?;
        let secrets = environment.secrets().to_vec();
        let command = Command::new(tools.command.iter().cloned(), world.pack_dir.clone())
            .source(server)
            .env(environment);
        Ok(Self { command, secrets })
    }

    /// The secrets in the environment.
    pub(crate) fn secrets(&self) -> &[Secret] {
        &self.secrets
    }

    /// Starts a process.
    pub(crate) fn spawn(&self, server: &str, world: &CaseWorld) -> Result<Child, ToolError> {
        self.command.spawn(world).map_err(|error| ToolError::new(server, with_causes(&error)))
    }
}

/// Serves the one session of a process, until the session ends; then the process does.
pub(crate) async fn serve(
    child: Arc<Child>,
    pipes: (impl AsyncRead + Unpin, impl AsyncWrite + Unpin),
    mut inbox: Inbox<Outgoing>,
    session: Arc<Session>,
    message_limit: usize,
) {
    let (stdout, mut stdin) = pipes;
    let reading = async {
        let mut lines = Lines::new(stdout, message_limit);
        loop {
            match lines.next().await {
                Ok(Some(Line::Text(text))) => session.server_sends(&text, None),
                Ok(Some(Line::TooLong)) => {
                    return End::of(format!("sent a message of more than {message_limit} bytes"));
                }
                Ok(Some(Line::NotText)) => return End::of("sent something that is not UTF-8"),
                Ok(None) => return ended(&child).await,
                Err(error) => return End::of(format!("cannot be read from: {error}")),
            }
        }
    };
    let writing = async {
        while let Some(Outgoing { text, .. }) = inbox.recv().await {
            if let Err(error) = write_line(&mut stdin, text).await {
                tracing::debug!(server = session.server_name(), %error, "the server does not take its input any more");
                break;
            }
        }
        // Its output says better why it ended than a broken pipe does.
        std::future::pending::<()>().await;
    };
    let end = tokio::select! {
        biased;
        () = session.cancel().cancelled() => None,
        end = reading => Some(end),
        () = writing => None,
    };
    if let Some(End { how, last_words }) = end {
        let server = session.server_name();
        session.died(
            &format!("tool server {server} {how}{last_words}"),
            &format!("tool server {server} {how} during the case{last_words}"),
        );
        session.cancel().cancelled().await;
    }
    drop(stdin);
    if tokio::time::timeout(GOODBYE, child.wait()).await.is_err() {
        child.kill().await;
    }
}

/// Why nothing more comes from a server.
struct End {
    /// What it did, after its name.
    how: String,
    /// The end of what it wrote to its error output, to be put after that.
    last_words: String,
}

impl End {
    fn of(how: impl Into<String>) -> Self {
        Self { how: how.into(), last_words: String::new() }
    }
}

/// How it ended, with the end of what it wrote to its error output.
async fn ended(child: &Child) -> End {
    let Ok(exit) = tokio::time::timeout(LAST_WORDS, child.wait()).await else {
        return End::of("closed its output");
    };
    let written = child.captured().text;
    let written = written.trim();
    if written.is_empty() {
        return End::of(exit.to_string());
    }
    let cut = written.len().saturating_sub(SHOWN);
    let start = (cut..written.len()).find(|at| written.is_char_boundary(*at)).unwrap_or(0);
    let last_words = format!("; its last words: {}", written.get(start..).unwrap_or(written));
    End { how: exit.to_string(), last_words }
}
