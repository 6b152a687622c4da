//! The scripts of many cases on one listener.

use std::fmt;
use std::net::SocketAddr;
use std::sync::Arc;

use tokio::sync::OnceCell;
use windtunnel_api::Evidence;
use windtunnel_api::artifact::trace::ScriptProgress;
use windtunnel_api::surface::Surface;
use windtunnel_spi::{EvidenceUnavailable, Stamped};

use super::cases::{CaseMap, Cases};
use super::connection::Listening;
use super::error::ServerError;
use super::handler::Endpoint;
use crate::seam::{CaseScript, InferenceSeam};

/// Serves the scripts of many cases on one loopback listener, which starts with the first case.
///
/// ```
/// # use windtunnel_api::ReferenceDecision;
/// # use windtunnel_inference::{CaseScript, ScriptedServer};
/// # tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(async {
/// let server = ScriptedServer::new();
/// let script = CaseScript { turns: vec![vec![ReferenceDecision::says("done")]], ..CaseScript::default() };
/// let case = server.register(script).await.unwrap();
/// case.begin_turn();
/// assert!(case.base_url().starts_with("http://127.0.0.1:"), "an OPENAI_BASE_URL for the agent under test");
/// assert_eq!(case.progress().consumed, 0);
/// # });
/// ```
#[derive(Clone, Default)]
pub struct ScriptedServer {
    shared: Arc<Shared>,
}

#[derive(Default)]
struct Shared {
    cases: Arc<CaseMap>,
    listener: OnceCell<Listening>,
}

/// Its cases are nobody else's to see.
impl fmt::Debug for ScriptedServer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ScriptedServer").finish_non_exhaustive()
    }
}

impl ScriptedServer {
    /// A server that does not listen yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Serves a case under a path that nobody can guess, until the handle is dropped.
    ///
    /// # Errors
    /// There is no listener, and none could be started.
    pub async fn register(&self, script: CaseScript) -> Result<ScriptedCase, ServerError> {
        let start = || {
            let endpoint = Endpoint { cases: Cases::ByPath(Arc::clone(&self.shared.cases)), observer: None };
            Listening::start(SocketAddr::from(([127, 0, 0, 1], 0)), endpoint)
        };
        let address = self.shared.listener.get_or_try_init(start).await?.address;
        let seam = Arc::new(InferenceSeam::new(script));
        let key = self.shared.cases.insert(Arc::clone(&seam));
        let base_url = format!("http://{address}/s/{key}/v1");
        Ok(ScriptedCase { base_url, key, seam, server: Arc::clone(&self.shared) })
    }
}

/// A case that is being served. Dropping it ends that: later requests get a 404.
pub struct ScriptedCase {
    base_url: String,
    key: String,
    seam: Arc<InferenceSeam>,
    server: Arc<Shared>,
}

impl ScriptedCase {
    /// Where the model is, with `/v1`.
    pub fn base_url(&self) -> &str {
        &self.base_url
    }

    /// A user turn begins: decisions of the next list are served from here on.
    pub fn begin_turn(&self) {
        self.seam.begin_turn();
    }

    /// Back to the first state: nothing served, nothing seen.
    pub fn rewind(&self) {
        self.seam.rewind();
    }

    /// How far the script was consumed, and what went wrong.
    pub fn progress(&self) -> ScriptProgress {
        self.seam.progress()
    }

    /// What the first request for a decision since the last rewind told the model besides the conversation.
    pub fn surface(&self) -> Option<Surface> {
        self.seam.surface()
    }

    /// Takes what was seen since the last call; see [`InferenceSeam::drain_evidence`].
    ///
    /// # Errors
    /// More was sent than is kept.
    pub fn drain_evidence(&self) -> Result<Vec<Stamped<Evidence>>, EvidenceUnavailable> {
        self.seam.drain_evidence()
    }
}

impl Drop for ScriptedCase {
    fn drop(&mut self) {
        self.server.cases.remove(&self.key);
    }
}
