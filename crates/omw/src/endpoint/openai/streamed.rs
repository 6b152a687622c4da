//! Answers as server-sent events.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::time::Duration;

use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse as _, Response};
use futures::stream;

use super::refusal::error;
use super::reply::{Chunks, Heading};
use super::server::Answer;
use crate::endpoint::SessionError;
use crate::exchange::ChatDelta;
use crate::openai::DONE;

/// How long a stream is silent before a comment shows that it is alive.
const KEEP_ALIVE: Duration = Duration::from_secs(15);

/// Sends each piece as the agent says it. When the client is gone the session is dropped with the stream.
pub(super) fn respond(answer: Answer, heading: Heading) -> Response {
    let streamed = Streamed::new(answer, heading);
    let events = stream::unfold(streamed, |mut streamed| async move {
        let data = streamed.next().await?;
        Some((Ok::<_, Infallible>(Event::default().data(data)), streamed))
    });
    Sse::new(events).keep_alive(KeepAlive::new().interval(KEEP_ALIVE)).into_response()
}

struct Streamed {
    answer: Option<Answer>,
    chunks: Chunks,
    /// Said, and not sent yet.
    events: VecDeque<String>,
    end: Option<End>,
}

/// How a session ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum End {
    Answered,
    Failed,
}

impl Streamed {
    fn new(answer: Answer, heading: Heading) -> Self {
        Self { answer: Some(answer), chunks: Chunks::new(heading), events: VecDeque::new(), end: None }
    }

    /// The data of the next event.
    async fn next(&mut self) -> Option<String> {
        loop {
            if let Some(event) = self.events.pop_front() {
                return Some(event);
            }
            match self.end {
                None => {}
                // It is asked for more once the last event is sent.
                Some(End::Answered) => {
                    self.answer.take()?.close();
                    return None;
                }
                Some(End::Failed) => return None,
            }
            let said = self.answer.as_mut()?.next().await;
            self.end = self.take(said);
        }
    }

    /// Makes events of a piece, and says whether it was the last.
    fn take(&mut self, said: Result<ChatDelta, SessionError>) -> Option<End> {
        let is_last = said.as_ref().is_ok_and(|delta| delta.finish_reason.is_some());
        let chunks = said.map_err(|error| error.to_string());
        match chunks.and_then(|delta| self.chunks.take(delta).map_err(|error| error.to_string())) {
            Ok((chunk, usage)) => self.events.extend([chunk].into_iter().chain(usage)),
            // Nothing after it: a client that sees the end of a stream takes what it has for the answer.
            Err(message) => {
                self.events.push_back(error(&message).to_string());
                return Some(End::Failed);
            }
        }
        if !is_last {
            return None;
        }
        self.events.push_back(DONE.to_owned());
        Some(End::Answered)
    }
}
