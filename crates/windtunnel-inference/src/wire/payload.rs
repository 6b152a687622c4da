//! Bodies that wires write.

use hyper::body::Bytes;

/// A response body.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Payload {
    pub(crate) content_type: &'static str,
    /// Pieces that are flushed one by one.
    pub(crate) frames: Vec<Bytes>,
}

impl Payload {
    pub(crate) fn json(value: &impl serde::Serialize) -> Self {
        Self { content_type: "application/json", frames: vec![to_bytes(value)] }
    }

    /// How many frames are about half of them.
    pub(crate) fn half(&self) -> usize {
        self.frames.len().div_ceil(2)
    }

    /// About half of a streamed answer, and then these events instead of the rest.
    pub(crate) fn half_then(mut self, events: Self) -> Self {
        self.frames.truncate(self.half());
        self.frames.extend(events.frames);
        self
    }
}

/// Values here have string keys and no custom serialisers, so they always serialise.
pub(crate) fn to_bytes(value: &impl serde::Serialize) -> Bytes {
    serde_json::to_vec(value).unwrap_or_default().into()
}
