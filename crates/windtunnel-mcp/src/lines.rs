//! Messages as lines: newline-delimited JSON, bounded.

use std::io;

use bytes::{Buf, BytesMut};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};

/// One line.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Line {
    Text(String),
    /// It was longer than the limit; all of it was skipped.
    TooLong,
    /// It was not UTF-8.
    NotText,
}

/// Reads lines. A read that is dropped halfway loses nothing.
#[derive(Debug)]
pub(crate) struct Lines<R> {
    source: R,
    buffer: BytesMut,
    /// Bytes of the buffer that hold no line break.
    scanned: usize,
    limit: usize,
    skipping: bool,
}

impl<R: AsyncRead + Unpin> Lines<R> {
    /// Lines of at most this many bytes.
    pub(crate) fn new(source: R, limit: usize) -> Self {
        Self { source, buffer: BytesMut::new(), scanned: 0, limit, skipping: false }
    }

    /// The next line that is not empty; none at the end. A last line needs no line break.
    pub(crate) async fn next(&mut self) -> io::Result<Option<Line>> {
        loop {
            while let Some(line) = self.buffered() {
                if line != Line::Text(String::new()) {
                    return Ok(Some(line));
                }
            }
            if self.source.read_buf(&mut self.buffer).await? == 0 {
                let rest = self.buffer.split();
                self.scanned = 0;
                return Ok(match self.line(&rest) {
                    Line::Text(text) if text.is_empty() => None,
                    line => Some(line),
                });
            }
        }
    }

    fn buffered(&mut self) -> Option<Line> {
        let fresh = self.buffer.get(self.scanned..).unwrap_or_default();
        let Some(at) = fresh.iter().position(|byte| *byte == b'\n') else {
            self.scanned = self.buffer.len();
            if self.scanned > self.limit {
                self.skipping = true;
                self.buffer.clear();
                self.scanned = 0;
            }
            return None;
        };
        let line = self.buffer.split_to(self.scanned + at);
        self.buffer.advance(1);
        self.scanned = 0;
        Some(self.line(&line))
    }

    fn line(&mut self, line: &[u8]) -> Line {
        if std::mem::take(&mut self.skipping) || line.len() > self.limit {
            return Line::TooLong;
        }
        match std::str::from_utf8(line) {
            Ok(text) => Line::Text(text.trim().to_owned()),
            Err(_) => Line::NotText,
        }
    }
}

/// Writes a message and a line break, and sees to it that they leave.
pub(crate) async fn write_line(sink: &mut (impl AsyncWrite + Unpin), mut text: String) -> io::Result<()> {
    text.push('\n');
    sink.write_all(text.as_bytes()).await?;
    sink.flush().await
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn lines(input: &[u8], limit: usize) -> Vec<Line> {
        let mut lines = Lines::new(input, limit);
        let mut read = Vec::new();
        while let Some(line) = lines.next().await.unwrap() {
            read.push(line);
        }
        read
    }

    #[tokio::test]
    async fn lines_are_read_whatever_ends_them() {
        let text = |text: &str| Line::Text(text.to_owned());
        assert_eq!(lines(b"a\r\n\n\nb\nc", 10).await, [text("a"), text("b"), text("c")]);
        assert_eq!(lines(b"", 10).await, []);
    }

    #[tokio::test]
    async fn a_long_line_is_skipped_and_the_next_one_is_read() {
        let mut input = vec![b'x'; 100_000];
        input.extend_from_slice(b"\n1234\n12345\n\xff\n");
        let expected = [Line::TooLong, Line::Text("1234".to_owned()), Line::TooLong, Line::NotText];
        assert_eq!(lines(&input, 4).await, expected);
    }
}
