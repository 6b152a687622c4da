//! Back ends that answer from a script: the kind `mock` of providers, tooling and endpoints.
//!
//! Their answers come between two calls of the host ([`Pace::Stepped`](crate::backend::Pace)), in the order in which they were asked for, so
//! that a run is the same every time. An entry of a script may wait for an event of the run, whatever agent it happened to, by its
//! [`After`]. A key that means nothing is an error, since a script that is not followed shows nothing.
//!
//! # Provider
//!
//! Each chat takes the next turn, whichever agent asks and whether it waits or not; after the last turn comes the last turn again.
//!
//! # Tooling
//!
//! `tool_calls` is one list for all agents: each call, blocking or queued, uses up one entry, in the order of the calls. A call of another
//! tool than the entry's uses it up too, and fails at once; so does a call beyond the end. An entry whose `after` has not happened
//! yet delays the answer of its call, and nothing else: a queued call stays open, a blocking one waits until its agent is
//! stopped, and the next call gets the next entry.
//!
//! Updates of resources happen to subscribers. Each subscription goes through the updates of its list or resource from the first to the
//! last, one after the other, each as soon as its `after` has happened; then it stays open. An update that arrives for the first
//! time, at any subscription, also changes what is listed or read from then on. An `error` ends its subscription.
//!
//! # Endpoint
//!
//! A request is asked once its `after` has happened and an agent serves its model, in the order of the list among those whose time has
//! come. Its session does not hold up the others. Where an agent has too many sessions open, the client is refused and does not ask again.
//!
//! ```
//! use futures::FutureExt as _;
//! use omw::config::Params;
//! use omw::gate::Gates;
//! use omw::prelude::*;
//! use serde_json::json;
//!
//! let registries = Registries::standard();
//! let context = BuildContext { tunables: Default::default(), gates: Gates::default(), keep_everything: false };
//! let params = Params::of_value(json!({"turns": [{"content": "hello"}]}));
//! let provider = registries.providers.get("mock").unwrap()(&params, &context)?;
//!
//! let reply = provider.chat(ChatRequest::default()).now_or_never().unwrap()?;
//! assert_eq!(reply.content.as_deref(), Some("hello"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod after;
mod arguments;
mod build;
mod endpoint;
mod log;
mod provider;
mod shapes;
#[cfg(test)]
mod testkit;
mod text;
mod tooling;

use std::sync::Arc;

pub use after::After;
pub use arguments::Arguments;
pub use endpoint::{EndpointParams, RequestMessage, ScriptedRequest, SessionEnd};
pub use provider::{ProviderParams, ScriptedCall, Turn, Usage};
pub use shapes::{ResourceHints, ScriptedResource, ScriptedTemplate, ScriptedTool, ToolHints};
pub use tooling::{ContentUpdate, ListUpdate, ScriptedAnswer, ToolingParams};

use crate::registry::Registries;

/// The kind's name.
const KIND: &str = "mock";

/// Adds the kind `mock` to the providers, the tooling and the endpoints.
pub(crate) fn register(registries: &mut Registries) {
    registries
        .providers
        .add(KIND, |params, context| Ok(Arc::new(provider::MockProvider::new(params, context)?)));
    registries.tooling.add(KIND, |params, context| Ok(Arc::new(tooling::MockTooling::new(params, context)?)));
    registries
        .endpoints
        .add(KIND, |params, context| Ok(Arc::new(endpoint::MockEndpoint::new(params, context)?)));
}
