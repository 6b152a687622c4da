//! What a turn is asked with, how it can fail, and what failing says.

use std::time::Duration;

use windtunnel_api::event::CapturedOutput;
use windtunnel_api::secret::Redactor;
use windtunnel_child::{Child, Exit};
use windtunnel_spi::{AgentReply, RuntimeError, RuntimeErrorKind};

/// The most bytes of one answer.
pub(crate) const MAX_REPLY: usize = 8 * 1024 * 1024;

/// What the bench waits beyond the turn limit, so that the agent itself can say what the program was doing.
pub(crate) const TO_EXPLAIN: Duration = Duration::from_secs(10);

/// Lines of standard error that a message repeats.
const LAST_LINES: usize = 3;

/// How long a turn may take, and which setting says so.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TurnLimit {
    pub(crate) limit: Duration,
    pub(crate) setting: &'static str,
    /// What was to be answered, where that is not the turn.
    pub(crate) asked: Option<&'static str>,
}

impl TurnLimit {
    /// The runtime's own limit, else the bench's.
    pub(crate) fn of(own: Option<Duration>, bench: Duration) -> Self {
        match own {
            Some(limit) => Self { limit, setting: "turn_timeout_s", asked: None },
            None => Self { limit: bench, setting: "timeouts.turn_s", asked: None },
        }
    }

    /// The bench's limit for starting, while this is to be answered.
    pub(crate) fn start(limit: Duration, asked: &'static str) -> Self {
        Self { limit, setting: "timeouts.start_s", asked: Some(asked) }
    }
}

/// How an exchange with the program failed.
#[derive(Debug)]
pub(crate) enum Failure {
    /// It ended, or ended badly.
    Ended(Exit),
    /// It answered with something that is no answer.
    Reply(String),
    /// It was too slow.
    Late(TurnLimit),
}

/// The result of an exchange.
pub(crate) type Exchange = Result<AgentReply, Failure>;

/// The failure as an error, after the program was killed.
pub(crate) async fn explain(failure: Failure, child: &Child, redactor: &Redactor) -> RuntimeError {
    let ended = child.kill().await;
    let (kind, text) = match failure {
        Failure::Late(TurnLimit { limit, setting, asked }) => {
            let (seconds, to) = (limit.as_secs_f64(), asked.map(|asked| format!(" to {asked}")));
            let to = to.unwrap_or_default();
            (
                RuntimeErrorKind::Timeout,
                format!("the agent gave no answer{to} within {seconds} s ({setting})"),
            )
        }
        Failure::Ended(Exit::Killed) => {
            (RuntimeErrorKind::Cancelled, "the agent was killed: its case was cancelled".to_owned())
        }
        Failure::Ended(exit) => (RuntimeErrorKind::Turn, format!("the agent {exit}")),
        Failure::Reply(text) => {
            // A broken reply is often the last word of a program that is dying.
            let exit = if matches!(ended, Exit::Killed | Exit::Code(0)) {
                String::new()
            } else {
                format!("; it {ended}")
            };
            (RuntimeErrorKind::Turn, redactor.text(&text) + exit.as_str())
        }
    };
    RuntimeError::new(kind, text + last_words(&child.captured()).as_str())
}

/// The last lines of standard error, if there are any.
fn last_words(output: &CapturedOutput) -> String {
    let lines: Vec<&str> = output.text.lines().map(str::trim_end).filter(|line| !line.is_empty()).collect();
    match lines.as_slice() {
        [] => "; it wrote nothing to standard error".to_owned(),
        [line] => format!("; standard error: {line}"),
        lines => {
            let last = lines.get(lines.len().saturating_sub(LAST_LINES)..).unwrap_or_default();
            format!("; standard error ended with:\n  {}", last.join("\n  "))
        }
    }
}
