//! A client's side of a session.

use futures::StreamExt as _;

use crate::endpoint::{RouteError, Session};
use crate::exchange::ChatDelta;
use crate::mock::log::Log;

/// When a client leaves.
#[derive(Debug, Clone, Copy)]
pub(super) enum Leaving {
    /// After a delta with a finish reason.
    WhenFinished,
    /// Content, after so many deltas, or when finished before.
    Close(u64),
    /// In anger, after so many deltas, or when finished before.
    Abort(u64),
}

/// What a client got.
pub(super) struct Reply {
    /// The session's id; none if none was opened.
    pub(super) session: Option<String>,
    pub(super) deltas: Log<ChatDelta>,
    pub(super) end: End,
}

impl Reply {
    /// What a client gets whom nobody listens to.
    pub(super) fn refused(error: &RouteError) -> Self {
        Self { session: None, deltas: Log::new(false), end: End::Failed(error.to_string()) }
    }
}

/// How the session ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum End {
    /// The agent came to its end.
    Finished,
    /// The client was content.
    Closed,
    /// The client broke off.
    Aborted,
    /// The agent did not come to its end.
    Failed(String),
}

/// What a client does next.
///
/// | received | leaves | |
/// |---|---|---|
/// | n, the last with a finish reason | | finished |
/// | n | close at n | closed |
/// | n | abort at n | aborted |
/// | else | | reads on |
fn decide(received: u64, is_finished: bool, leaving: Leaving) -> Option<End> {
    match leaving {
        _ if is_finished => Some(End::Finished),
        Leaving::Close(at) if received >= at => Some(End::Closed),
        Leaving::Abort(at) if received >= at => Some(End::Aborted),
        _ => None,
    }
}

/// Reads a session until its client leaves or the agent is done, and notes the reply before the agent is told.
pub(super) async fn converse(
    mut session: Session,
    leaving: Leaving,
    keep_everything: bool,
    note: impl FnOnce(Reply),
) {
    let mut deltas = Log::new(keep_everything);
    let mut received = 0;
    let mut is_finished = false;
    let end = loop {
        if let Some(end) = decide(received, is_finished, leaving) {
            break end;
        }
        match session.deltas.next().await {
            Some(Ok(delta)) => {
                received += 1;
                is_finished = delta.finish_reason.is_some();
                deltas.push(size(&delta), delta);
            }
            Some(Err(error)) => break End::Failed(error.to_string()),
            None => break End::Finished,
        }
    };
    note(Reply { session: Some(session.id.clone()), deltas, end: end.clone() });
    match end {
        End::Closed => session.closer.close(),
        // It has to be read to its end, or dropping it would break it off.
        End::Finished => while session.deltas.next().await.is_some() {},
        // Dropping it is what breaks it off.
        End::Aborted | End::Failed(_) => {}
    }
}

/// About how many bytes a delta takes.
fn size(delta: &ChatDelta) -> usize {
    let calls = delta.tool_calls.iter().filter_map(|call| call.arguments.as_ref());
    let texts = delta.content.iter().chain(&delta.reasoning).chain(calls);
    size_of::<ChatDelta>() + texts.map(String::len).sum::<usize>()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_client_leaves_as_its_script_says() {
        let table = [
            (0, false, Leaving::WhenFinished, None),
            (9, false, Leaving::WhenFinished, None),
            (1, true, Leaving::WhenFinished, Some(End::Finished)),
            (0, false, Leaving::Close(0), Some(End::Closed)),
            (1, false, Leaving::Close(2), None),
            (2, false, Leaving::Close(2), Some(End::Closed)),
            (2, true, Leaving::Close(2), Some(End::Finished)),
            (0, false, Leaving::Abort(0), Some(End::Aborted)),
            (1, false, Leaving::Abort(2), None),
            (1, true, Leaving::Abort(2), Some(End::Finished)),
            (2, false, Leaving::Abort(2), Some(End::Aborted)),
        ];
        for (received, is_finished, leaving, expected) in table {
            assert_eq!(
                decide(received, is_finished, leaving),
                expected,
                "{received} {is_finished} {leaving:?}"
            );
        }
    }
}
