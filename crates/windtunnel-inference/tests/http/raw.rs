//! Requests as bytes, and answers as they come over the socket.

use std::time::Duration;

use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::harness::Case;

/// How long an answer may take to end.
const PATIENCE: Duration = Duration::from_secs(20);

/// A connection to the server of a case.
pub(crate) struct RawConnection {
    socket: TcpStream,
    host: String,
    base: String,
}

/// How an answer ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ended {
    /// With its last byte or its last chunk.
    Well,
    /// Before that, with the connection.
    Closed,
    /// Not in the time there was.
    NotYet,
}

/// What came.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) bytes: Vec<u8>,
    pub(crate) status: Option<u16>,
    /// What is in the chunks, where it came in chunks.
    pub(crate) body: Vec<u8>,
    pub(crate) chunks: usize,
    pub(crate) ended: Ended,
    head: String,
}

impl RawConnection {
    pub(crate) async fn to(case: &Case) -> Self {
        let (host, base) = case.served.base_url().strip_prefix("http://").unwrap().split_once('/').unwrap();
        let socket = TcpStream::connect(host).await.unwrap();
        Self { socket, host: host.to_owned(), base: format!("/{base}") }
    }

    /// Posts a body, and takes the answer until it ends.
    pub(crate) async fn ask(&mut self, path: &str, body: &Value) -> Answer {
        self.ask_for(path, body, PATIENCE).await
    }

    /// The same for so long.
    pub(crate) async fn ask_for(&mut self, path: &str, body: &Value, time: Duration) -> Answer {
        let body = body.to_string();
        let head = format!("content-type: application/json\r\ncontent-length: {}\r\n", body.len());
        self.send(&format!("POST {}{path} HTTP/1.1\r\n", self.base), &head, &body, time).await
    }

    /// Sends a request line below the case, headers and a body.
    pub(crate) async fn raw(&mut self, method: &str, path: &str, headers: &str, body: &str) -> Answer {
        let line = format!("{method} {}{path} HTTP/1.1\r\n", self.base);
        self.send(&line, headers, body, PATIENCE).await
    }

    async fn send(&mut self, line: &str, headers: &str, body: &str, time: Duration) -> Answer {
        let request = format!("{line}host: {}\r\n{headers}\r\n{body}", self.host);
        self.socket.write_all(request.as_bytes()).await.unwrap();
        let mut bytes = Vec::new();
        let reading = async {
            while !is_complete(&bytes) {
                // A connection that is reset is closed as well.
                if self.socket.read_buf(&mut bytes).await.unwrap_or(0) == 0 {
                    return Ended::Closed;
                }
            }
            Ended::Well
        };
        let ended = tokio::time::timeout(time, reading).await.unwrap_or(Ended::NotYet);
        Answer::new(bytes, ended)
    }
}

impl Answer {
    fn new(bytes: Vec<u8>, ended: Ended) -> Self {
        let (head, rest) = split(&bytes).unwrap_or_default();
        let status = head.split(' ').nth(1).map(|status| status.parse().unwrap());
        let chunked = head.contains("transfer-encoding: chunked");
        let pieces = if chunked { chunks(rest) } else { vec![rest] };
        let (body, chunks) = (pieces.concat(), pieces.len());
        Self { bytes, status, body, chunks, ended, head }
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let mut lines = self.head.lines().filter_map(|line| line.split_once(": "));
        lines.find(|(header, _)| *header == name).map(|(_, value)| value)
    }

    pub(crate) fn text(&self) -> String {
        String::from_utf8(self.body.clone()).unwrap()
    }

    /// The events of a stream.
    pub(crate) fn events(&self) -> Vec<String> {
        self.text().split_terminator("\n\n").map(str::to_owned).collect()
    }
}

/// The head in small letters, and the rest.
fn split(bytes: &[u8]) -> Option<(String, &[u8])> {
    let end = bytes.windows(4).position(|end| end == b"\r\n\r\n")?;
    Some((String::from_utf8_lossy(&bytes[..end]).to_ascii_lowercase(), &bytes[end + 4..]))
}

fn is_complete(bytes: &[u8]) -> bool {
    let Some((head, rest)) = split(bytes) else { return false };
    match head.lines().find_map(|line| line.strip_prefix("content-length: ")) {
        Some(length) => rest.len() >= length.parse().unwrap(),
        None => rest.ends_with(b"0\r\n\r\n"),
    }
}

/// The chunks that are there as a whole, without the empty last one.
fn chunks(mut rest: &[u8]) -> Vec<&[u8]> {
    let mut chunks = Vec::new();
    while let Some(end) = rest.windows(2).position(|end| end == b"\r\n") {
        let size = usize::from_str_radix(std::str::from_utf8(&rest[..end]).unwrap(), 16).unwrap();
        let Some(chunk) = rest.get(end + 2..end + 2 + size).filter(|_| size > 0) else { break };
        chunks.push(chunk);
        rest = &rest[end + 2 + size + 2..];
    }
    chunks
}
