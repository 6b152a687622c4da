//! The product: a clerk who answers questions about orders and refunds them, with the tools of a desk.

use std::sync::Arc;

use async_trait::async_trait;
use rmcp::model::{CallToolRequestParams, CallToolResult, Tool};
use rmcp::service::{RoleClient, RunningService, ServiceError, ServiceExt};
use serde_json::{Map, Value, json};
use thiserror::Error;
use tokio::io::{AsyncRead, AsyncWrite};

/// Decisions of one turn after which the clerk gives up.
const MAX_DECISIONS: usize = 20;

// ANCHOR: seam
/// What decides: the one thing in the clerk that is not plain code, and so the one that is replaced in a self-test.
#[async_trait]
pub(crate) trait Mind: Send + Sync {
    /// What to do next. The conversation is written as OpenAI Chat Completions writes it.
    async fn decide(&self, conversation: &[Value], tools: &[Tool]) -> Result<Decision, ClerkError>;
}
// ANCHOR_END: seam

/// What a mind decides: calls to make, or without any the answer.
#[derive(Debug, Default)]
pub(crate) struct Decision {
    pub(crate) text: Option<String>,
    pub(crate) calls: Vec<Call>,
}

/// A call of one of the desk's tools.
#[derive(Debug)]
pub(crate) struct Call {
    pub(crate) id: String,
    pub(crate) tool: String,
    pub(crate) arguments: Map<String, Value>,
}

/// Why there is no answer.
#[derive(Debug, Error)]
pub(crate) enum ClerkError {
    #[error("the desk cannot be opened: {0}")]
    Desk(String),
    #[error("a tool of the desk broke: {0}")]
    Tool(#[from] ServiceError),
    #[error("no decision: {0}")]
    Mind(String),
    #[error("no answer after {MAX_DECISIONS} decisions")]
    Endless,
}

/// A clerk in one conversation.
pub(crate) struct Clerk {
    mind: Arc<dyn Mind>,
    desk: Desk,
    conversation: Vec<Value>,
}

impl Clerk {
    pub(crate) fn new(mind: Arc<dyn Mind>, desk: Desk) -> Self {
        Self { mind, desk, conversation: Vec::new() }
    }

    /// One turn: decides, calls, and decides again until there is an answer.
    pub(crate) async fn answer(
        &mut self,
        said: impl IntoIterator<Item = Value>,
    ) -> Result<String, ClerkError> {
        self.conversation.extend(said);
        for _ in 0..MAX_DECISIONS {
            let decision = self.mind.decide(&self.conversation, &self.desk.tools).await?;
            self.conversation.push(decision.message());
            if decision.calls.is_empty() {
                return Ok(decision.text.unwrap_or_default());
            }
            for call in decision.calls {
                let id = call.id.clone();
                let result = self.desk.call(call).await?;
                self.conversation.push(json!({"role": "tool", "tool_call_id": id, "content": result}));
            }
        }
        Err(ClerkError::Endless)
    }
}

impl Decision {
    fn message(&self) -> Value {
        let mut message = json!({"role": "assistant", "content": self.text});
        if !self.calls.is_empty() {
            let call = |call: &Call| {
                let arguments = Value::from(call.arguments.clone()).to_string();
                json!({"id": call.id, "type": "function", "function": {"name": call.tool, "arguments": arguments}})
            };
            message["tool_calls"] = self.calls.iter().map(call).collect();
        }
        message
    }
}

/// The clerk's tools: an MCP server, wherever it runs.
pub(crate) struct Desk {
    server: RunningService<RoleClient, ()>,
    tools: Vec<Tool>,
}

impl Desk {
    pub(crate) async fn open(
        connection: impl AsyncRead + AsyncWrite + Send + Unpin + 'static,
    ) -> Result<Self, ClerkError> {
        let server = ().serve(connection).await.map_err(|error| ClerkError::Desk(error.to_string()))?;
        let tools = server.list_all_tools().await?;
        Ok(Self { server, tools })
    }

    /// What the mind is told of a call. A refused one is for it to deal with; a broken connection is not.
    async fn call(&self, call: Call) -> Result<String, ClerkError> {
        let request = CallToolRequestParams::new(call.tool).with_arguments(call.arguments);
        match self.server.call_tool(request).await {
            Ok(result) => Ok(text_of(&result)),
            Err(ServiceError::McpError(refusal)) => Ok(format!("error: {}", refusal.message)),
            Err(broken) => Err(broken.into()),
        }
    }
}

fn text_of(result: &CallToolResult) -> String {
    let texts = result.content.iter().filter_map(|block| Some(block.as_text()?.text.as_str()));
    let text = texts.collect::<Vec<_>>().join("\n");
    if result.is_error == Some(true) { format!("error: {text}") } else { text }
}
