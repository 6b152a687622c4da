//! A process that stays for the case and answers line by line.

use std::time::Duration;

use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::process::{ChildStdin, ChildStdout};
use tokio::time::timeout;
use windtunnel_api::secret::Redactor;
use windtunnel_child::Child;
use windtunnel_spi::{Message, RuntimeError, RuntimeErrorKind, SessionId};

use super::reply::{self, PromptLine};
use crate::program::{Exchange, Failure, MAX_REPLY};

/// How long a line may still take that was printed before a turn.
const SURPLUS: Duration = Duration::from_millis(20);

/// A running process, and how many turns it was asked.
#[derive(Debug)]
pub(super) struct Session {
    pub(super) child: Child,
    stdin: ChildStdin,
    stdout: BufReader<ChildStdout>,
    turns: usize,
}

impl Session {
    pub(super) fn new(mut child: Child) -> Result<Self, RuntimeError> {
        let (Some(stdin), Some(stdout)) = (child.take_stdin(), child.take_stdout()) else {
            return Err(RuntimeError::new(RuntimeErrorKind::Start, "the agent was started without pipes"));
        };
        Ok(Self { child, stdin, stdout: BufReader::new(stdout), turns: 0 })
    }

    /// Asks one turn and waits for its line.
    pub(super) async fn exchange(
        &mut self,
        prompt: &str,
        session: &SessionId,
        history: &[Message],
        redactor: &Redactor,
    ) -> Exchange {
        self.refuse_surplus(redactor).await?;
        self.turns += 1;
        let history = history.iter().map(Into::into).collect();
        let asked = PromptLine { prompt, session: session.as_str(), turn: self.turns, history };
        let mut line = serde_json::to_vec(&asked)
            .map_err(|error| Failure::Reply(format!("the turn cannot be written as JSON: {error}")))?;
        line.push(b'\n');
        // A program that closed its input may have answered, or tells by its end.
        let _ = self.stdin.write_all(&line).await;
        let line = self.line().await?;
        reply::parse(&line, self.turns, redactor).map_err(Failure::Reply)
    }

    /// Fails if there is a line already: it would be taken for the answer to a turn that it does not know.
    async fn refuse_surplus(&mut self, redactor: &Redactor) -> Result<(), Failure> {
        // The end of the output, and an error, are told once the turn is asked.
        while let Ok(Ok(printed)) = timeout(SURPLUS, self.stdout.fill_buf()).await
            && !printed.is_empty()
        {
            if let Some(line) =
                printed.split(|byte| *byte == b'\n').find(|line| !line.trim_ascii().is_empty())
            {
                return Err(Failure::Reply(format!(
                    "the agent printed a line that nobody asked for: {}; with reply = \"jsonl\" it prints one line for every \
                     turn, after it was asked",
                    reply::excerpt(line.trim_ascii(), redactor)
                )));
            }
            let blank = printed.len();
            self.stdout.consume(blank);
        }
        Ok(())
    }

    /// The next line that is not empty.
    async fn line(&mut self) -> Result<Vec<u8>, Failure> {
        let mut line = Vec::new();
        loop {
            line.clear();
            let limit = MAX_REPLY as u64 + 1;
            let read = (&mut self.stdout).take(limit).read_until(b'\n', &mut line).await;
            if line.len() > MAX_REPLY {
                return Err(Failure::Reply(format!(
                    "the agent's reply line is longer than {MAX_REPLY} bytes"
                )));
            }
            if matches!(read, Ok(0) | Err(_)) {
                return Err(self.ended().await);
            }
            if !line.trim_ascii().is_empty() {
                return Ok(line);
            }
        }
    }

    /// Its output is at an end: normally because it is.
    async fn ended(&self) -> Failure {
        Failure::Ended(self.child.wait().await)
    }
}
