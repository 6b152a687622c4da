//! What surrounds a decision: the item's folder, its lock, its state, its events, the hooks.

use std::io;
use std::time::Duration;

use camino::Utf8PathBuf;
use tokio::time::timeout;
use windtunnel_spi::seam::rfc3339;

use super::walk::{Chain, Next, Step, Walk};
use super::{Envelope, ProcessError, ProcessRuntime, chain};
use crate::config::contained;
use crate::event::{EventRecord, ProcessEvent};
use crate::hook::{Effects, HookContext, ItemEvent};
use crate::item::{WorkItem, check_id};
use crate::state::{self, ItemLock, ItemState, StateError};

/// So long a verb waits for an item that another one has.
const PATIENCE: Duration = Duration::from_secs(60);

/// An item that a verb has to itself.
pub(super) struct Held<'a> {
    runtime: &'a ProcessRuntime,
    item: &'a WorkItem,
    folder: Utf8PathBuf,
    before: Option<ItemState>,
    _lock: ItemLock,
}

/// What came with a verb.
#[derive(Clone, Copy, Default)]
pub(super) struct Input<'a> {
    pub(super) event: Option<&'a ItemEvent>,
    pub(super) claimant: Option<&'a str>,
}

impl ProcessRuntime {
    /// Waits for an item that was started.
    pub(super) async fn hold<'a>(&'a self, item: &'a WorkItem) -> Result<(Held<'a>, Walk<'a>), ProcessError> {
        let not_started = || ProcessError::NotStarted { item: item.id.clone() };
        let folder = self.contained_folder(item)?;
        if !folder.is_dir() {
            return Err(not_started());
        }
        let held = self.held(item, folder).await?;
        let walk = held.walk()?.ok_or_else(not_started)?;
        Ok((held, walk))
    }

    /// Waits for an item, whose folder is made if there is none.
    pub(super) async fn hold_new<'a>(
        &'a self,
        item: &'a WorkItem,
    ) -> Result<(Held<'a>, Option<Walk<'a>>), ProcessError> {
        let folder = self.contained_folder(item)?;
        std::fs::create_dir_all(&folder).map_err(|source| StateError::Io { path: folder.clone(), source })?;
        let held = self.held(item, folder).await?;
        let walk = held.walk()?;
        Ok((held, walk))
    }

    async fn held<'a>(&'a self, item: &'a WorkItem, folder: Utf8PathBuf) -> Result<Held<'a>, ProcessError> {
        let unlockable = |source: io::Error| StateError::Io { path: folder.clone(), source };
        let waited = timeout(PATIENCE, ItemLock::acquire(&folder)).await;
        let lock = waited.map_err(|_| ProcessError::Busy { item: item.id.clone(), waited: PATIENCE })?;
        let lock = lock.map_err(unlockable)?;
        let before = state::load(&folder)?;
        Ok(Held { runtime: self, item, folder, before, _lock: lock })
    }

    /// The folder of an item, of which nobody checked yet that it is in the checkout: items are made by callers, too, and links by anybody.
    pub(super) fn contained_folder(&self, item: &WorkItem) -> Result<Utf8PathBuf, ProcessError> {
        let folder = self.folder(item);
        check_id(&item.id)
            .and_then(|()| contained(&self.root, &folder))
            .map_err(|reason| ProcessError::Outside { item: item.id.clone(), reason })?;
        Ok(folder)
    }
}

impl<'a> Held<'a> {
    /// The item on its walk; none if it was not started.
    fn walk(&self) -> Result<Option<Walk<'a>>, StateError> {
        let Some(state) = self.before.clone() else { return Ok(None) };
        let walk = Walk::resume(&self.runtime.graph, &self.item.id, state);
        walk.map(Some).map_err(|reason| StateError::malformed(&self.folder, reason))
    }

    /// Does what a step asks for, and what the steps ask for that follow from it, until there is an answer.
    pub(super) async fn drive(
        &self,
        mut walk: Walk<'_>,
        mut step: Step,
        input: Input<'_>,
    ) -> Result<Envelope, ProcessError> {
        loop {
            for event in step.events {
                self.tell(event)?;
            }
            match step.next {
                Next::Run(chain) => {
                    let heard = self.run(&walk, chain, input).await?;
                    step = walk.heard(chain, heard);
                }
                Next::Answer(envelope) => {
                    if self.before.as_ref() != Some(walk.state()) {
                        state::save(&self.folder, walk.state())?;
                    }
                    return Ok(envelope);
                }
            }
        }
    }

    async fn run(
        &self,
        walk: &Walk<'_>,
        chain: Chain,
        input: Input<'_>,
    ) -> Result<chain::Heard, ProcessError> {
        let Self { runtime, item, folder, .. } = self;
        let node = walk.current();
        let hooks = match chain {
            Chain::Entry => &node.entry,
            Chain::Exit => &node.exit,
        };
        let context = HookContext {
            root: &runtime.root,
            folder,
            item,
            config: &runtime.config,
            graph: &runtime.graph,
            node,
            state: walk.state(),
            event: input.event,
            claimant: input.claimant,
            control: runtime.control.as_ref(),
            session: runtime.session.as_ref(),
            now: runtime.clock.now(),
            declared: None,
            effects: Effects::default(),
        };
        chain::run(hooks, context, |event| self.tell(event)).await
    }

    fn tell(&self, event: ProcessEvent) -> Result<(), ProcessError> {
        let record = EventRecord {
            ts: rfc3339(self.runtime.clock.now()),
            work_item: self.item.id.clone(),
            reference: self.item.reference.to_string(),
            event,
        };
        self.runtime.log.append(&record).map_err(ProcessError::EventLog)
    }
}
