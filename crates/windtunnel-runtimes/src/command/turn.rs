//! What a turn is asked with, how it can fail, and what failing says.

use std::time::Duration;

use windtunnel_api::event::CapturedOutput;
use windtunnel_api::secret::Redactor;
use windtunnel_child::{Child, Exit};
use windtunnel_spi::{AgentReply, RuntimeError, RuntimeErrorKind};

/// The most bytes of one answer.
pub(super) const MAX_REPLY: usize = 8 * 1024 * 1024;

/// Lines of standard error that a message repeats.
const LAST_LINES: usize = 3;

/// How an exchange with the program failed.
#[derive(Debug)]
pub(super) enum Failure {
    /// It ended, or ended badly.
    Ended(Exit),
    /// It answered with something that is no answer.
    Reply(String),
    /// It was too slow.
    Late(Duration),
}

/// The result of an exchange.
pub(super) type Exchange = Result<AgentReply, Failure>;

/// The failure as an error, after the program was killed.
pub(super) async fn explain(
    failure: Failure,
    child: &Child,
    limit_name: &str,
    redactor: &Redactor,
) -> RuntimeError {
    let ended = child.kill().await;
    let (kind, text) = match failure {
        Failure::Late(limit) => {
            let seconds = limit.as_secs_f64();
            (RuntimeErrorKind::Timeout, format!("the agent gave no answer within {seconds} s ({limit_name})"))
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
