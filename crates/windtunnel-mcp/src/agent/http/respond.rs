//! Answers over HTTP: one JSON document, or a stream of events where there is more to say.

use std::collections::VecDeque;
use std::convert::Infallible;

use axum::body::Body;
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use futures::stream;
use http::header::{CACHE_CONTROL, CONTENT_TYPE};
use http::{HeaderMap, StatusCode, header};

use crate::message::{self, SESSION_GONE};
use crate::outbox::Inbox;
use crate::relay::Delivery;
use crate::sse;

/// What a client takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Accepts {
    pub(super) json: bool,
    pub(super) events: bool,
}

impl Accepts {
    /// Reads the headers. A client that says nothing takes everything.
    pub(super) fn of(headers: &HeaderMap) -> Self {
        let mut all = headers.get_all(header::ACCEPT).iter().peekable();
        let silent = all.peek().is_none();
        let listed: Vec<&str> = all.filter_map(|value| value.to_str().ok()).collect();
        let takes = |kinds: &[&str]| {
            silent || listed.iter().any(|value| kinds.iter().any(|kind| value.contains(kind)))
        };
        Self {
            json: takes(&["application/json", "application/*", "*/*"]),
            events: takes(&["text/event-stream", "text/*", "*/*"]),
        }
    }
}

/// An error that says why.
pub(super) fn refuse(status: StatusCode, code: i32, why: &str) -> Response {
    json(status, message::error("null", code, why))
}

/// The answers to the requests of one HTTP request. `keep` lives as long as they are being sent.
///
/// They are events from the first message on that is not an answer, or where the client takes no JSON.
pub(super) async fn answers(
    mut inbox: Inbox<Delivery>,
    expected: usize,
    batch: bool,
    accepts: Accepts,
    keep: impl Send + 'static,
) -> Response {
    if !accepts.json {
        return events(VecDeque::new(), inbox, keep);
    }
    let mut answers = VecDeque::new();
    while answers.len() < expected {
        match inbox.recv().await {
            Some(Delivery { text, answer: true, .. }) => answers.push_back(text),
            Some(Delivery { text, .. }) => {
                answers.push_back(text);
                return events(answers, inbox, keep);
            }
            None => {
                return refuse(StatusCode::NOT_FOUND, SESSION_GONE, "the session ended before the answer");
            }
        }
    }
    let text = match (batch, answers.pop_front()) {
        (false, Some(answer)) => answer,
        (_, first) => {
            let all: Vec<String> = first.into_iter().chain(answers).collect();
            format!("[{}]", all.join(","))
        }
    };
    json(StatusCode::OK, text)
}

/// A stream of events: these, and whatever comes. `keep` lives as long as it does.
pub(super) fn events(first: VecDeque<String>, inbox: Inbox<Delivery>, keep: impl Send + 'static) -> Response {
    let stream = stream::unfold((first, inbox, keep), |(mut first, mut inbox, keep)| async move {
        let text = match first.pop_front() {
            Some(text) => text,
            None => inbox.recv().await?.text,
        };
        Some((Ok::<Bytes, Infallible>(sse::event(&text)), (first, inbox, keep)))
    });
    let headers = [(CONTENT_TYPE, "text/event-stream"), (CACHE_CONTROL, "no-cache, no-transform")];
    (headers, Body::from_stream(stream)).into_response()
}

fn json(status: StatusCode, text: String) -> Response {
    (status, [(CONTENT_TYPE, "application/json")], text).into_response()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_client_takes() {
        let table = [
            (vec![], true, true),
            (vec!["application/json, text/event-stream"], true, true),
            (vec!["application/json", "text/event-stream"], true, true),
            (vec!["application/json"], true, false),
            (vec!["text/event-stream"], false, true),
            (vec!["*/*"], true, true),
            (vec!["image/png"], false, false),
        ];
        for (values, json, events) in table {
            let headers = values.iter().map(|value| (header::ACCEPT, value.parse().unwrap())).collect();
            assert_eq!(Accepts::of(&headers), Accepts { json, events }, "{values:?}");
        }
    }
}
