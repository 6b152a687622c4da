//! What a program prints: the last part of it, redacted.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::io::{AsyncRead, AsyncReadExt};
use windtunnel_api::event::CapturedOutput;
use windtunnel_api::secret::Redactor;

use crate::line_log::LineLog;

/// Bytes that are shown of one stream.
const KEPT: usize = 64 * 1024;

/// Bytes that are read at once.
const CHUNK: usize = 16 * 1024;

/// One captured stream.
#[derive(Debug, Clone)]
pub(crate) struct Capture {
    source: String,
    redactor: Redactor,
    tail: Arc<Mutex<Tail>>,
}

impl Capture {
    pub(crate) fn new(source: String, redactor: Redactor) -> Self {
        // A secret that is cut by the edge of what is kept is not recognised: that edge lies one secret further out than
        // the edge of what is shown.
        let kept = KEPT + redactor.longest();
        Self { source, redactor, tail: Arc::new(Mutex::new(Tail { kept, bytes: Vec::new(), omitted: 0 })) }
    }

    /// Reads the stream to its end, never waiting for anybody else.
    pub(crate) async fn read(self, mut stream: impl AsyncRead + Unpin, mut log: Option<LineLog>) {
        let show = |line: &str| tracing::info!(source = self.source, "{line}");
        let mut chunk = vec![0; CHUNK];
        loop {
            match stream.read(&mut chunk).await {
                Ok(0) => break,
                Ok(n) => {
                    let read = chunk.get(..n).unwrap_or_default();
                    self.lock().push(read);
                    if let Some(log) = &mut log {
                        log.push(read, show);
                    }
                }
                Err(error) => {
                    tracing::debug!(source = self.source, %error, "output cannot be read any further");
                    break;
                }
            }
        }
        if let Some(mut log) = log {
            log.finish(show);
        }
    }

    pub(crate) fn output(&self) -> CapturedOutput {
        let tail = self.lock();
        let mut text = self.redactor.text(&String::from_utf8_lossy(tail.whole_characters()));
        let mut omitted_bytes = tail.omitted;
        drop(tail);
        // The first bytes after a cut may be the rest of a secret.
        let suspect = if omitted_bytes > 0 { self.redactor.longest() } else { 0 };
        let cut = text.len().saturating_sub(KEPT).max(suspect);
        let cut = (cut..text.len()).find(|at| text.is_char_boundary(*at)).unwrap_or(text.len());
        text.drain(..cut);
        omitted_bytes += cut as u64;
        CapturedOutput { source: self.source.clone(), text, omitted_bytes }
    }

    fn lock(&self) -> MutexGuard<'_, Tail> {
        self.tail.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The last bytes of a stream.
#[derive(Debug)]
struct Tail {
    kept: usize,
    bytes: Vec<u8>,
    omitted: u64,
}

impl Tail {
    fn push(&mut self, chunk: &[u8]) {
        self.bytes.extend_from_slice(chunk);
        // Cutting only at twice the size moves every byte at most once.
        if self.bytes.len() > 2 * self.kept {
            let cut = self.bytes.len() - self.kept;
            self.bytes.drain(..cut);
            self.omitted += cut as u64;
        }
    }

    /// The bytes without the rest of a character that was cut.
    fn whole_characters(&self) -> &[u8] {
        let is_rest = |byte: &&u8| self.omitted > 0 && (0x80..0xc0).contains(*byte);
        let rest = self.bytes.iter().take(3).take_while(is_rest).count();
        self.bytes.get(rest..).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use windtunnel_api::Secret;

    use super::*;

    #[test]
    fn the_last_part_is_kept_and_the_rest_is_counted() {
        let capture = Capture::new("agent stderr".to_owned(), Redactor::default());
        for n in 0..100_000 {
            capture.lock().push(format!("{n:9}\n").as_bytes());
        }
        let output = capture.output();
        assert_eq!(output.text.len() as u64 + output.omitted_bytes, 1_000_000);
        assert!(output.text.len() <= KEPT && output.text.ends_with("    99999\n"));
        assert!(capture.lock().bytes.capacity() < 4 * KEPT + CHUNK);
    }

    #[test]
    fn a_secret_at_the_edge_of_what_is_kept_is_redacted() {
        let secret = "canary-canary-canary";
        for shift in 0..secret.len() {
            let capture = Capture::new("agent stderr".to_owned(), Redactor::new([Secret::new(secret)]));
            let mut printed = "x".repeat(3 * KEPT);
            printed.push_str(secret);
            printed.push_str(&"y".repeat(KEPT - shift));
            for chunk in printed.as_bytes().chunks(1000) {
                capture.lock().push(chunk);
            }
            let text = capture.output().text;
            assert!(!text.contains("canary"), "shifted by {shift}");
        }
    }

    #[test]
    fn a_cut_secret_is_not_shown_where_redaction_shortens_the_rest() {
        let secret: String = (0..40).map(|n| n.to_string()).collect();
        let capture = Capture::new("agent stderr".to_owned(), Redactor::new([Secret::new(&secret)]));
        for _ in 0..3000 {
            capture.lock().push(secret.as_bytes());
        }
        assert!(!capture.output().text.contains("39"));
    }

    #[test]
    fn bytes_that_are_no_text_are_shown_as_such() {
        let capture = Capture::new("agent stderr".to_owned(), Redactor::default());
        capture.lock().push(b"a\xffb");
        assert_eq!(capture.output().text, "a\u{fffd}b");
    }
}
