//! A lean MCP client over a connection inside this process.
//!
//! It speaks what a loop needs (initialize, list tools, call tools) in newline-delimited JSON-RPC. Whoever waits for an
//! answer drives both directions, so that a full pipe in one never blocks the other, and no task of its own is needed.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use serde_json::{Value, json};
use thiserror::Error;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream, ReadHalf, WriteHalf};
use windtunnel_mcp::PROTOCOL_VERSION;

/// The longest message that is read, in bytes.
const MAX_LINE: usize = 64 * 1024 * 1024;

/// Pages of a tool list that are asked for.
const MAX_PAGES: usize = 100;

/// JSON-RPC's code for a method that is not there.
const METHOD_NOT_FOUND: i32 = -32601;

/// A connection to one tool server.
pub(super) struct McpClient {
    reader: BufReader<ReadHalf<DuplexStream>>,
    writer: WriteHalf<DuplexStream>,
    /// The line that is being read.
    line: Vec<u8>,
    /// Bytes that wait to be written.
    outgoing: Vec<u8>,
    next_id: u64,
}

/// What went wrong with a connection or a request.
#[derive(Debug, Error)]
pub(super) enum McpError {
    /// The other end is gone, and nothing of the request reached it.
    #[error("the connection was closed before the request")]
    NotSent,
    #[error("the connection was closed before the answer")]
    Closed,
    #[error("the connection broke: {0}")]
    Io(#[from] std::io::Error),
    #[error("a message is longer than {} MiB", MAX_LINE / (1024 * 1024))]
    TooLong,
    #[error("a message is no JSON-RPC: {0}")]
    NoJsonRpc(serde_json::Error),
    #[error("the answer to {method} is not one: {reason}")]
    BadAnswer { method: &'static str, reason: String },
    #[error("{message} (error {code})")]
    Refused { code: i64, message: String },
    #[error("the tool list has more than {MAX_PAGES} pages")]
    EndlessList,
}

#[derive(Serialize)]
struct Request<'a, P> {
    jsonrpc: &'static str,
    id: u64,
    method: &'a str,
    params: P,
}

/// Arguments as the model wrote them: a JSON object, known to be one.
#[derive(Debug, Serialize)]
pub(super) struct Call<'a> {
    pub(super) name: &'a str,
    pub(super) arguments: &'a RawValue,
}

/// Anything that comes in.
#[derive(Deserialize)]
struct Incoming {
    #[serde(default)]
    id: Option<Value>,
    #[serde(default)]
    method: Option<String>,
    #[serde(default)]
    result: Option<Value>,
    #[serde(default)]
    error: Option<ErrorObject>,
}

#[derive(Deserialize)]
struct ErrorObject {
    #[serde(default)]
    code: i64,
    #[serde(default)]
    message: String,
}

type Outcome = Result<Value, McpError>;

impl McpClient {
    /// Says hello on a fresh connection.
    pub(super) async fn initialize(stream: DuplexStream) -> Result<Self, McpError> {
        let (reader, writer) = tokio::io::split(stream);
        let reader = BufReader::new(reader);
        let mut client = Self { reader, writer, line: Vec::new(), outgoing: Vec::new(), next_id: 1 };
        let hello = json!({
            "protocolVersion": PROTOCOL_VERSION,
            "capabilities": {},
            "clientInfo": {"name": "wind-tunnel-loop", "version": env!("CARGO_PKG_VERSION")},
        });
        client.ask("initialize", &hello).await?;
        client.push(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}))?;
        Ok(client)
    }

    /// The definitions of all tools, in the server's order.
    pub(super) async fn list_tools(&mut self) -> Result<Vec<Value>, McpError> {
        let mut tools = Vec::new();
        let mut params = json!({});
        for _ in 0..MAX_PAGES {
            let mut page = self.ask("tools/list", &params).await?;
            match page.get_mut("tools").map(Value::take) {
                Some(Value::Array(listed)) => tools.extend(listed),
                _ => {
                    return Err(McpError::BadAnswer {
                        method: "tools/list",
                        reason: "it has no list `tools`".to_owned(),
                    });
                }
            }
            match page.get_mut("nextCursor").map(Value::take) {
                Some(Value::String(cursor)) => params = json!({"cursor": cursor}),
                _ => return Ok(tools),
            }
        }
        Err(McpError::EndlessList)
    }

    /// Makes calls at the same time. Results come in the order of the calls.
    pub(super) async fn call(&mut self, calls: &[Call<'_>]) -> Result<Vec<Outcome>, McpError> {
        let first_id = self.next_id;
        for call in calls {
            self.request("tools/call", call)?;
        }
        let mut outcomes = self.answers(first_id, calls.len()).await?;
        let missing = || Err(McpError::Closed);
        Ok((first_id..self.next_id).map(|id| outcomes.remove(&id).unwrap_or_else(missing)).collect())
    }

    async fn ask(&mut self, method: &'static str, params: &Value) -> Outcome {
        let id = self.request(method, params)?;
        self.answers(id, 1).await?.remove(&id).unwrap_or(Err(McpError::Closed))
    }

    /// Puts a request into the outgoing bytes; its id.
    fn request(&mut self, method: &str, params: impl Serialize) -> Result<u64, McpError> {
        let id = self.next_id;
        self.next_id += 1;
        self.push(&Request { jsonrpc: "2.0", id, method, params })?;
        Ok(id)
    }

    fn push(&mut self, message: &impl Serialize) -> Result<(), McpError> {
        serde_json::to_writer(&mut self.outgoing, message).map_err(McpError::NoJsonRpc)?;
        self.outgoing.push(b'\n');
        Ok(())
    }

    /// Reads and writes until the requests from `first_id` on, `count` of them, are answered.
    async fn answers(&mut self, first_id: u64, count: usize) -> Result<HashMap<u64, Outcome>, McpError> {
        let mut outcomes = HashMap::with_capacity(count);
        let mut anything_sent = false;
        while outcomes.len() < count {
            tokio::select! {
                written = self.writer.write(&self.outgoing), if !self.outgoing.is_empty() => match written {
                    Ok(0) | Err(_) if !anything_sent => return Err(McpError::NotSent),
                    Ok(written) => {
                        self.outgoing.drain(..written);
                        anything_sent = true;
                    }
                    Err(error) => return Err(error.into()),
                },
                filled = self.reader.fill_buf() => {
                    let bytes = filled?;
                    if bytes.is_empty() {
                        return Err(if anything_sent { McpError::Closed } else { McpError::NotSent });
                    }
                    let end = bytes.iter().position(|byte| *byte == b'\n');
                    let taken = end.map_or(bytes.len(), |end| end + 1);
                    self.line.extend(bytes.iter().take(taken));
                    self.reader.consume(taken);
                    if self.line.len() > MAX_LINE {
                        return Err(McpError::TooLong);
                    }
                    if end.is_some() {
                        let line = std::mem::take(&mut self.line);
                        if let Some((id, outcome)) = self.incoming(&line)?
                            && (first_id..self.next_id).contains(&id)
                        {
                            outcomes.insert(id, outcome);
                        }
                    }
                }
            }
        }
        Ok(outcomes)
    }

    /// Handles one message; an answer comes back with the id of its request.
    fn incoming(&mut self, line: &[u8]) -> Result<Option<(u64, Outcome)>, McpError> {
        if line.trim_ascii().is_empty() {
            return Ok(None);
        }
        let message: Incoming = serde_json::from_slice(line).map_err(McpError::NoJsonRpc)?;
        match (message.method, message.id) {
            (Some(method), Some(id)) => {
                self.serve(&method, &id)?;
                Ok(None)
            }
            (None, Some(id)) => {
                let outcome = match message.error {
                    Some(ErrorObject { code, message }) => Err(McpError::Refused { code, message }),
                    None => Ok(message.result.unwrap_or_default()),
                };
                Ok(id.as_u64().map(|id| (id, outcome)))
            }
            // A notification: lists, progress and logs do not concern a loop.
            (_, None) => Ok(None),
        }
    }

    /// Answers a request of the server. It was told that this client can do nothing, so all but a ping is refused.
    fn serve(&mut self, method: &str, id: &Value) -> Result<(), McpError> {
        let answer = if method == "ping" {
            json!({"jsonrpc": "2.0", "id": id, "result": {}})
        } else {
            let message = format!("the client does not offer {method}");
            json!({"jsonrpc": "2.0", "id": id, "error": {"code": METHOD_NOT_FOUND, "message": message}})
        };
        self.push(&answer)
    }
}

/// What the model is told of a call's outcome: the texts, else the structured content; errors are marked as such.
pub(super) fn text_of(outcome: &Outcome) -> String {
    let result = match outcome {
        Ok(result) => result,
        Err(error) => return format!("error: {error}"),
    };
    let content = result.get("content").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let part = |part: &Value| match part.get("text").and_then(Value::as_str) {
        Some(text) => text.to_owned(),
        None => part.to_string(),
    };
    let mut text = content.iter().map(part).collect::<Vec<_>>().join("\n");
    if text.is_empty()
        && let Some(structured) = result.get("structuredContent")
    {
        text = structured.to_string();
    }
    if result.get("isError").and_then(Value::as_bool) == Some(true) { format!("error: {text}") } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outcomes_become_the_text_that_the_model_reads() {
        let refused = McpError::Refused { code: -32602, message: "unknown tool".to_owned() };
        for (outcome, text) in [
            (
                Ok(json!({"content": [{"type": "text", "text": "75"}, {"type": "text", "text": "76"}]})),
                "75\n76",
            ),
            (Ok(json!({"content": [], "structuredContent": {"n": 75}})), r#"{"n":75}"#),
            (Ok(json!({"content": [{"type": "text", "text": "no"}], "isError": true})), "error: no"),
            (
                Ok(json!({"content": [{"type": "image", "data": "AA=="}]})),
                r#"{"type":"image","data":"AA=="}"#,
            ),
            (Ok(json!({})), ""),
            (Err(refused), "error: unknown tool (error -32602)"),
            (Err(McpError::Closed), "error: the connection was closed before the answer"),
        ] {
            assert_eq!(text_of(&outcome), text);
        }
    }
}
