//! The verbs that walk an item through its graph.

mod chain;
mod envelope;
mod error;

pub use envelope::{Envelope, Verdict};
pub use error::ProcessError;

use std::sync::Arc;

use camino::{Utf8Path, Utf8PathBuf};
use windtunnel_spi::seam::Clock;

use crate::config::ProcessConfig;
use crate::event::EventSink;
use crate::graph::Graph;
use crate::hook::ItemEvent;
use crate::item::WorkItem;
use crate::state::ItemState;
use crate::transport::{ControlPlane, SessionTransport};

/// Walks work items through a graph. It holds nothing of an item: every verb reads where the item stands, and writes it.
pub struct ProcessRuntime {
    root: Utf8PathBuf,
    config: ProcessConfig,
    graph: Arc<Graph>,
    control: Arc<dyn ControlPlane>,
    session: Arc<dyn SessionTransport>,
    log: Arc<dyn EventSink>,
    clock: Arc<dyn Clock>,
}

impl ProcessRuntime {
    /// A runtime of a checkout, over the shipped graph. Without a session transport no item has a session.
    pub fn new(
        root: impl Into<Utf8PathBuf>,
        config: ProcessConfig,
        control: Arc<dyn ControlPlane>,
        log: Arc<dyn EventSink>,
    ) -> Self {
        let _ = (root.into(), config, control, log);
        unimplemented!()
    }

    /// Over a graph of one's own.
    #[must_use]
    pub fn with_graph(self, graph: Arc<Graph>) -> Self {
        Self { graph, ..self }
    }

    /// With a way to the agents' sessions.
    #[must_use]
    pub fn with_session(self, session: Arc<dyn SessionTransport>) -> Self {
        Self { session, ..self }
    }

    /// With another clock.
    #[must_use]
    pub fn with_clock(self, clock: Arc<dyn Clock>) -> Self {
        Self { clock, ..self }
    }

    /// The graph.
    pub fn graph(&self) -> &Arc<Graph> {
        &self.graph
    }

    /// The item of this id, discussed in the origin repository under the number that its id ends in.
    pub fn item(&self, id: &str) -> Result<WorkItem, ProcessError> {
        let _ = id;
        unimplemented!()
    }

    /// The folder of an item.
    pub fn folder(&self, item: &WorkItem) -> Utf8PathBuf {
        let _: &Utf8Path = &self.root;
        let _ = (item, &self.config, &self.control, &self.log);
        unimplemented!()
    }

    /// Where an item stands; none if it was not started.
    pub fn state(&self, item: &WorkItem) -> Result<Option<ItemState>, ProcessError> {
        let _ = item;
        unimplemented!()
    }

    /// Begins the walk. An item that was started stays where it is: a `noop`.
    pub async fn start(&self, item: &WorkItem) -> Result<Envelope, ProcessError> {
        let _ = item;
        unimplemented!()
    }

    /// Looks at the gate of the current node again, with what came in.
    pub async fn advance(
        &self,
        item: &WorkItem,
        event: Option<&ItemEvent>,
    ) -> Result<Envelope, ProcessError> {
        let _ = (item, event);
        unimplemented!()
    }

    /// Claims that a node's work is done.
    pub async fn complete(&self, item: &WorkItem, node: &str, actor: &str) -> Result<Envelope, ProcessError> {
        let _ = (item, node, actor);
        unimplemented!()
    }

    /// Declares nodes, or sets of nodes, that are not to be walked.
    pub async fn skip(
        &self,
        item: &WorkItem,
        nodes: &[String],
        by: &str,
        reason: &str,
    ) -> Result<Envelope, ProcessError> {
        let _ = (item, nodes, by, reason);
        unimplemented!()
    }

    /// Puts the pointer to a node by hand.
    pub async fn force(
        &self,
        item: &WorkItem,
        to: &str,
        by: &str,
        reason: &str,
    ) -> Result<Envelope, ProcessError> {
        let _ = (item, to, by, reason);
        unimplemented!()
    }

    /// Asks the people of an item something; the walk waits for the answer.
    pub async fn ask(&self, item: &WorkItem, question: &str) -> Result<Envelope, ProcessError> {
        let _ = (item, question);
        unimplemented!()
    }

    /// Answers what was asked: delivers a text to the agent's session.
    ///
    /// # Errors
    /// There is no session: nothing is delivered, and none is started.
    pub async fn reply(&self, item: &WorkItem, text: &str, actor: &str) -> Result<Envelope, ProcessError> {
        let _ = (item, text, actor);
        unimplemented!()
    }
}
