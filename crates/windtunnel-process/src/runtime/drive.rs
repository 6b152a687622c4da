//! What surrounds a decision: the item's folder, its lock, its state, its events, the hooks.

use std::io;

use camino::{Utf8Path, Utf8PathBuf};
use windtunnel_spi::seam::rfc3339;

use super::walk::{Chain, Next, Step, Walk};
use super::{Envelope, ProcessError, ProcessRuntime, chain};
use crate::config::{check_spec_dir, contained};
use crate::event::{EventRecord, ProcessEvent};
use crate::hook::{Effects, HookContext, ItemEvent};
use crate::item::{WorkItem, check_id};
use crate::state::{self, ItemLock, ItemState, StateError};

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
        let state = held.before.clone().ok_or_else(not_started)?;
        Ok((held, Walk::of(&self.graph, state)))
    }

    /// Waits for an item, whose folder is made if there is none.
    pub(super) async fn hold_new<'a>(
        &'a self,
        item: &'a WorkItem,
    ) -> Result<(Held<'a>, Option<Walk<'a>>), ProcessError> {
        let folder = self.contained_folder(item)?;
        std::fs::create_dir_all(&folder).map_err(|source| StateError::Io { path: folder.clone(), source })?;
        let held = self.held(item, folder).await?;
        let walk = held.before.clone().map(|state| Walk::of(&self.graph, state));
        Ok((held, walk))
    }

    async fn held<'a>(&'a self, item: &'a WorkItem, folder: Utf8PathBuf) -> Result<Held<'a>, ProcessError> {
        let unlockable = |source: io::Error| StateError::Io { path: folder.clone(), source };
        let lock = ItemLock::acquire(&folder).await.map_err(unlockable)?;
        let before = self.read(item, &folder)?;
        Ok(Held { runtime: self, item, folder, before, _lock: lock })
    }

    /// The folder of an item, of which nobody checked yet that it is in the checkout: configs and items are made by callers, too.
    pub(super) fn contained_folder(&self, item: &WorkItem) -> Result<Utf8PathBuf, ProcessError> {
        let folder = self.folder(item);
        check_id(&item.id)
            .and_then(|()| check_spec_dir(&self.config.workflow.spec_dir))
            .and_then(|()| contained(&self.root, &folder))
            .map_err(|reason| ProcessError::Outside { item: item.id.clone(), reason })?;
        Ok(folder)
    }

    pub(super) fn read(&self, item: &WorkItem, folder: &Utf8Path) -> Result<Option<ItemState>, ProcessError> {
        let state = state::load(folder)?;
        match state.as_ref().and_then(|state| state.contradiction(&self.graph, &item.id)) {
            Some(reason) => Err(StateError::malformed(folder, reason).into()),
            None => Ok(state),
        }
    }
}

impl Held<'_> {
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
