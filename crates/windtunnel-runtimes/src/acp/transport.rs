//! A program's pipes as the channel of a connection, bounded.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use agent_client_protocol::TransportFrame;
use futures::StreamExt as _;
use futures::channel::mpsc::{UnboundedReceiver, UnboundedSender};
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::process::{ChildStdin, ChildStdout};
use windtunnel_api::secret::Redactor;

/// The most bytes of one message.
const MAX_LINE: usize = 8 * 1024 * 1024;

/// The most bytes from the end of one turn to the end of the next.
const MAX_TURN: usize = 64 * 1024 * 1024;

/// Characters of a wrong line that are shown.
const SHOWN: usize = 200;

/// What came in, and what was wrong with it.
#[derive(Debug, Default)]
pub(super) struct Intake {
    received: AtomicUsize,
    fault: OnceLock<String>,
}

impl Intake {
    /// Why nothing is read any more.
    pub(super) fn fault(&self) -> Option<&str> {
        self.fault.get().map(String::as_str)
    }

    /// A turn has ended.
    pub(super) fn forget(&self) {
        self.received.store(0, Ordering::Relaxed);
    }

    /// Delivers messages until the end of the output or the first thing on it that is none. Either looks to the connection as
    /// the end.
    pub(super) async fn read(
        &self,
        stdout: ChildStdout,
        messages: UnboundedSender<TransportFrame>,
        redactor: &Redactor,
    ) {
        let mut stdout = BufReader::new(stdout);
        let mut line = Vec::new();
        loop {
            line.clear();
            let read = (&mut stdout).take(MAX_LINE as u64 + 1).read_until(b'\n', &mut line).await;
            if matches!(read, Ok(0) | Err(_)) {
                return;
            }
            match self.message(&line, redactor) {
                Ok(Some(message)) => {
                    if messages.unbounded_send(message).is_err() {
                        return;
                    }
                }
                Ok(None) => {}
                Err(fault) => {
                    let _ = self.fault.set(fault);
                    return;
                }
            }
        }
    }

    /// The message in a line; none in a blank one.
    fn message(&self, line: &[u8], redactor: &Redactor) -> Result<Option<TransportFrame>, String> {
        if line.len() > MAX_LINE {
            return Err(format!("the agent sent a message that is longer than {MAX_LINE} bytes"));
        }
        if self.received.fetch_add(line.len(), Ordering::Relaxed) + line.len() > MAX_TURN {
            return Err(format!("the agent sent more than {MAX_TURN} bytes in one turn"));
        }
        let text = String::from_utf8_lossy(line);
        if text.trim().is_empty() {
            return Ok(None);
        }
        match TransportFrame::parse_json(text.trim()) {
            TransportFrame::Malformed { .. } => Err(format!(
                "the agent printed a line that is no message: `{}`; standard output holds one JSON-RPC message per line, \
                 and logs go to standard error",
                redactor.excerpt(text.trim(), SHOWN)
            )),
            message => Ok(Some(message)),
        }
    }
}

/// Writes what the connection sends. A program that closed its input tells by its output what that means.
pub(super) async fn write(mut messages: UnboundedReceiver<TransportFrame>, mut stdin: ChildStdin) {
    while let Some(message) = messages.next().await {
        let Ok(mut line) = message.to_json() else { continue };
        line.push('\n');
        let _ = stdin.write_all(line.as_bytes()).await;
    }
}

#[cfg(test)]
mod tests {
    use windtunnel_api::Secret;

    use super::*;

    fn fault(lines: &[&[u8]]) -> Option<String> {
        let (intake, redactor) = (Intake::default(), Redactor::new([Secret::new("canary-canary")]));
        lines.iter().find_map(|line| intake.message(line, &redactor).err())
    }

    #[test]
    fn messages_and_blank_lines_pass() {
        let update: &[u8] = br#"{"jsonrpc": "2.0", "method": "session/update", "params": {}}"#;
        assert_eq!(
            fault(&[update, b"\n", b" \r\n", br#"{"jsonrpc": "2.0", "id": 1, "result": null}"#]),
            None
        );
    }

    #[test]
    fn anything_else_is_a_fault_without_secrets() {
        for (line, shown) in [
            ("Loading model with canary-canary", "Loading model with ***"),
            ("[1]", "[1]"),
            ("{}", "{}"),
            ("{\"jsonrpc\": \"2.0\"", "{\"jsonrpc\": \"2.0\""),
        ] {
            let fault = fault(&[line.as_bytes()]).unwrap();
            let expected = format!("the agent printed a line that is no message: `{shown}`; ");
            assert!(fault.starts_with(&expected), "{fault}");
        }
    }

    #[test]
    fn lines_and_turns_are_bounded() {
        let long = vec![b' '; MAX_LINE + 1];
        assert!(fault(&[&long]).unwrap().contains("longer than 8388608 bytes"));
        let (intake, redactor) = (Intake::default(), Redactor::default());
        intake.received.store(MAX_TURN - 2, Ordering::Relaxed);
        assert!(intake.message(b" \n", &redactor).is_ok());
        assert!(
            intake.message(b"\n", &redactor).unwrap_err().contains("more than 67108864 bytes in one turn")
        );
        intake.forget();
        assert!(intake.message(b"\n", &redactor).is_ok());
    }
}
