//! Reading an answer as it comes.

use std::collections::VecDeque;
use std::time::Duration;

use bytes::Bytes;
use futures::stream::{self, BoxStream};
use futures::{Stream, StreamExt as _};
use reqwest::Response;
use windtunnel_http::{SseEvent, SseParser, cause};

use super::failure::Failure;
use super::place::Place;
use super::reader::{Reader, Said, Unread};
use crate::exchange::ChatDelta;

/// The longest event, in bytes.
const MAX_EVENT: usize = 8 * 1024 * 1024;
/// The longest answer, in bytes.
const MAX_ANSWER: usize = 64 * 1024 * 1024;
/// How long a server may take to send what follows the finish reason: the usage, and that it is done.
const AFTER_FINISH: Duration = Duration::from_secs(5);

/// The pieces of an answer. Dropping the stream closes the connection.
pub(super) fn deltas(
    response: Response,
    place: Place,
    patience: Duration,
) -> impl Stream<Item = Result<ChatDelta, Failure>> + Send + 'static {
    let answer = Answer {
        bytes: response.bytes_stream().boxed(),
        length: 0,
        parser: SseParser::new(MAX_EVENT),
        events: VecDeque::new(),
        reader: Reader::default(),
        place,
        patience,
    };
    stream::try_unfold(
        answer,
        |mut answer| async move { Ok(answer.next().await?.map(|delta| (delta, answer))) },
    )
}

struct Answer {
    bytes: BoxStream<'static, reqwest::Result<Bytes>>,
    length: usize,
    parser: SseParser,
    events: VecDeque<SseEvent>,
    reader: Reader,
    place: Place,
    patience: Duration,
}

impl Answer {
    /// The next piece; none at the answer's end.
    async fn next(&mut self) -> Result<Option<ChatDelta>, Failure> {
        loop {
            while let Some(event) = self.events.pop_front() {
                match self.reader.read(&event.data) {
                    Ok(Said::Delta(delta)) => return Ok(Some(delta)),
                    Ok(Said::Nothing) => {}
                    Ok(Said::Done) => return Ok(None),
                    Err(Unread::Malformed(reason)) => return Err(self.place.malformed(&reason)),
                    Err(Unread::Reported(message)) => {
                        return Err(Failure::Reported { message: self.place.excerpt(&message) });
                    }
                }
            }
            let Some(chunk) = self.receive().await? else { return Ok(None) };
            self.length = self.length.saturating_add(chunk.len());
            if self.length > MAX_ANSWER {
                return Err(self.place.too_large("an answer", MAX_ANSWER));
            }
            let events = self.parser.push(&chunk);
            self.events.extend(events.map_err(|_| self.place.too_large("an event", MAX_EVENT))?);
        }
    }

    /// More bytes; none where the connection ends and the answer is complete.
    async fn receive(&mut self) -> Result<Option<Bytes>, Failure> {
        let is_finished = self.reader.is_finished();
        let patience = if is_finished { self.patience.min(AFTER_FINISH) } else { self.patience };
        let received = tokio::time::timeout(patience, self.bytes.next()).await;
        let reason = match received {
            Ok(Some(Ok(chunk))) => return Ok(Some(chunk)),
            // Many servers never say that they are done.
            _ if is_finished => return Ok(None),
            Err(_) => return Err(self.place.silent(self.patience)),
            Ok(Some(Err(error))) => cause(&error),
            Ok(None) => "it ends without a finish reason".to_owned(),
        };
        Err(Failure::BrokeOff { url: self.place.shown(), reason: self.place.excerpt(&reason) })
    }
}
