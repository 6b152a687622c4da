//! A model that says what its script says.

mod params;
mod snapshot;
#[cfg(test)]
mod tests;
mod turn;

use std::sync::{Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;
use serde_json::Value;

pub use params::{ProviderParams, ScriptedCall, Turn, Usage};

use super::KIND;
use super::build::build;
use super::log::Log;
use crate::backend::{BackendError, Pace};
use crate::config::Params;
use crate::exchange::ChatRequest;
use crate::host::trace::to_value;
use crate::provider::{DeltaStream, Provider};
use crate::registry::{BuildContext, FactoryError};
use snapshot::Snapshot;
use turn::Performance;

/// About how many bytes a tool takes. Nobody walks its schema to know.
const TOOL_SIZE: usize = 1024;

/// The models of a provider whose script names none.
const DEFAULT_MODEL: &str = "mock-model";

/// A provider that gives its turns one for each chat, whichever agent asks. After the last turn it repeats the last.
pub(super) struct MockProvider {
    models: Vec<String>,
    turns: Vec<Performance>,
    calls: Mutex<Log<Call>>,
}

/// One chat.
struct Call {
    request: ChatRequest,
    /// The index of the turn that answers it; none without a script.
    turn: Option<usize>,
}

impl MockProvider {
    /// Compiles the script.
    pub(super) fn new(params: &Params, context: &BuildContext) -> Result<Self, FactoryError> {
        let provider = build(params, &context.gates, |params: ProviderParams, compiler| {
            let models =
                if params.models.is_empty() { vec![DEFAULT_MODEL.to_owned()] } else { params.models };
            let turns = params
                .turns
                .into_iter()
                .enumerate()
                .map(|(index, turn)| Performance::compile(turn, index, compiler))
                .collect();
            Self { models, turns, calls: Mutex::new(Log::new(context.keep_everything)) }
        })?;
        Ok(provider)
    }

    /// Notes a chat and takes its turn.
    fn take(&self, request: ChatRequest) -> Option<&Performance> {
        let mut calls = self.lock();
        let turn = calls.total().min(self.turns.len().saturating_sub(1));
        let performance = self.turns.get(turn);
        calls.push(size(&request), Call { request, turn: performance.is_some().then_some(turn) });
        performance
    }

    fn lock(&self) -> MutexGuard<'_, Log<Call>> {
        self.calls.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// About how many bytes a request takes.
fn size(request: &ChatRequest) -> usize {
    let messages = request.messages.iter().map(|message| {
        let calls = message.tool_calls.iter().map(|call| size_of_val(call) + call.arguments.len());
        size_of_val(message) + message.content.as_ref().map_or(0, String::len) + calls.sum::<usize>()
    });
    messages.sum::<usize>() + request.tools.len() * TOOL_SIZE
}

#[async_trait]
impl Provider for MockProvider {
    fn kind(&self) -> &str {
        KIND
    }

    fn pace(&self) -> Pace {
        Pace::Stepped
    }

    async fn list_models(&self) -> Result<Vec<String>, BackendError> {
        Ok(self.models.clone())
    }

    async fn chat_stream(&self, request: ChatRequest) -> Result<DeltaStream, BackendError> {
        Ok(match self.take(request) {
            Some(performance) => performance.stream(),
            None => Box::pin(futures::stream::empty()),
        })
    }

    fn snapshot(&self) -> Option<Value> {
        Some(to_value(Snapshot::of(self, &self.lock())))
    }
}
