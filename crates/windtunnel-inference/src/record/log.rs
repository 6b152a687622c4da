//! What was seen of a session, bounded, before secrets are taken out of it.

use std::collections::HashSet;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use hyper::body::Bytes;
use indexmap::IndexMap;
use tokio::sync::watch;
use tokio::time::timeout;
use windtunnel_api::Secret;
use windtunnel_spi::{Moment, Stamp};

use crate::wire::Protocol;

/// Requests of one session.
const MAX_EXCHANGES: usize = 10_000;

/// Bytes of requests and answers of one session.
const MAX_BYTES: usize = 256 * 1024 * 1024;

/// How long answers that are still coming are waited for at the end.
const LAST_ANSWERS: Duration = Duration::from_secs(2);

/// A request and its answer, as they came.
pub(super) struct Seen {
    pub(super) at: Moment,
    pub(super) method: String,
    pub(super) path: String,
    /// The wire of a request for an answer; none for what is only passed on.
    pub(super) protocol: Option<&'static dyn Protocol>,
    pub(super) headers: IndexMap<String, String>,
    /// Empty for what is only passed on.
    pub(super) request: Bytes,
    pub(super) status: u16,
    pub(super) answer_headers: IndexMap<String, String>,
    pub(super) streamed: bool,
    /// Empty for what is only passed on.
    pub(super) answer: Vec<u8>,
    pub(super) ms: f64,
    /// Why the answer is not all that was sent.
    pub(super) problem: Option<String>,
}

/// What was seen so far, and the secrets that came with it.
#[derive(Default)]
pub(super) struct Log {
    state: Mutex<State>,
    /// How many answers are still coming.
    under_way: watch::Sender<usize>,
}

#[derive(Default)]
struct State {
    seen: Vec<Seen>,
    bytes: usize,
    over: bool,
    secrets: HashSet<String>,
    /// What was asked before belongs to something that is over.
    since: Option<Stamp>,
}

impl Log {
    pub(super) fn learn(&self, secrets: impl IntoIterator<Item = Secret>) {
        self.state().secrets.extend(secrets.into_iter().map(|secret| secret.expose().to_owned()));
    }

    /// An answer begins to come.
    pub(super) fn begin(&self) {
        self.under_way.send_modify(|count| *count += 1);
    }

    /// An answer has come, whether to its end or not.
    pub(super) fn end(&self, seen: Seen) {
        let mut state = self.state();
        let asked = seen.at.stamp;
        if state.since.is_none_or(|since| since < asked) {
            state.keep(seen);
        }
        drop(state);
        self.under_way.send_modify(|count| *count = count.saturating_sub(1));
    }

    /// Forgets what was seen, and what of it is still coming.
    pub(super) fn forget(&self) {
        let mut state = self.state();
        (state.seen, state.bytes, state.over) = (Vec::new(), 0, false);
        state.since = Some(Stamp::next());
    }

    /// Waits a moment for answers that are still coming.
    pub(super) async fn settle(&self) {
        let mut under_way = self.under_way.subscribe();
        let _ = timeout(LAST_ANSWERS, under_way.wait_for(|count| *count == 0)).await;
    }

    /// Whether no answer is still coming.
    pub(super) fn is_settled(&self) -> bool {
        *self.under_way.borrow() == 0
    }

    /// The secrets that came with what was seen, before it was forgotten too.
    pub(super) fn secrets(&self) -> Vec<Secret> {
        self.state().secrets.iter().map(Secret::new).collect()
    }

    /// Everything that was seen, in the order it was asked.
    pub(super) fn take(&self) -> Result<Vec<Seen>, String> {
        let mut state = self.state();
        if state.over {
            return Err(format!(
                "more than {MAX_EXCHANGES} requests or {} MiB were sent",
                MAX_BYTES / (1024 * 1024)
            ));
        }
        state.bytes = 0;
        let mut seen = std::mem::take(&mut state.seen);
        seen.sort_by_key(|seen| seen.at.stamp);
        Ok(seen)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn keep(&mut self, seen: Seen) {
        self.bytes = self.bytes.saturating_add(seen.request.len() + seen.answer.len());
        if self.seen.len() == MAX_EXCHANGES || self.bytes > MAX_BYTES {
            self.over = true;
            self.seen = Vec::new();
        }
        if !self.over {
            self.seen.push(seen);
        }
    }
}
