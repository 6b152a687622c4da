//! What a hook sees, and what it may ask for.

use std::{fmt, iter};

use camino::Utf8Path;
use indexmap::IndexSet;
use jiff::Timestamp;
use jiff::tz::TimeZone;

use crate::config::{CONFIG_FILE, ProcessConfig};
use crate::graph::{Graph, Node};
use crate::hook::{FeedbackKind, Outcome};
use crate::item::WorkItem;
use crate::state::ItemState;
use crate::transport::{Comment, ControlPlane, SessionTransport, is_marked};

/// What came in from outside with a verb.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ItemEvent {
    /// New comments, the oldest first.
    pub comments: Vec<Comment>,
}

/// What a hook sees.
pub struct HookContext<'a> {
    /// The root of the checkout.
    pub root: &'a Utf8Path,
    /// The item's folder.
    pub folder: &'a Utf8Path,
    /// The item.
    pub item: &'a WorkItem,
    /// What the repository says about its process.
    pub config: &'a ProcessConfig,
    /// The graph.
    pub graph: &'a Graph,
    /// The node whose chain this is.
    pub node: &'a Node,
    /// Where the item stands.
    pub state: &'a ItemState,
    /// What came in; none where nothing did.
    pub event: Option<&'a ItemEvent>,
    /// Who claims that the node's work is done; none where nobody does.
    pub claimant: Option<&'a str>,
    /// Where the item is discussed.
    pub control: &'a dyn ControlPlane,
    /// The agent's session.
    pub session: &'a dyn SessionTransport,
    /// Now.
    pub now: Timestamp,
    /// The outcome that a hook of this chain declared last.
    pub declared: Option<String>,
    /// What the chain asks the runtime to do.
    pub effects: Effects,
}

/// What a chain asks the runtime to do, once it has decided.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Effects {
    /// Which phases are walked. Taken over when the chain passes, if it is a gate that the item leaves its node by.
    pub selection: Option<Selection>,
    /// What a person said of the node's work; for the hook that records it.
    pub feedback: Option<Feedback>,
    /// The account that the process posted its checklist with. Kept with the item, whatever the chain decides.
    pub account: Option<String>,
    /// What could not be done by the hook that runs, and decided nothing. The chain tells it as that hook's degradation.
    pub degraded: Vec<String>,
}

/// Which phases are walked.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Selection {
    /// Who said it, as in `@owner`.
    pub by: String,
    /// Nodes not to be walked, by what they were unticked as: in the order of the graph.
    pub unticked: IndexSet<String>,
    /// Nodes to be opted in that were ticked.
    pub opted_in: IndexSet<String>,
    /// Unticked rows that cannot be skipped, as they were written.
    pub rejected: Vec<String>,
}

/// What a person said of a node's work.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Feedback {
    /// What it comes to.
    pub kind: FeedbackKind,
    /// The comment.
    pub comment: Comment,
}

impl HookContext<'_> {
    /// Says that something could not be done, which decides nothing.
    pub fn degrade(&mut self, error: impl Into<String>) {
        self.effects.degraded.push(error.into());
    }

    /// The comments that came in and count: by people who may say something, and not by the process itself.
    ///
    /// What carries the process's own marker is dropped before anybody asks who wrote it.
    pub fn authorized_comments(&self) -> Vec<&Comment> {
        let comments = self.event.map_or(&[][..], |event| &event.comments);
        let by_somebody_else = comments.iter().filter(|comment| !is_marked(&comment.body));
        by_somebody_else.filter(|comment| self.is_authorized(&comment.author)).collect()
    }

    /// Whether somebody may say something. GitHub compares names whatever their case.
    pub fn is_authorized(&self, author: &str) -> bool {
        self.config.authorized_users.iter().any(|user| user.eq_ignore_ascii_case(author))
    }

    /// What a gate waits for, and then why each comment that came in is not it; one that counts is said to be `lacking` something.
    pub(super) fn waits_for(&self, what: impl fmt::Display, lacking: &str) -> Outcome {
        let why_not = self.event.iter().flat_map(|event| &event.comments).map(|comment| {
            let author = &comment.author;
            if is_marked(&comment.body) {
                format!("the comment of @{author} is the process's own")
            } else if self.is_authorized(author) {
                format!("the comment of @{author} {lacking}")
            } else {
                format!("@{author} is not authorized")
            }
        });
        let waited_for = format!("{what} is waited for, by {}", self.authorized_people());
        let messages: IndexSet<String> = iter::once(waited_for).chain(why_not).collect();
        Outcome::Wait { messages: messages.into_iter().collect() }
    }

    /// The people whose comments count, as a sentence has them.
    fn authorized_people(&self) -> String {
        let people: Vec<String> =
            self.config.authorized_users.iter().map(|user| format!("@{user}")).collect();
        match people.as_slice() {
            [] => format!("nobody: {CONFIG_FILE} names no authorizedUsers"),
            people => people.join(" or "),
        }
    }

    /// Today, in UTC, as in `2026-01-31`.
    pub(super) fn date(&self) -> String {
        TimeZone::UTC.to_datetime(self.now).date().to_string()
    }

    /// Whether a node is not walked: it was skipped, or nobody opted in to it.
    pub fn is_skipped(&self, node: &Node) -> bool {
        node.skip_of(self.state).is_some()
    }
}
