//! The endpoint of an agent under test: the bench is its only client.

use std::sync::Arc;

use ::omw::prelude::{BackendError, Endpoint, EndpointRouter};
use async_trait::async_trait;
use tokio::sync::watch;

/// The name of its kind.
pub(super) const KIND: &str = "wind-tunnel";

/// Hands the router of a run to the bench.
#[derive(Clone)]
pub(super) struct Door {
    router: watch::Sender<Option<Arc<dyn EndpointRouter>>>,
}

impl Door {
    pub(super) fn new() -> Self {
        Self { router: watch::Sender::new(None) }
    }

    /// The router, once the run serves.
    pub(super) async fn router(&self) -> Option<Arc<dyn EndpointRouter>> {
        let mut router = self.router.subscribe();
        let served = router.wait_for(Option::is_some).await.ok()?;
        served.clone()
    }
}

#[async_trait]
impl Endpoint for Door {
    fn kind(&self) -> &str {
        KIND
    }

    async fn serve(&self, router: Arc<dyn EndpointRouter>) -> Result<(), BackendError> {
        self.router.send_replace(Some(router));
        std::future::pending().await
    }
}
