//! The verbs that walk an item through its graph.
//!
//! Each verb has the item to itself: it reads where the item stands, decides, runs the hooks that the decision asks for, tells what
//! happened, and writes where the item stands now, once, at its end. A verb that is cut off is thus done again, by this process or
//! another; its events may then be told twice, but none is lost. What a verb means is decided without any of that, in `walk`.

mod chain;
mod drive;
mod envelope;
mod error;
mod verbs;
mod walk;

pub use envelope::{Envelope, Verdict};
pub use error::ProcessError;

use std::sync::Arc;

use camino::Utf8PathBuf;
use windtunnel_doc::Diagnostics;
use windtunnel_spi::seam::{Clock, Seam};

use crate::config::ProcessConfig;
use crate::event::EventSink;
use crate::graph::{Graph, work_item_loop};
use crate::item::WorkItem;
use crate::state::{self, ItemState, StateError};
use crate::transport::{ControlPlane, NoSession, SessionTransport};

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
    ///
    /// # Errors
    /// What the config says that it may not. The shipped graph compiles.
    pub fn new(
        root: impl Into<Utf8PathBuf>,
        config: ProcessConfig,
        control: Arc<dyn ControlPlane>,
        log: Arc<dyn EventSink>,
    ) -> Result<Self, Diagnostics> {
        config.check()?;
        Ok(Self {
            root: root.into(),
            config,
            graph: work_item_loop()?,
            control,
            session: Arc::new(NoSession),
            log,
            clock: Seam::system().clock,
        })
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
    ///
    /// # Errors
    /// The id is no plain name of a folder, ends in no number, or the config names no origin repository.
    pub fn item(&self, id: &str) -> Result<WorkItem, ProcessError> {
        let origin = self.config.origin_repo.as_ref();
        WorkItem::parse(id, origin).map_err(|reason| ProcessError::NoItem { id: id.to_owned(), reason })
    }

    /// The folder of an item.
    pub fn folder(&self, item: &WorkItem) -> Utf8PathBuf {
        self.root.join(&self.config.workflow.spec_dir).join(&item.id)
    }

    /// Where an item stands; none if it was not started.
    ///
    /// # Errors
    /// Its state cannot be read, or is not of an item that walks this graph.
    pub fn state(&self, item: &WorkItem) -> Result<Option<ItemState>, ProcessError> {
        let folder = self.contained_folder(item)?;
        let Some(state) = state::load(&folder)? else { return Ok(None) };
        match walk::check_state(&self.graph, &item.id, &state) {
            Ok(_) => Ok(Some(state)),
            Err(reason) => Err(StateError::malformed(&folder, reason).into()),
        }
    }
}
