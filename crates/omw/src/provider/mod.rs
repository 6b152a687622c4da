//! Providers: models that an agent asks.

#[cfg(feature = "openai")]
pub mod openai;

use async_trait::async_trait;
use futures::StreamExt as _;
use futures::stream::BoxStream;
use serde_json::Value;

use crate::backend::{BackendError, Pace};
use crate::exchange::{ChatDelta, ChatReply, ChatRequest};

/// An answer as it comes. It ends after the last piece; an error is its last item.
pub type DeltaStream = BoxStream<'static, Result<ChatDelta, BackendError>>;

/// A model that agents ask. Dropping a future or a stream cancels the request.
///
/// A kind of one's own, for `kind = "parrot"`:
///
/// ```
/// use std::sync::Arc;
///
/// use async_trait::async_trait;
/// use futures::{StreamExt as _, stream};
/// use omw::prelude::*;
///
/// struct Parrot;
///
/// #[async_trait]
/// impl Provider for Parrot {
///     fn kind(&self) -> &str {
///         "parrot"
///     }
///
///     async fn list_models(&self) -> Result<Vec<String>, BackendError> {
///         Ok(vec!["parrot-1".to_owned()])
///     }
///
///     async fn chat_stream(&self, request: ChatRequest) -> Result<DeltaStream, BackendError> {
///         let content = request.messages.last().and_then(|message| message.content.clone());
///         let said = ChatDelta { content, finish_reason: Some("stop".to_owned()), ..ChatDelta::default() };
///         Ok(stream::iter([Ok(said)]).boxed())
///     }
/// }
///
/// let mut registries = Registries::deployment();
/// registries.providers.add("parrot", |_params, _context| Ok(Arc::new(Parrot)));
/// # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
/// let hello = Message { content: Some("hello".to_owned()), ..Message::default() };
/// let reply = Parrot.chat(ChatRequest { messages: vec![hello], ..ChatRequest::default() }).await?;
/// assert_eq!(reply.content.as_deref(), Some("hello"));
/// # Ok::<(), BackendError>(())
/// # }).unwrap();
/// ```
#[async_trait]
pub trait Provider: Send + Sync {
    /// The kind's name, as in `kind = "…"`.
    fn kind(&self) -> &str;

    /// Who drives its streams.
    fn pace(&self) -> Pace {
        Pace::Free
    }

    /// The names of its models.
    async fn list_models(&self) -> Result<Vec<String>, BackendError>;

    /// Asks, and gives the answer as it comes.
    async fn chat_stream(&self, request: ChatRequest) -> Result<DeltaStream, BackendError>;

    /// Asks, and gives the whole answer; by default the joined pieces of the stream.
    async fn chat(&self, request: ChatRequest) -> Result<ChatReply, BackendError> {
        let mut stream = self.chat_stream(request).await?;
        let mut reply = ChatReply::default();
        while let Some(delta) = stream.next().await {
            reply.push(delta?);
        }
        Ok(reply)
    }

    /// What it was asked and what it has left, for the dump of a test and the message of a failure. Scripted ones have it.
    fn snapshot(&self) -> Option<Value> {
        None
    }
}
