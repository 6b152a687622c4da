//! What an endpoint shows of itself.

use serde::Serialize;

use super::session::{End, Reply};
use super::{Progress, Scripted};
use crate::exchange::ChatDelta;
use crate::mock::text::{named, quoted};

/// What the clients asked and got, and what was never asked.
#[derive(Serialize)]
pub(super) struct Snapshot<'e> {
    kind: &'static str,
    requests_total: usize,
    requests_fired: usize,
    requests_remaining: usize,
    /// Of the sessions that came to an end, in the order of their requests.
    replies: Vec<Replied<'e>>,
    /// The requests that were never asked, in short form.
    remaining: Vec<String>,
}

#[derive(Serialize)]
struct Replied<'e> {
    model: &'e str,
    session_id: &'e str,
    session: Option<&'e str>,
    /// Earlier deltas than those in `deltas`, of which no more is known.
    deltas_dropped: usize,
    deltas: Vec<&'e ChatDelta>,
    closed: bool,
    aborted: bool,
    error: Option<&'e str>,
}

impl<'e> Snapshot<'e> {
    pub(super) fn of(requests: &'e [Scripted], progress: &'e Progress) -> Self {
        let fired = progress.was_asked.iter().filter(|was_asked| **was_asked).count();
        let replies = requests.iter().zip(&progress.replies);
        let left = requests.iter().zip(&progress.was_asked).enumerate();
        let left = left.filter(|(_, (_, was_asked))| !**was_asked);
        Self {
            kind: "endpoint",
            requests_total: requests.len(),
            requests_fired: fired,
            requests_remaining: requests.len() - fired,
            replies: replies
                .filter_map(|(request, reply)| Some(Replied::of(request, reply.as_ref()?)))
                .collect(),
            remaining: named(left.map(|(index, (request, _))| request.summary(index))),
        }
    }
}

impl<'e> Replied<'e> {
    fn of(scripted: &'e Scripted, reply: &'e Reply) -> Self {
        Self {
            model: &scripted.request.model,
            session_id: &scripted.session_id,
            session: reply.session.as_deref(),
            deltas_dropped: reply.deltas.dropped(),
            deltas: reply.deltas.iter().collect(),
            closed: reply.end == End::Closed,
            aborted: reply.end == End::Aborted,
            error: match &reply.end {
                End::Failed(error) => Some(error),
                End::Finished | End::Closed | End::Aborted => None,
            },
        }
    }
}

impl Scripted {
    /// What it asks, in a few words.
    fn summary(&self, index: usize) -> String {
        let asked = self.request.messages.last().and_then(|message| message.content.as_deref());
        let asked = asked.map_or_else(|| "nothing".to_owned(), quoted);
        self.cue.mark(format!("requests[{index}]: asks {:?} {asked}", self.request.model))
    }
}
