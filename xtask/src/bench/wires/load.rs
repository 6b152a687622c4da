//! A load: connections that ask again as soon as they are answered.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::task::JoinSet;

use crate::shell::Outcome;

/// One request over and over.
pub(super) struct Load<'a> {
    pub(super) address: SocketAddr,
    pub(super) request: &'a [u8],
    pub(super) connections: usize,
}

impl Load<'_> {
    /// Answers per second.
    pub(super) fn run(&self, duration: Duration) -> Outcome<f64> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        runtime.block_on(async {
            let started = Instant::now();
            let mut connections = JoinSet::new();
            for _ in 0..self.connections {
                let (address, request) = (self.address, self.request.to_vec());
                connections.spawn(async move {
                    let mut connection = Connection::open(address).await?;
                    let mut answers = 0_u32;
                    while started.elapsed() < duration {
                        connection.ask(&request).await?;
                        answers += 1;
                    }
                    std::io::Result::Ok(answers)
                });
            }
            let mut answers = 0;
            while let Some(ended) = connections.join_next().await {
                answers += ended??;
            }
            Ok(f64::from(answers) / started.elapsed().as_secs_f64())
        })
    }
}

/// A connection that is kept.
pub(super) struct Connection {
    socket: TcpStream,
    buffer: Vec<u8>,
}

impl Connection {
    pub(super) async fn open(address: SocketAddr) -> std::io::Result<Self> {
        let socket = TcpStream::connect(address).await?;
        socket.set_nodelay(true)?;
        Ok(Self { socket, buffer: Vec::with_capacity(64 * 1024) })
    }

    /// One request, and its answer to the last byte.
    pub(super) async fn ask(&mut self, request: &[u8]) -> std::io::Result<()> {
        self.socket.write_all(request).await?;
        self.buffer.clear();
        let mut end = End::Unknown;
        loop {
            if self.socket.read_buf(&mut self.buffer).await? == 0 {
                return Err(std::io::Error::other("the server closed the connection"));
            }
            if end == End::Unknown {
                end = End::of(&self.buffer)?;
            }
            let complete = match end {
                End::Unknown => false,
                End::At(length) => self.buffer.len() >= length,
                End::Chunk => self.buffer.ends_with(b"\r\n0\r\n\r\n"),
            };
            if complete {
                return Ok(());
            }
        }
    }
}

/// Where an answer ends.
#[derive(PartialEq)]
enum End {
    /// Its head is not here yet.
    Unknown,
    /// After so many bytes.
    At(usize),
    /// With an empty chunk.
    Chunk,
}

impl End {
    fn of(answer: &[u8]) -> std::io::Result<Self> {
        let Some(head) = answer.windows(4).position(|end| end == b"\r\n\r\n") else {
            return Ok(Self::Unknown);
        };
        let text = String::from_utf8_lossy(answer.get(..head).unwrap_or_default()).to_ascii_lowercase();
        if !text.starts_with("http/1.1 200") {
            return Err(std::io::Error::other(text));
        }
        let length = text.lines().find_map(|line| line.strip_prefix("content-length:"));
        Ok(match length.and_then(|length| length.trim().parse::<usize>().ok()) {
            Some(length) => Self::At(head + 4 + length),
            None => Self::Chunk,
        })
    }
}
