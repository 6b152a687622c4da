//! The endpoint: how clients reach agents, under model names that the agents serve.

#[cfg(feature = "openai")]
pub mod openai;

use std::sync::Arc;

use async_trait::async_trait;
use futures::stream::BoxStream;
use serde_json::Value;

use crate::backend::{BackendError, Pace};
use crate::exchange::{ChatDelta, Message, Tool};

/// What a client asks.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct EndpointRequest {
    /// The model name that an agent serves.
    pub model: String,
    /// The conversation.
    pub messages: Vec<Message>,
    /// The tools that the client offers.
    pub tools: Vec<Tool>,
    /// Further members of the request.
    pub params: Option<Value>,
}

/// Why the agent's side of a session ended early.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct SessionError(pub String);

/// A client's side of a session: what the agent streams, in order.
///
/// `deltas` gives a piece with a finish reason last, or an error when the agent stops serving the model or its run ends; then it
/// ends. What the agent hears of the end is up to this side:
///
/// | this side | `endpoint-session-end` event of the agent |
/// |---|---|
/// | calls [`SessionCloser::close`], before or after the end of `deltas` | without an error |
/// | drops `deltas` before it has taken the last piece | `endpoint session aborted` |
/// | drops `deltas` after it has taken the last piece, and never closes | none |
/// | takes the error of an agent that stopped serving | with that error, whatever this side does |
///
/// So a server closes the session once its client has had the whole answer.
pub struct Session {
    /// Names the session.
    pub id: String,
    /// What the agent answers.
    pub deltas: BoxStream<'static, Result<ChatDelta, SessionError>>,
    /// Ends the session without an error. Dropping it does nothing.
    pub closer: SessionCloser,
}

/// Ends a session from the client's side as one that is content with what it has.
pub struct SessionCloser(pub(crate) Box<dyn FnOnce() + Send>);

impl SessionCloser {
    /// What closing does, for a router.
    pub fn new(close: impl FnOnce() + Send + 'static) -> Self {
        Self(Box::new(close))
    }

    /// The agent gets its session end without an error, unless the session is over already. Does not block.
    pub fn close(self) {
        (self.0)();
    }
}

/// A request that reaches no agent.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RouteError {
    /// Nobody serves the model.
    #[error("model \"{0}\" is not served")]
    UnknownModel(String),
    /// The model has too many open sessions, with the requests that wait for room in the inbox of its agent. Other models have their own.
    #[error("model \"{0}\" has too many open sessions")]
    TooManySessions(String),
    /// The run is ending.
    #[error("the agents are shutting down")]
    ShuttingDown,
}

/// The agents, as an endpoint sees them.
#[async_trait]
pub trait EndpointRouter: Send + Sync {
    /// The models that are served now, sorted.
    fn models(&self) -> Vec<String>;

    /// Waits until a model is served.
    async fn served(&self, model: &str);

    /// Hands a request to the agent that serves its model, waiting for room in its inbox.
    ///
    /// # Errors
    /// [`UnknownModel`](RouteError::UnknownModel) comes only once the model is withdrawn, so that [`served`](Self::served) waits after it.
    async fn open(&self, request: EndpointRequest) -> Result<Session, RouteError>;
}

/// A way for clients to reach agents.
///
/// A kind of one's own, for `kind = "once"`: it asks one question and logs the answer.
///
/// ```
/// use std::sync::Arc;
///
/// use async_trait::async_trait;
/// use futures::StreamExt as _;
/// use omw::prelude::*;
///
/// struct Once;
///
/// #[async_trait]
/// impl Endpoint for Once {
///     fn kind(&self) -> &str {
///         "once"
///     }
///
///     async fn serve(&self, router: Arc<dyn EndpointRouter>) -> Result<(), BackendError> {
///         router.served("desk").await;
///         let request = EndpointRequest { model: "desk".to_owned(), ..EndpointRequest::default() };
///         let mut session = router.open(request).await.map_err(BackendError::new)?;
///         while let Some(delta) = session.deltas.next().await {
///             println!("{:?}", delta.map_err(BackendError::new)?.content);
///         }
///         session.closer.close();
///         Ok(())
///     }
/// }
///
/// let mut registries = Registries::deployment();
/// registries.endpoints.add("once", |_params, _context| Ok(Arc::new(Once)));
/// assert!(registries.endpoints.get("once").is_some());
/// ```
#[async_trait]
pub trait Endpoint: Send + Sync {
    /// The kind's name, as in `kind = "…"`.
    fn kind(&self) -> &str;

    /// Who drives its serving.
    fn pace(&self) -> Pace {
        Pace::Free
    }

    /// Gets ready before any agent starts: binds its address.
    async fn prepare(&self) -> Result<(), BackendError> {
        Ok(())
    }

    /// Serves until the future is dropped, or until it has nothing more to do.
    async fn serve(&self, router: Arc<dyn EndpointRouter>) -> Result<(), BackendError>;

    /// Waits, for a moment at most, until clients have what agents said to them. To be called when it serves no more.
    async fn close(&self) {}

    /// What it asked and was answered, for the dump of a test and the message of a failure. Scripted ones have it.
    fn snapshot(&self) -> Option<Value> {
        None
    }
}
