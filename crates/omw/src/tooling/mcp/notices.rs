//! Who wants to know that a server's resources changed.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rmcp::model::{ClientConfig, Implementation, ProtocolVersion, ResourceUpdatedNotificationParam};
use rmcp::service::NotificationContext;
use rmcp::{ClientHandler, RoleClient};
use tokio::sync::Notify;

/// What can change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Subject {
    /// The list of resources.
    List,
    /// The resource at this address.
    Resource(String),
}

impl Subject {
    /// Whether it is what changed: a server may say so of a part of the resource that was subscribed to.
    fn is_part_of(&self, changed: &Subject) -> bool {
        match (self, changed) {
            (Self::List, Self::List) => true,
            (Self::Resource(wanted), Self::Resource(changed)) => {
                let part = changed.strip_prefix(wanted.as_str());
                part.is_some_and(|part| {
                    part.is_empty() || wanted.ends_with('/') || part.starts_with(['/', '#', '?'])
                })
            }
            _ => false,
        }
    }
}

/// All who watch the resources of one server, over all its sessions.
#[derive(Debug, Default)]
pub(super) struct Board(Mutex<Vec<(Subject, Arc<Notify>)>>);

impl Board {
    /// Starts to watch.
    pub(super) fn watch(self: &Arc<Self>, subject: Subject) -> Watch {
        let changed = Arc::new(Notify::new());
        self.lock().push((subject.clone(), Arc::clone(&changed)));
        Watch { board: Arc::clone(self), subject, changed }
    }

    fn tell(&self, changed: &Subject) {
        for (subject, notify) in &*self.lock() {
            if subject.is_part_of(changed) {
                notify.notify_one();
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, Vec<(Subject, Arc<Notify>)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Hears of changes of one subject until it is dropped.
#[derive(Debug)]
pub(super) struct Watch {
    board: Arc<Board>,
    subject: Subject,
    changed: Arc<Notify>,
}

impl Watch {
    /// Waits for a change; any number of them that nobody waited for are one.
    pub(super) async fn changed(&self) {
        self.changed.notified().await;
    }

    pub(super) fn subject(&self) -> &Subject {
        &self.subject
    }

    /// Whether nobody else watches the same.
    pub(super) fn is_only(&self) -> bool {
        self.board.lock().iter().filter(|(subject, _)| *subject == self.subject).count() <= 1
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.board.lock().retain(|(_, changed)| !Arc::ptr_eq(changed, &self.changed));
    }
}

/// Our side of a session: what the server may tell and ask us.
#[derive(Debug, Clone)]
pub(super) struct Listener(pub(super) Arc<Board>);

impl ClientHandler for Listener {
    fn get_info(&self) -> ClientConfig {
        let this = Implementation::new("omw", env!("CARGO_PKG_VERSION"));
        let capabilities = rmcp::model::ClientCapabilities::default();
        ClientConfig::new(capabilities, this).with_protocol_version(ProtocolVersion::LATEST_WITH_INITIALIZE)
    }

    async fn on_resource_list_changed(&self, _context: NotificationContext<RoleClient>) {
        self.0.tell(&Subject::List);
    }

    async fn on_resource_updated(
        &self,
        params: ResourceUpdatedNotificationParam,
        _context: NotificationContext<RoleClient>,
    ) {
        self.0.tell(&Subject::Resource(params.uri));
    }
}

#[cfg(test)]
mod tests {
    use futures::FutureExt;

    use super::*;

    fn resource(uri: &str) -> Subject {
        Subject::Resource(uri.to_owned())
    }

    #[test]
    fn changes_that_nobody_waited_for_are_one() {
        let board = Arc::new(Board::default());
        let watch = board.watch(Subject::List);
        assert_eq!(watch.changed().now_or_never(), None);
        board.tell(&Subject::List);
        board.tell(&Subject::List);
        assert_eq!(watch.changed().now_or_never(), Some(()));
        assert_eq!(watch.changed().now_or_never(), None);
    }

    #[test]
    fn a_part_of_a_resource_is_the_resource() {
        let is_part = |wanted: &str, changed: &str| resource(wanted).is_part_of(&resource(changed));
        assert!(is_part("file:///a", "file:///a") && is_part("file:///a", "file:///a/b"));
        assert!(is_part("file:///a/", "file:///a/b") && is_part("x:a", "x:a#top"));
        assert!(!is_part("file:///a", "file:///ab") && !is_part("file:///a/b", "file:///a"));
        assert!(!Subject::List.is_part_of(&resource("x:a")));
    }

    #[test]
    fn who_stopped_watching_is_forgotten() {
        let board = Arc::new(Board::default());
        let (one, two) = (board.watch(resource("x:a")), board.watch(resource("x:a")));
        assert!(!one.is_only());
        drop(two);
        assert!(one.is_only());
        drop(one);
        assert!(board.lock().is_empty());
    }
}
