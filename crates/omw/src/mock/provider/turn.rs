//! A turn, ready to be played.

use futures::stream;
use windtunnel_doc::{Fault, Path};

use super::params::{ScriptedCall, Turn};
use crate::backend::BackendError;
use crate::exchange::{ChatDelta, ToolCallDelta};
use crate::host::trace::to_value;
use crate::mock::build::Compiler;
use crate::mock::text::quoted;
use crate::provider::DeltaStream;

/// What a turn sends.
pub(super) enum Performance {
    /// Pieces, and then maybe an error.
    Says { deltas: Vec<ChatDelta>, error: Option<BackendError> },
    /// Nothing, for ever.
    Pending,
}

impl Performance {
    pub(super) fn compile(turn: Turn, index: usize, compiler: &mut Compiler<'_>) -> Self {
        if turn.tool_call.is_some() && !turn.tool_calls.is_empty() {
            let at = Path::root().then("turns").then(index).then("tool_call");
            let fault = Fault::new(at, "a turn has either `tool_calls` or the older `tool_call`").at_key();
            compiler.fault(fault.with_help("put the call into the list `tool_calls`"));
        }
        if turn.pending {
            return Self::Pending;
        }
        let is_silent = turn.content.is_none()
            && turn.reasoning.is_none()
            && turn.tool_calls.is_empty()
            && turn.tool_call.is_none()
            && turn.usage.is_none();
        let error = turn.error.as_ref().map(BackendError::new);
        // A turn that just fails has no last piece that would tell of a success.
        let deltas = if is_silent && error.is_some() { Vec::new() } else { deltas(turn) };
        Self::Says { deltas, error }
    }

    /// The turn as a stream.
    pub(super) fn stream(&self) -> DeltaStream {
        match self {
            Self::Says { deltas, error } => {
                let items: Vec<_> =
                    deltas.iter().cloned().map(Ok).chain(error.iter().cloned().map(Err)).collect();
                Box::pin(stream::iter(items))
            }
            Self::Pending => Box::pin(stream::pending()),
        }
    }

    /// The pieces that it sends.
    pub(super) fn deltas(&self) -> &[ChatDelta] {
        match self {
            Self::Says { deltas, .. } => deltas,
            Self::Pending => &[],
        }
    }

    /// What it does, in a few words.
    pub(super) fn summary(&self) -> String {
        let (deltas, error) = match self {
            Self::Says { deltas, error } => (deltas, error),
            Self::Pending => return "never answers".to_owned(),
        };
        let said = deltas.iter().filter_map(|delta| delta.content.as_deref()).map(quoted);
        let called =
            deltas.iter().flat_map(|delta| &delta.tool_calls).filter_map(|call| call.name.as_deref());
        let called = called.map(|name| format!("calls {name}"));
        let failed = error.iter().map(|error| format!("fails with {}", quoted(&error.to_string())));
        let parts: Vec<_> = said.chain(called).chain(failed).collect();
        if parts.is_empty() { "says nothing".to_owned() } else { parts.join(", ") }
    }
}

fn deltas(turn: Turn) -> Vec<ChatDelta> {
    let thought = turn.reasoning.map(|text| ChatDelta { reasoning: Some(text), ..ChatDelta::default() });
    let calls = turn.tool_calls.into_iter().chain(turn.tool_call);
    let tool_calls: Vec<_> = calls.zip(0..).map(|(call, index)| fragment(call, index)).collect();
    let finish_reason = if tool_calls.is_empty() { "stop" } else { "tool_calls" };
    let last = ChatDelta {
        content: turn.content,
        reasoning: None,
        tool_calls,
        finish_reason: Some(finish_reason.to_owned()),
        usage: turn.usage.map(|usage| to_value(usage).to_string()),
    };
    thought.into_iter().chain([last]).collect()
}

fn fragment(call: ScriptedCall, index: u32) -> ToolCallDelta {
    ToolCallDelta {
        index,
        id: Some(call.id),
        name: Some(call.name),
        arguments: Some(call.arguments.into_text()),
    }
}
