//! Calls hooks and keeps what they leave.

use std::sync::Arc;

use jiff::Timestamp;
use windtunnel_api::secret::Redactor;
use windtunnel_spi::{Hook, HookArtifact, HookPoint};
use windtunnel_store::{RunStore, StoreError, StoredRun};

/// Something a hook wants kept.
#[derive(Debug)]
pub(crate) struct Kept {
    hook: String,
    artifact: HookArtifact,
}

/// Calls every hook, in order.
pub(crate) fn observe(hooks: &[Arc<dyn Hook>], point: HookPoint<'_>) -> Vec<Kept> {
    let of = |hook: &Arc<dyn Hook>| {
        let name = hook.name().to_owned();
        hook.observe(point).into_iter().map(move |artifact| Kept { hook: name.clone(), artifact })
    };
    hooks.iter().flat_map(of).collect()
}

impl Kept {
    /// Writes it beside a run. A hook never fails a run, so what cannot be written is only told.
    pub(crate) fn beside(mut self, run: &StoredRun, store: &RunStore, redactor: &Redactor) {
        redactor.value(&mut self.artifact.value);
        let HookArtifact { label, value } = &self.artifact;
        self.told(store.write_run_artifact(run, &self.hook, label.as_deref(), value));
    }

    /// Writes it into the runs folder, for a scenario or a whole pack.
    pub(crate) fn in_runs_folder(
        mut self,
        at: Timestamp,
        scenario: Option<&str>,
        store: &RunStore,
        redactor: &Redactor,
    ) {
        redactor.value(&mut self.artifact.value);
        let HookArtifact { label, value } = &self.artifact;
        self.told(store.write_sweep_artifact(at, &self.hook, scenario, label.as_deref(), value));
    }

    fn told<T>(&self, written: Result<T, StoreError>) {
        if let Err(error) = written {
            tracing::warn!(hook = self.hook, %error, "what the hook wanted kept could not be written");
        }
    }
}
