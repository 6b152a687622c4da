//! Asking a server itself which tools it serves.

use serde_json::value::RawValue;
use serde_json::{Value, json};
use windtunnel_spi::ToolError;

use crate::agent::{AgentLink, lines};
use crate::endpoint::{Endpoint, Visitor};
use crate::message::{self, METHOD_NOT_FOUND, Message, PROTOCOL_VERSION, Reply, error_text};
use crate::outbox::Inbox;

/// Pages of a list that are asked for.
const MAX_PAGES: usize = 1000;

/// The definitions of the tools: as last listed to anybody, else asked for in a short session of our own.
pub(crate) async fn tools(endpoint: &Endpoint) -> Result<Vec<Value>, ToolError> {
    if let Some(tools) = endpoint.recorder().tools() {
        return Ok(tools);
    }
    let (sink, inbox) = lines::sink(endpoint.limits().queued_bytes);
    let link = endpoint.open(sink, Visitor::Bench).await?;
    let limit = endpoint.world().limits.start;
    match tokio::time::timeout(
        limit,
        Asker { server: endpoint.recorder().server().to_owned(), link, inbox, last_id: 0 }.list(endpoint),
    )
    .await
    {
        Ok(listed) => listed.map_err(|why| endpoint.error(why)),
        Err(_) => Err(endpoint.error(format!(
            "it did not say within {} s (timeouts.start_s) which tools it serves",
            limit.as_secs_f64()
        ))),
    }
}

struct Asker {
    server: String,
    link: AgentLink,
    inbox: Inbox<String>,
    last_id: u64,
}

/// A refusal with its code.
struct Refused {
    code: i64,
    why: String,
}

impl Asker {
    async fn list(mut self, endpoint: &Endpoint) -> Result<Vec<Value>, String> {
        let client = json!({ "name": "wind-tunnel", "version": env!("CARGO_PKG_VERSION") });
        let params = json!({ "protocolVersion": PROTOCOL_VERSION, "capabilities": {}, "clientInfo": client });
        self.ask("initialize", &params)
            .await?
            .map_err(|refused| format!("it cannot be initialised: {}", refused.why))?;
        self.link.send(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#);
        let mut params = json!({});
        for _ in 0..MAX_PAGES {
            let page = match self.ask("tools/list", &params).await? {
                Ok(page) => page,
                Err(refused) if refused.code == i64::from(METHOD_NOT_FOUND) => return Ok(Vec::new()),
                Err(refused) => return Err(format!("it does not list its tools: {}", refused.why)),
            };
            // The recorder has read along, and knows the list once its last page went by.
            let Some(cursor) = page.get("nextCursor").and_then(Value::as_str) else {
                let complete = endpoint.recorder().tools();
                return complete.ok_or_else(|| format!("what it lists is no list of tools: {page}"));
            };
            params = json!({ "cursor": cursor });
        }
        Err(format!("its list of tools does not end after {MAX_PAGES} pages"))
    }

    /// Errors of the relay name the server, which the error that they end up in does as well.
    fn in_short(&self, why: &str) -> String {
        let named = format!("tool server {} ", self.server);
        why.strip_prefix(&named).map_or_else(|| why.to_owned(), |rest| format!("it {rest}"))
    }

    async fn ask(&mut self, method: &str, params: &Value) -> Result<Result<Value, Refused>, String> {
        self.last_id += 1;
        let id = self.last_id.to_string();
        self.link.send(&format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"{method}","params":{params}}}"#));
        while let Some(text) = self.inbox.recv().await {
            match Message::parse(&text)? {
                Message::Response { id: Some(answered), reply } if answered.get() == id => {
                    return Ok(match reply {
                        Reply::Result(raw) => {
                            Ok(serde_json::from_str(raw).map_err(|error| error.to_string())?)
                        }
                        Reply::Error(raw) => {
                            Err(Refused { code: code(raw), why: self.in_short(&error_text(raw)) })
                        }
                    });
                }
                Message::Request { id, method, .. } => {
                    let answer = match &*method {
                        "ping" => message::result(id.get(), "{}"),
                        _ => message::error(id.get(), METHOD_NOT_FOUND, "the bench only asks for the tools"),
                    };
                    self.link.send(&answer);
                }
                _ => {}
            }
        }
        Err("its session ended before it said which tools it serves".to_owned())
    }
}

fn code(error: &RawValue) -> i64 {
    let error: Value = serde_json::from_str(error.get()).unwrap_or_default();
    error.get("code").and_then(Value::as_i64).unwrap_or_default()
}
