//! A turn that is a process of its own.

use std::time::Duration;

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWriteExt};
use tokio::process::ChildStdin;
use tokio::time::timeout;
use windtunnel_api::config::ReplyVia;
use windtunnel_api::secret::Redactor;
use windtunnel_child::Child;
use windtunnel_spi::AgentReply;

use super::reply;
use crate::program::{Exchange, Failure, MAX_REPLY};

/// How long an ended program's output is waited for, if a process that escaped keeps it open.
const LAST_OUTPUT: Duration = Duration::from_millis(250);

/// How the program is asked, and how its answer is read.
pub(super) struct Turn<'a> {
    /// On standard input; without it there is none.
    pub(super) prompt: Option<&'a str>,
    pub(super) reply: ReplyVia,
    pub(super) redactor: &'a Redactor,
}

impl Turn<'_> {
    /// Waits for the program's end and its answer. `printed` keeps what was read, however it ends.
    pub(super) async fn exchange(&self, child: &mut Child, printed: &mut Vec<u8>) -> Exchange {
        let (stdin, stdout) = (child.take_stdin(), child.take_stdout());
        let too_much = {
            let talk = async {
                let ((), too_much) = tokio::join!(write(stdin, self.prompt), read(stdout, printed));
                too_much
            };
            tokio::pin!(talk);
            let ended = tokio::select! {
                too_much = &mut talk => Some(too_much),
                _ = child.wait() => None,
            };
            match ended {
                Some(too_much) => too_much,
                None => timeout(LAST_OUTPUT, talk).await.unwrap_or(false),
            }
        };
        if too_much {
            return Err(Failure::Reply(format!(
                "the agent printed more than {MAX_REPLY} bytes as its answer"
            )));
        }
        let exit = child.wait().await;
        if exit.is_success() {
            self.answer(printed).map_err(Failure::Reply)
        } else {
            Err(Failure::Ended(exit))
        }
    }

    fn answer(&self, printed: &[u8]) -> Result<AgentReply, String> {
        match self.reply {
            ReplyVia::Stdout => Ok(AgentReply::says(String::from_utf8_lossy(printed).trim())),
            ReplyVia::Jsonl => {
                let mut lines =
                    printed.split(|byte| *byte == b'\n').filter(|line| !line.trim_ascii().is_empty());
                let first = lines.next().ok_or("the agent ended without a reply line on standard output")?;
                let reply = reply::parse(first, 1, self.redactor)?;
                match lines.next() {
                    None => Ok(reply),
                    Some(second) => Err(format!(
                        "the agent printed a second line after its reply: {}",
                        reply::excerpt(second, self.redactor)
                    )),
                }
            }
        }
    }
}

/// Writes the prompt as a text that ends with a newline, and closes the input. A program that does not read it is free to do so.
async fn write(stdin: Option<ChildStdin>, prompt: Option<&str>) {
    if let (Some(mut stdin), Some(prompt)) = (stdin, prompt) {
        let end: &[u8] = if prompt.ends_with('\n') { b"" } else { b"\n" };
        let _ = stdin.write_all(&[prompt.as_bytes(), end].concat()).await;
    }
}

/// Reads to the end; whether there was more than an answer may have.
async fn read(stream: Option<impl AsyncRead + Unpin>, printed: &mut Vec<u8>) -> bool {
    let Some(stream) = stream else { return false };
    let _ = stream.take(MAX_REPLY as u64 + 1).read_to_end(printed).await;
    printed.len() > MAX_REPLY
}

#[cfg(test)]
mod tests {
    use windtunnel_api::Secret;

    use super::*;

    #[test]
    fn a_secret_across_the_end_of_a_second_line_s_excerpt_leaves_no_part() {
        let redactor = Redactor::new([Secret::new("canary-canary")]);
        let turn = Turn { prompt: None, reply: ReplyVia::Jsonl, redactor: &redactor };
        let start = "x".repeat(197);
        let printed = format!("{{\"reply\": \"\"}}\n{start}canary-canary\n");
        let error = turn.answer(printed.as_bytes()).unwrap_err();
        assert_eq!(error, format!("the agent printed a second line after its reply: `{start}***`"));
    }
}
