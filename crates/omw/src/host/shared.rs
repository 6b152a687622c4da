//! What the hosts of a run's agents share.

use std::collections::HashMap;
use std::sync::Arc;

use tokio::runtime::Handle;

use crate::config::{Config, Tunables};
use crate::provider::Provider;
use crate::tooling::Tooling;

use super::bus::Bus;
use super::recorder::Recorder;
use super::router::Router;
use super::seam::Seam;
use super::stepper::Stepper;

/// What the hosts of a run's agents share.
pub(super) struct Shared {
    pub(super) config: Arc<Config>,
    pub(super) tunables: Arc<Tunables>,
    pub(super) providers: HashMap<String, Arc<dyn Provider>>,
    pub(super) tooling: HashMap<String, Arc<dyn Tooling>>,
    /// None without an endpoint.
    pub(super) router: Option<Arc<Router>>,
    pub(super) bus: Bus,
    pub(super) recorder: Arc<Recorder>,
    pub(super) stepper: Stepper,
    pub(super) seam: Arc<dyn Seam>,
    pub(super) runtime: Handle,
}
