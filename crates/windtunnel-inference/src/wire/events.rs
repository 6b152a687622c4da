//! Writing and reading server-sent events.

use bytes::buf::Writer;
use bytes::{BufMut, Bytes, BytesMut};
use serde::Serialize;
use windtunnel_http::SseParser;

use super::Payload;

/// What a short answer needs as events, in bytes.
const USUAL: usize = 4096;

/// Writes server-sent events into one piece of memory, each as a frame of its own.
pub(crate) struct EventWriter {
    buffer: Writer<BytesMut>,
    frames: Vec<Bytes>,
}

impl EventWriter {
    pub(crate) fn new() -> Self {
        Self { buffer: BytesMut::with_capacity(USUAL).writer(), frames: Vec::new() }
    }

    /// An event that is known by its data.
    pub(crate) fn data(&mut self, data: &impl Serialize) {
        self.buffer.get_mut().put_slice(b"data: ");
        // Values here have string keys and no custom serialisers, and memory takes every byte.
        let _ = serde_json::to_writer(&mut self.buffer, data);
        self.end();
    }

    /// An event with a name.
    pub(crate) fn named(&mut self, name: &str, data: &impl Serialize) {
        let buffer = self.buffer.get_mut();
        buffer.put_slice(b"event: ");
        buffer.put_slice(name.as_bytes());
        buffer.put_slice(b"\n");
        self.data(data);
    }

    /// An event whose data is a word and no JSON.
    pub(crate) fn word(&mut self, word: &str) {
        let buffer = self.buffer.get_mut();
        buffer.put_slice(b"data: ");
        buffer.put_slice(word.as_bytes());
        self.end();
    }

    /// All of them.
    pub(crate) fn finish(self) -> Payload {
        Payload { content_type: "text/event-stream", frames: self.frames }
    }

    fn end(&mut self) {
        let buffer = self.buffer.get_mut();
        buffer.put_slice(b"\n\n");
        self.frames.push(buffer.split().freeze());
    }
}

/// The data of every event in a body, in their order; names, ids, comments and events without data are left out.
///
/// A last event that no blank line ends counts: whether it is whole shows when its data is read.
pub(super) fn event_data(body: &str) -> impl Iterator<Item = String> {
    let mut parser = SseParser::new(usize::MAX);
    // Nothing is too long: the body is there as a whole.
    let events = [body, "\n\n"].map(|part| parser.push(part.as_bytes()).unwrap_or_default());
    events.into_iter().flatten().map(|event| event.data).filter(|data| !data.is_empty())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn every_event_is_a_frame() {
        let mut events = EventWriter::new();
        events.named("start", &json!({"text": "x".repeat(2 * USUAL)}));
        events.data(&json!([1]));
        events.word("[DONE]");
        let frames = events.finish().frames;
        assert!(
            frames[0].starts_with(b"event: start\ndata: {\"text\":\"xxx") && frames[0].ends_with(b"x\"}\n\n")
        );
        assert_eq!(frames[1..], ["data: [1]\n\n", "data: [DONE]\n\n"]);
    }

    #[test]
    fn data_is_joined_within_an_event_and_everything_else_left_out() {
        for (body, expected) in [
            ("event: a\ndata: 1\n\ndata:2\n\n", &["1", "2"][..]),
            ("data: 1\r\n\r\n: a comment\n\ndata: 2\r\ndata:  3\r\n\r\n", &["1", "2\n 3"]),
            ("id: 7\nretry: 9\n\ndata\n\ndata: 1", &["1"]),
            ("\u{feff}data: 1\n\n\n\n", &["1"]),
            ("", &[]),
        ] {
            assert_eq!(event_data(body).collect::<Vec<_>>(), expected, "{body:?}");
        }
    }
}
