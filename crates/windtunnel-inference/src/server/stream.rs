//! Response bodies: they know when they were delivered, and can end in other ways than well.

use std::fmt;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use hyper::body::{Body, Bytes, Frame, SizeHint};

use crate::seam::InferenceSeam;

/// Frames are joined up to about this many bytes: fewer and larger writes, and still a client that hangs up in the middle of a
/// long answer leaves a part of it unsent.
const BATCH: usize = 16 * 1024;

/// A response body.
pub(crate) struct Outgoing {
    left: std::vec::IntoIter<Bytes>,
    ending: Ending,
    /// Whether every piece goes out before the next one is there.
    piecemeal: bool,
    /// Whether a piece is on its way out.
    flushing: bool,
    delivery: Option<(Arc<InferenceSeam>, u64)>,
}

/// How a body ends after its last piece.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ending {
    /// As a body does.
    Well,
    /// With its connection, as if it were cut.
    Cut,
    /// Not at all, until the client gives up.
    Never,
}

/// The connection is to be closed at once.
#[derive(Debug)]
pub(crate) struct Hangup;

impl fmt::Display for Hangup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the script closes the connection")
    }
}

impl std::error::Error for Hangup {}

impl Outgoing {
    /// Everything, as fast as the connection takes it.
    pub(super) fn whole(frames: Vec<Bytes>) -> Self {
        let pieces = if frames.len() > 1 { batches(&frames) } else { frames };
        Self::new(pieces, Ending::Well, false)
    }

    /// Frame by frame, to an end of any kind.
    pub(super) fn piecemeal(frames: Vec<Bytes>, ending: Ending) -> Self {
        Self::new(frames, ending, true)
    }

    fn new(pieces: Vec<Bytes>, ending: Ending, piecemeal: bool) -> Self {
        Self { left: pieces.into_iter(), ending, piecemeal, flushing: false, delivery: None }
    }

    /// The same; the seam is told when the last piece is handed to the connection.
    pub(super) fn tracked(self, seam: Arc<InferenceSeam>, number: u64) -> Self {
        Self { delivery: Some((seam, number)), ..self }
    }
}

/// The frames, several in a piece where they are small.
fn batches(frames: &[Bytes]) -> Vec<Bytes> {
    let mut batches = Vec::new();
    let mut rest = frames;
    while let Some(first) = rest.first() {
        let mut size = first.len();
        let fitting = rest.iter().skip(1).take_while(|frame| {
            size += frame.len();
            size <= BATCH
        });
        let (batch, after) = rest.split_at(1 + fitting.count());
        batches.push(if batch.len() == 1 { first.clone() } else { batch.concat().into() });
        rest = after;
    }
    batches
}

impl Body for Outgoing {
    type Data = Bytes;
    type Error = Hangup;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Hangup>>> {
        if self.piecemeal && std::mem::take(&mut self.flushing) {
            // The connection writes what it has when there is nothing more for now.
            context.waker().wake_by_ref();
            return Poll::Pending;
        }
        if let Some(piece) = self.left.next() {
            self.flushing = true;
            if self.left.len() == 0
                && let Some((seam, number)) = self.delivery.take()
            {
                seam.delivered(number);
            }
            return Poll::Ready(Some(Ok(Frame::data(piece))));
        }
        match self.ending {
            Ending::Well => Poll::Ready(None),
            Ending::Cut => Poll::Ready(Some(Err(Hangup))),
            // The connection notices when the client closes it.
            Ending::Never => Poll::Pending,
        }
    }

    fn is_end_stream(&self) -> bool {
        self.ending == Ending::Well && self.left.len() == 0
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_frames_go_out_together_and_large_ones_alone() {
        let sizes = |frames: &[usize]| {
            let frames: Vec<Bytes> = frames.iter().map(|&size| vec![b'x'; size].into()).collect();
            let batches = batches(&frames);
            assert_eq!(batches.concat(), frames.concat());
            batches.iter().map(Bytes::len).collect::<Vec<_>>()
        };
        assert!(sizes(&[]).is_empty());
        assert_eq!(sizes(&[10, 20, 30]), [60]);
        assert_eq!(sizes(&[BATCH, 1]), [BATCH, 1]);
        assert_eq!(sizes(&[BATCH - 1, 1, 1]), [BATCH, 1]);
        assert_eq!(sizes(&[2 * BATCH, 5, 5]), [2 * BATCH, 10]);
    }
}
