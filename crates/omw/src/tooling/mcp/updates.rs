//! Subscriptions: what is read again each time the server says that it changed, over all sessions.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use futures::stream;
use tokio::runtime::Handle;
use tokio::time::sleep;

use super::backoff::Patience;
use super::failure::Failure;
use super::notices::{Subject, Watch};
use super::server::Server;
use super::session::Session;
use crate::backend::BackendError;
use crate::exchange::{ResourceContent, ResourceInfo};
use crate::tooling::UpdateStream;

/// A session that lasted longer than this was a good one.
const GOOD: Duration = Duration::from_secs(10);

/// Shorter sessions in a row after which a subscription is given up.
const MAX_SHORT_SESSIONS: u32 = 8;

/// What is read when it changed.
#[async_trait]
pub(super) trait Source: Sized + Send + 'static {
    async fn read(server: &Server, subject: &Subject) -> Result<Self, BackendError>;
}

#[async_trait]
impl Source for Vec<ResourceInfo> {
    async fn read(server: &Server, _subject: &Subject) -> Result<Self, BackendError> {
        server.resources().await
    }
}

#[async_trait]
impl Source for Vec<ResourceContent> {
    async fn read(server: &Server, subject: &Subject) -> Result<Self, BackendError> {
        match subject {
            Subject::Resource(uri) => server.read(uri).await,
            Subject::List => Ok(Vec::new()),
        }
    }
}

/// Subscribes, and reads the subject again whenever it changed. A new session counts as a change, since what happened before it is
/// not known.
pub(super) async fn subscribe<T: Source>(
    server: Arc<Server>,
    subject: Subject,
) -> Result<UpdateStream<T>, BackendError> {
    let mut subscription = Subscription {
        watch: server.link().board().watch(subject),
        server,
        session: None,
        short_sessions: 0,
        handle: Handle::current(),
    };
    subscription.renew(Patience::Call).await?;
    // The subscription goes with its last item, an error.
    let updates = stream::unfold(Some(subscription), |subscription| async {
        let mut subscription = subscription?;
        match subscription.next().await {
            Ok(update) => Some((Ok(update), Some(subscription))),
            Err(error) => Some((Err(error), None)),
        }
    });
    Ok(Box::pin(updates))
}

struct Subscription {
    watch: Watch,
    server: Arc<Server>,
    /// The session that knows of it.
    session: Option<Arc<Session>>,
    short_sessions: u32,
    /// For the goodbye, when it is dropped outside of the async runtime.
    handle: Handle,
}

impl Subscription {
    async fn next<T: Source>(&mut self) -> Result<T, BackendError> {
        match &self.session {
            Some(session) if session.is_live() => {
                tokio::select! {
                    biased;
                    () = self.watch.changed() => {}
                    () = session.lost() => self.renew(Patience::Subscription).await?,
                }
            }
            _ => self.renew(Patience::Subscription).await?,
        }
        T::read(&self.server, self.watch.subject()).await
    }

    /// Makes sure that a live session knows of it.
    async fn renew(&mut self, patience: Patience) -> Result<(), BackendError> {
        loop {
            self.leave_lost().await;
            let session = self.server.session(patience).await?;
            let subscribed = match self.watch.subject() {
                Subject::List => Ok(()),
                Subject::Resource(uri) => self.server.subscribe(&session, uri).await,
            };
            match subscribed {
                Err(Failure::Unsent(_) | Failure::Broken(_))
                    if !session.is_live() && self.short_sessions < MAX_SHORT_SESSIONS =>
                {
                    self.session = Some(session);
                }
                Err(failure) => return Err(self.server.failure(failure)),
                Ok(()) => {
                    self.session = Some(session);
                    return Ok(());
                }
            }
        }
    }

    /// Waits a little before a lost session is replaced: the longer, the more of them were short. A server that dies as soon as it has
    /// started would otherwise keep us busy.
    async fn leave_lost(&mut self) {
        let Some(session) = self.session.take() else { return };
        if session.age() >= GOOD {
            self.short_sessions = 0;
        }
        sleep(self.server.link().backoff().pause(self.short_sessions)).await;
        self.short_sessions += 1;
    }
}

impl Drop for Subscription {
    fn drop(&mut self) {
        if let (Subject::Resource(uri), Some(session)) = (self.watch.subject(), self.session.take())
            && session.is_live()
            && self.watch.is_only()
        {
            let (server, uri) = (Arc::clone(&self.server), uri.clone());
            self.handle.spawn(async move {
                // A server that does not take it tells of changes that nobody watches any more.
                if let Err(failure) = server.unsubscribe(&session, &uri).await {
                    tracing::debug!("cannot unsubscribe from a resource: {}", server.failure(failure));
                }
            });
        }
    }
}
