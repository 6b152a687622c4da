//! A server as a child process: one process, one session, newline-delimited JSON over its pipes.

use std::sync::Arc;
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite};
use windtunnel_api::Secret;
use windtunnel_api::pack::StdioTools;
use windtunnel_child::{Child, Command, Environment};
use windtunnel_spi::{CaseWorld, ToolError};

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
        let failed = |error| ToolError::new(server, describe(&error));
        let mut environment = Environment::allowed().pass(&tools.pass_env);
        for (name, template) in &tools.env {
            environment = environment.set(name, template).map_err(failed)?;
        }
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
        self.command.spawn(world).map_err(|error| ToolError::new(server, describe(&error)))
    }
}

/// The message with its causes.
fn describe(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        text.push_str(": ");
        text.push_str(&error.to_string());
        cause = error.source();
    }
    text
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
                    return format!("sent a message of more than {message_limit} bytes");
                }
                Ok(Some(Line::NotText)) => return "sent something that is not UTF-8".to_owned(),
                Ok(None) => return ended(&child).await,
                Err(error) => return format!("cannot be read from: {error}"),
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
    let why = tokio::select! {
        biased;
        () = session.cancel().cancelled() => None,
        why = reading => Some(why),
        () = writing => None,
    };
    if let Some(why) = why {
        session.gone(&format!("tool server {} {why}", session.server_name()));
        session.cancel().cancelled().await;
    }
    drop(stdin);
    if tokio::time::timeout(GOODBYE, child.wait()).await.is_err() {
        child.kill().await;
    }
}

/// How it ended, with the end of what it wrote to its error output.
async fn ended(child: &Child) -> String {
    let Ok(exit) = tokio::time::timeout(LAST_WORDS, child.wait()).await else {
        return "closed its output".to_owned();
    };
    let written = child.captured().text;
    let written = written.trim();
    if written.is_empty() {
        return exit.to_string();
    }
    let cut = written.len().saturating_sub(SHOWN);
    let start = (cut..written.len()).find(|at| written.is_char_boundary(*at)).unwrap_or(0);
    format!("{exit}; its last words: {}", written.get(start..).unwrap_or(written))
}
