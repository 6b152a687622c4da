//! Scripted changes of resources, and the subscriptions that see them.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use futures::stream;
use windtunnel_doc::Path;

use super::params::{ContentUpdate, ListUpdate};
use crate::backend::BackendError;
use crate::exchange::ResourceInfo;
use crate::mock::build::{Compiler, Cue};
use crate::mock::shapes::exchanged;
use crate::tooling::UpdateStream;

/// One step of a subscription.
pub(super) struct Update<T> {
    pub(super) cue: Cue,
    pub(super) change: Change<T>,
    has_happened: AtomicBool,
}

/// What happens.
pub(super) enum Change<T> {
    /// This is the new state.
    To(T),
    /// The subscription fails.
    Error(BackendError),
    /// Nothing any more.
    Pending,
}

/// The new texts of a resource.
pub(super) struct Contents {
    pub(super) uri: String,
    pub(super) texts: Vec<String>,
}

pub(super) fn of_list(
    updates: Vec<ListUpdate>,
    at: &Path,
    compiler: &mut Compiler<'_>,
) -> Vec<Arc<Update<Vec<ResourceInfo>>>> {
    let updates = updates.into_iter().enumerate().map(|(index, update)| {
        let cue = compiler.cue(update.after.as_ref(), &at.clone().then(index));
        let change = Change::of(update.pending, update.error, || exchanged(update.resources));
        Update::new(cue, change)
    });
    updates.collect()
}

/// By resource, in the order of the script.
pub(super) fn of_contents(
    updates: Vec<ContentUpdate>,
    at: &Path,
    compiler: &mut Compiler<'_>,
) -> Vec<(String, Arc<Update<Contents>>)> {
    let updates = updates.into_iter().enumerate().map(|(index, update)| {
        let cue = compiler.cue(update.after.as_ref(), &at.clone().then(index));
        let uri = update.uri.clone();
        let change =
            Change::of(update.pending, update.error, || Contents { uri: update.uri, texts: update.contents });
        (uri, Update::new(cue, change))
    });
    updates.collect()
}

impl<T> Update<T> {
    fn new(cue: Cue, change: Change<T>) -> Arc<Self> {
        Arc::new(Self { cue, change, has_happened: AtomicBool::new(false) })
    }

    /// Whether it has arrived at any subscription.
    pub(super) fn has_happened(&self) -> bool {
        self.has_happened.load(Ordering::Acquire)
    }
}

impl<T> Change<T> {
    fn of(pending: bool, error: Option<String>, state: impl FnOnce() -> T) -> Self {
        match error {
            _ if pending => Self::Pending,
            Some(error) => Self::Error(BackendError::new(error)),
            None => Self::To(state()),
        }
    }
}

/// A subscription that goes through updates, each as soon as its time has come. `arrive` makes an event of a new state, given
/// whether it arrives for the first time.
pub(super) fn subscription<T, E>(
    updates: impl IntoIterator<Item = Arc<Update<T>>>,
    arrive: impl Fn(&T, bool) -> E + Send + Sync + Clone + 'static,
) -> UpdateStream<E>
where
    T: Send + Sync + 'static,
    E: Send + 'static,
{
    let updates: Vec<_> = updates.into_iter().collect();
    Box::pin(stream::unfold(Some(updates.into_iter()), move |left| {
        let arrive = arrive.clone();
        async move {
            let mut left = left?;
            let Some(update) = left.next() else { return std::future::pending().await };
            update.cue.gate.opened().await;
            match &update.change {
                Change::To(state) => {
                    let is_first = !update.has_happened.swap(true, Ordering::AcqRel);
                    Some((Ok(arrive(state, is_first)), Some(left)))
                }
                Change::Error(error) => {
                    update.has_happened.store(true, Ordering::Release);
                    Some((Err(error.clone()), None))
                }
                Change::Pending => std::future::pending().await,
            }
        }
    }))
}
