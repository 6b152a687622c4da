//! What brings the answers of back ends to agents.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;

use futures::{FutureExt as _, StreamExt as _};
use serde_json::Value;

use crate::backend::BackendError;
use crate::exchange::{ChatRequest, Event};
use crate::provider::Provider;
use crate::tooling::{CallMode, Tooling, UpdateStream};

use super::delivery::Delivery;
use super::trace::CloseReason;

/// Brings a streamed answer: `chat-delta` events, then `chat-end` or `error`.
pub(super) async fn chat(provider: Arc<dyn Provider>, request: ChatRequest, to: Delivery) {
    let mut deltas = match provider.chat_stream(request).await {
        Ok(deltas) => deltas,
        Err(error) => return to.fail(error.to_string()).await,
    };
    while let Some(delta) = deltas.next().await {
        match delta {
            Ok(delta) => {
                if !to.send(Event::ChatDelta(delta)).await {
                    return;
                }
            }
            Err(error) => return to.fail(error.to_string()).await,
        }
    }
    to.finish(Some(Event::ChatEnd), CloseReason::Ended).await;
}

/// Brings the result of a queued call: `tool-result` or `error`.
pub(super) async fn call(tooling: Arc<dyn Tooling>, tool: String, arguments: Value, to: Delivery) {
    match tooling.call_tool(&tool, arguments, CallMode::Queued).await {
        Ok(result) => to.finish(Some(Event::ToolResult(result)), CloseReason::Ended).await,
        Err(error) => to.fail(error.to_string()).await,
    }
}

/// Brings the updates of a server's list of resources, until it has no more.
pub(super) async fn resource_list(tooling: Arc<dyn Tooling>, to: Delivery) {
    updates(tooling.subscribe_resource_list().await, Event::ResourceListUpdated, to).await;
}

/// Brings the updates of a resource, until it has no more.
pub(super) async fn resource(tooling: Arc<dyn Tooling>, uri: String, to: Delivery) {
    updates(tooling.subscribe_resource(&uri).await, Event::ResourceUpdated, to).await;
}

async fn updates<T>(
    subscription: Result<UpdateStream<T>, BackendError>,
    event: fn(T) -> Event,
    to: Delivery,
) {
    let mut updates = match subscription {
        Ok(updates) => updates,
        Err(error) => return to.fail(error.to_string()).await,
    };
    while let Some(update) = updates.next().await {
        match update {
            Ok(update) => {
                if !to.send(event(update)).await {
                    return;
                }
            }
            Err(error) => return to.fail(error.to_string()).await,
        }
    }
    to.finish(None, CloseReason::Ended).await;
}

/// A pump whose panic, which is a bug of its back end, fails the source rather than leaving it open for ever.
pub(super) async fn guarded(what: String, pump: impl Future<Output = ()>, to: Delivery) {
    if AssertUnwindSafe(pump).catch_unwind().await.is_err() {
        to.fail(format!("{what} panicked")).await;
    }
}
