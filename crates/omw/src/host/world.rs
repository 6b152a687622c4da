//! What the agents of a run share.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use futures::FutureExt as _;
use futures::future::join_all;
use tokio::runtime::Handle;

use crate::backend::Pace;
use crate::config::Config;
use crate::endpoint::Endpoint;
use crate::gate::Gates;
use crate::host::trace::{TraceEvent, TraceSender};
use crate::registry::{BuildContext, Registries};
use crate::run::{RunError, Snapshots};

use super::agent::Agent;
use super::backends::Backends;
use super::bus::Bus;
use super::recorder::Recorder;
use super::router::{Router, Routes};
use super::seam::Seam;
use super::shared::Shared;
use super::sources::Release;
use super::stepper::Stepper;
use super::sync::lock;

/// What the agents of a run share: back ends, messages, the endpoint, the record.
pub(crate) struct World {
    shared: Arc<Shared>,
    endpoint: Option<Arc<dyn Endpoint>>,
    agents: Mutex<HashMap<String, Arc<Agent>>>,
    /// Ends the serving of the endpoint.
    serving: Mutex<Option<Release>>,
}

impl World {
    /// Makes the back ends and gets the endpoint ready. To be called on the async runtime that is to drive the run. Scripted back ends keep all
    /// that they were asked if `keep_everything` says so.
    ///
    /// # Errors
    /// Faults of the config, with their places, and back ends that cannot be made or made ready.
    pub(crate) async fn build(
        config: Arc<Config>,
        registries: &Registries,
        trace: Option<TraceSender>,
        keep_everything: bool,
        seam: Arc<dyn Seam>,
    ) -> Result<Arc<Self>, RunError> {
        let runtime = Handle::current();
        let tunables = Arc::new(config.tunables.clone());
        let gates = Gates::default();
        let context = BuildContext { tunables: Arc::clone(&tunables), gates: gates.clone(), keep_everything };
        let Backends { providers, tooling, endpoint } = Backends::make(&config, registries, &context)?;
        if let Some(endpoint) = &endpoint {
            endpoint.prepare().await.map_err(|error| RunError::Backend {
                what: "endpoint".to_owned(),
                error: error.to_string(),
            })?;
        }
        let router = endpoint
            .as_ref()
            .map(|_| Arc::new(Router::new(Arc::clone(&seam), runtime.clone(), tunables.session_buffer)));
        let shared = Shared {
            config,
            tunables,
            providers,
            tooling,
            router,
            bus: Bus::default(),
            recorder: Arc::new(Recorder::new(gates, trace)),
            stepper: Stepper::new(runtime.clone()),
            seam,
            runtime,
        };
        Ok(Arc::new(Self {
            shared: Arc::new(shared),
            endpoint,
            agents: Mutex::default(),
            serving: Mutex::default(),
        }))
    }

    /// An agent: its inbox, subscriptions and open sources, which are there for all runs of its brains.
    pub(crate) fn agent(&self, name: &str) -> Arc<Agent> {
        let mut agents = lock(&self.agents);
        let agent = agents
            .entry(name.to_owned())
            .or_insert_with(|| Arc::new(Agent::new(name, Arc::clone(&self.shared))));
        Arc::clone(agent)
    }

    /// Starts serving the endpoint, if there is one. To be called before any agent runs.
    pub(crate) fn start_endpoint(&self) {
        let (Some(endpoint), Some(routes)) = (&self.endpoint, &self.shared.router) else { return };
        let pace = endpoint.pace();
        let (server, agents) = (Arc::clone(endpoint), Arc::new(Routes(Arc::clone(routes))));
        let serve = async move {
            if let Err(error) = server.serve(agents).await {
                tracing::error!(%error, "the endpoint ended");
            }
        };
        let release: Release = match pace {
            Pace::Free => {
                let task = self.shared.runtime.spawn(serve).abort_handle();
                Box::new(move || task.abort())
            }
            Pace::Stepped => {
                let task = self.shared.stepper.start(serve.boxed());
                Box::new(move || task.cancel())
            }
        };
        *lock(&self.serving) = Some(release);
    }

    /// Records an event, if anybody wants it.
    pub(crate) fn record(&self, event: impl FnOnce() -> TraceEvent) {
        let _boundary = self.shared.stepper.boundary();
        self.shared.recorder.record(event);
    }

    /// What the back ends have left.
    pub(crate) fn snapshots(&self) -> Snapshots {
        let Shared { providers, tooling, .. } = &*self.shared;
        let named = |name: &String, snapshot: Option<_>| Some((name.clone(), snapshot?));
        Snapshots {
            providers: providers.iter().filter_map(|(name, of)| named(name, of.snapshot())).collect(),
            tooling: tooling.iter().filter_map(|(name, of)| named(name, of.snapshot())).collect(),
            endpoint: self.endpoint.as_ref().and_then(|endpoint| endpoint.snapshot()),
        }
    }

    /// Ends what is still going on, and closes the back ends. To be called after the last agent.
    pub(crate) async fn close(&self) {
        let serving = lock(&self.serving).take();
        if let Some(release) = serving {
            release();
        }
        if let Some(router) = &self.shared.router {
            router.close();
        }
        let agents: Vec<_> = lock(&self.agents).drain().map(|(_, agent)| agent).collect();
        for agent in agents {
            agent.close();
        }
        if let Some(endpoint) = &self.endpoint {
            endpoint.close().await;
        }
        join_all(self.shared.tooling.values().map(|tooling| tooling.close())).await;
    }
}
