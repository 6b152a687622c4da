//! What sends events to an agent.

use std::sync::{Arc, Mutex};

use indexmap::IndexMap;

use super::recorder::Recorder;
use super::sync::lock;
use super::trace::{CloseReason, TraceEvent};
use super::{HostError, HostResult};

/// How many sources one agent may have open.
pub(super) const MAX_OPEN: usize = 4_096;

/// The kinds of sources.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SourceKind {
    /// A streamed answer of a model.
    ChatStream,
    /// A timer that has not fired.
    Timer,
    /// A queued tool call without an answer.
    ToolCall,
    /// A subscription to a server's list of resources.
    ResourceList,
    /// A subscription to one resource.
    Resource,
    /// A served model name.
    Endpoint,
    /// A subscription to an agent's messages.
    Agent,
    /// The subscription to the agent's own lifecycle.
    Lifecycle,
}

impl SourceKind {
    /// The name in a trace.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::ChatStream => "chat-stream",
            Self::Timer => "timer",
            Self::ToolCall => "tool-call",
            Self::ResourceList => "resource-list",
            Self::Resource => "resource",
            Self::Endpoint => "endpoint",
            Self::Agent => "agent",
            Self::Lifecycle => "lifecycle",
        }
    }

    /// Whether a successor finds the subscription again: asking for the same gives the same id.
    pub(super) fn is_adopted(self) -> bool {
        matches!(self, Self::Endpoint | Self::Agent)
    }
}

/// Lets go of what a source holds.
pub(super) type Release = Box<dyn FnOnce() + Send>;

/// The open sources of one agent, in the order they were opened in.
pub(super) struct Sources {
    agent: Arc<str>,
    recorder: Arc<Recorder>,
    open: Mutex<IndexMap<String, Source>>,
}

struct Source {
    kind: SourceKind,
    release: Option<Release>,
}

impl Sources {
    pub(super) fn new(agent: Arc<str>, recorder: Arc<Recorder>) -> Self {
        Self { agent, recorder, open: Mutex::default() }
    }

    /// Opens a source; what it holds is named afterwards, see [`hold`](Self::hold).
    pub(super) fn open(&self, id: &str, kind: SourceKind) -> HostResult<()> {
        {
            let mut open = lock(&self.open);
            if open.len() >= MAX_OPEN {
                return Err(HostError::failed(format!(
                    "agent \"{}\" has {MAX_OPEN} open sources, which is the limit; cancel some before opening more",
                    self.agent
                )));
            }
            open.insert(id.to_owned(), Source { kind, release: None });
        }
        self.recorder.record(|| TraceEvent::Opened {
            agent: Arc::clone(&self.agent),
            source: kind.name().into(),
            uuid: id.to_owned(),
        });
        Ok(())
    }

    /// Says how a source's holdings are let go of when it is cancelled. What is closed by now may have been cancelled by another thread before there
    /// was anything to let go of, so that is done here; for a source that came to its end, it has to change nothing.
    pub(super) fn hold(&self, id: &str, release: impl FnOnce() + Send + 'static) {
        {
            let mut open = lock(&self.open);
            if let Some(source) = open.get_mut(id) {
                source.release = Some(Box::new(release));
                return;
            }
        }
        release();
    }

    /// Whether a source is open.
    pub(super) fn is_open(&self, id: &str) -> bool {
        lock(&self.open).contains_key(id)
    }

    /// Does something unless the source is closed, which it cannot become meanwhile. It must not record.
    pub(super) fn while_open<T>(&self, id: &str, act: impl FnOnce() -> T) -> Option<T> {
        let open = lock(&self.open);
        if open.contains_key(id) {
            return Some(act());
        }
        // First, since dropping what `act` holds may wake others.
        drop(open);
        None
    }

    /// Closes a source that came to its end. False if it was closed before.
    pub(super) fn close(&self, id: &str, reason: CloseReason) -> bool {
        let Some(source) = lock(&self.open).shift_remove(id) else { return false };
        self.record_closed(source.kind, id, reason);
        true
    }

    /// Cancels a source if there is one of one of the kinds, and lets go of what it holds.
    pub(super) fn cancel(&self, id: &str, kinds: &[SourceKind]) {
        let source = {
            let mut open = lock(&self.open);
            match open.get(id) {
                Some(source) if kinds.contains(&source.kind) => open.shift_remove(id),
                _ => None,
            }
        };
        let Some(Source { kind, release }) = source else { return };
        if let Some(release) = release {
            release();
        }
        self.record_closed(kind, id, CloseReason::Cancelled);
    }

    /// Lets go of all sources but those of the kept kinds.
    pub(super) fn end(&self, keep: impl Fn(SourceKind) -> bool, is_recorded: bool) {
        let ended: Vec<_> = {
            let mut open = lock(&self.open);
            open.extract_if(.., |_, source| !keep(source.kind)).collect()
        };
        for (id, Source { kind, release }) in ended {
            if let Some(release) = release {
                release();
            }
            if is_recorded {
                self.record_closed(kind, &id, CloseReason::Cancelled);
            }
        }
    }

    fn record_closed(&self, kind: SourceKind, id: &str, reason: CloseReason) {
        self.recorder.record(|| TraceEvent::Closed {
            agent: Arc::clone(&self.agent),
            source: kind.name().into(),
            uuid: id.to_owned(),
            reason,
        });
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use crate::gate::Gates;

    use super::super::trace::TraceSender;
    use super::*;

    fn sources() -> (Sources, mpsc::Receiver<TraceEvent>) {
        let (sender, receiver) = TraceSender::channel();
        let recorder = Arc::new(Recorder::new(Gates::default(), Some(sender)));
        (Sources::new("alice".into(), recorder), receiver)
    }

    fn told(receiver: &mpsc::Receiver<TraceEvent>) -> Vec<String> {
        let text = |event| match event {
            TraceEvent::Opened { source, uuid, .. } => format!("opened {source} {uuid}"),
            TraceEvent::Closed { source, uuid, reason, .. } => {
                format!("closed {source} {uuid} {}", reason.word())
            }
            other => panic!("{other:?}"),
        };
        receiver.try_iter().map(text).collect()
    }

    #[test]
    fn a_source_is_closed_once() {
        let (sources, receiver) = sources();
        sources.open("1", SourceKind::Timer).unwrap();
        assert!(sources.is_open("1"));
        assert!(sources.close("1", CloseReason::Ended));
        assert!(!sources.close("1", CloseReason::Failed));
        sources.cancel("1", &[SourceKind::Timer]);
        assert_eq!(told(&receiver), ["opened timer 1", "closed timer 1 ended"]);
    }

    #[test]
    fn only_a_cancel_lets_go() {
        let (sources, _receiver) = sources();
        let (sender, released) = mpsc::channel();
        for id in ["1", "2"] {
            let sender = sender.clone();
            sources.open(id, SourceKind::ToolCall).unwrap();
            sources.hold(id, move || sender.send(id).unwrap());
        }
        assert!(sources.close("1", CloseReason::Ended));
        sources.cancel("2", &[SourceKind::ToolCall]);
        assert_eq!(released.try_iter().collect::<Vec<_>>(), ["2"]);
    }

    #[test]
    fn what_was_cancelled_before_it_held_anything_lets_go_at_once() {
        let (sources, receiver) = sources();
        let (sender, released) = mpsc::channel();
        sources.open("1", SourceKind::ToolCall).unwrap();
        sources.cancel("1", &[SourceKind::ToolCall]);
        sources.hold("1", move || sender.send(()).unwrap());
        assert_eq!(released.try_iter().count(), 1);
        assert_eq!(told(&receiver), ["opened tool-call 1", "closed tool-call 1 cancelled"]);
    }

    #[test]
    fn what_is_not_done_for_a_closed_source_is_dropped_without_the_lock() {
        struct Looks<'s>(&'s Sources, mpsc::Sender<bool>);

        impl Drop for Looks<'_> {
            fn drop(&mut self) {
                self.1.send(self.0.open.try_lock().is_ok()).unwrap();
            }
        }

        let (sources, _receiver) = sources();
        let (sender, is_free) = mpsc::channel();
        let looks = Looks(&sources, sender);
        assert!(sources.while_open("1", move || drop(looks)).is_none());
        assert_eq!(is_free.recv(), Ok(true));
    }

    #[test]
    fn another_kinds_cancel_is_ignored() {
        let (sources, receiver) = sources();
        sources.open("1", SourceKind::Timer).unwrap();
        sources.cancel("1", &[SourceKind::ChatStream, SourceKind::ToolCall]);
        assert!(sources.is_open("1"));
        assert_eq!(told(&receiver), ["opened timer 1"]);
    }

    #[test]
    fn the_end_closes_in_the_order_of_opening_and_keeps_what_it_is_told_to() {
        let (sources, receiver) = sources();
        for (id, kind) in [("1", SourceKind::Timer), ("2", SourceKind::Agent), ("3", SourceKind::ChatStream)]
        {
            sources.open(id, kind).unwrap();
        }
        told(&receiver);
        sources.end(SourceKind::is_adopted, true);
        assert_eq!(told(&receiver), ["closed timer 1 cancelled", "closed chat-stream 3 cancelled"]);
        assert!(sources.is_open("2"));
        sources.end(|_| false, false);
        assert!(!sources.is_open("2"));
        assert!(told(&receiver).is_empty());
    }

    #[test]
    fn open_sources_are_limited() {
        let (sources, _receiver) = sources();
        for id in 0..MAX_OPEN {
            sources.open(&id.to_string(), SourceKind::Timer).unwrap();
        }
        insta::assert_snapshot!(
            sources.open("more", SourceKind::Timer).unwrap_err(),
            @r#"agent "alice" has 4096 open sources, which is the limit; cancel some before opening more"#
        );
        sources.close("0", CloseReason::Ended);
        sources.open("more", SourceKind::Timer).unwrap();
    }
}
