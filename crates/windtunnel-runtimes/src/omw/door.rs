//! The endpoint of an agent under test: the bench is its only client.

use std::sync::Arc;

use ::omw::prelude::{BackendError, Endpoint, EndpointRouter};
use async_trait::async_trait;
use tokio::sync::SetOnce;

/// The name of its kind.
pub(super) const KIND: &str = "wind-tunnel";

/// Hands the router of a run to the bench.
#[derive(Default)]
pub(super) struct Door {
    router: SetOnce<Arc<dyn EndpointRouter>>,
}

impl Door {
    /// The router, once the run serves.
    pub(super) async fn router(&self) -> &Arc<dyn EndpointRouter> {
        self.router.wait().await
    }
}

#[async_trait]
impl Endpoint for Door {
    fn kind(&self) -> &str {
        KIND
    }

    async fn serve(&self, router: Arc<dyn EndpointRouter>) -> Result<(), BackendError> {
        // A run serves once.
        let _ = self.router.set(router);
        std::future::pending().await
    }
}
