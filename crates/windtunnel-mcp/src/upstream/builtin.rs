//! MCP as the built-in servers speak it: tools and nothing else, one message in, at most one out.

use std::sync::Arc;

use serde_json::value::RawValue;
use serde_json::{Value, json};

use crate::message::{
    self, INVALID_PARAMS, INVALID_REQUEST, METHOD_NOT_FOUND, Message, PARSE_ERROR, PROTOCOL_VERSION, Params,
    error,
};
use crate::outbox::Inbox;
use crate::relay::{Outgoing, OutgoingKind, Session};

/// The protocol versions served, the newest first.
const VERSIONS: &[&str] = &[PROTOCOL_VERSION, "2025-06-18", "2025-03-26", "2024-11-05"];

/// Tools that live in this process.
pub(super) trait BuiltIn: Send + Sync + 'static {
    /// The kind of server, as it introduces itself.
    const KIND: &'static str;

    /// Whether a call may take as long as a disk does.
    const WAITS: bool;

    /// The result of `tools/list`, on one line.
    fn list(&self) -> &str;

    /// The names in it.
    fn names(&self) -> Vec<&str>;

    /// Makes a call; none if there is no such tool.
    fn call(&self, tool: &str, arguments: &str) -> Option<Called>;
}

/// How a call ended.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Called {
    /// The `result` of JSON-RPC.
    pub(super) result: Value,
    /// What else the evidence has to know.
    pub(super) note: Note,
}

impl Called {
    /// A text for the model.
    pub(super) fn text(text: &str) -> Self {
        Self { result: json!({ "content": [{ "type": "text", "text": text }] }), note: None }
    }

    /// A text with the value that it is the JSON of; only objects can be structured content.
    pub(super) fn structured(value: &Value) -> Self {
        let mut called = Self::text(&value.to_string());
        called.result["structuredContent"] = value.clone();
        called
    }

    /// The same as an error of the tool.
    pub(super) fn failed(mut self) -> Self {
        self.result["isError"] = Value::Bool(true);
        self
    }
}

/// Serves one session, one message after the other.
pub(super) async fn serve<T: BuiltIn>(tools: Arc<T>, mut inbox: Inbox<Outgoing>, session: Arc<Session>) {
    loop {
        let outgoing = tokio::select! {
            biased;
            () = session.cancel().cancelled() => return,
            outgoing = inbox.recv() => outgoing,
        };
        let Some(Outgoing { text, kind }) = outgoing else { return };
        let answer = if may_wait::<T>(&text) {
            let tools = Arc::clone(&tools);
            match tokio::task::spawn_blocking(move || answer(tools.as_ref(), &text)).await {
                Ok(answer) => answer,
                Err(error) => {
                    return session.gone(&format!("tool server {} failed: {error}", session.server_name()));
                }
            }
        } else {
            answer(tools.as_ref(), &text)
        };
        let Some((answer, note)) = answer else { continue };
        if let (OutgoingKind::Request(id), Some((key, value))) = (kind, note) {
            session.note(id, key, &value);
        }
        session.server_sends(&answer, None);
    }
}

fn may_wait<T: BuiltIn>(text: &str) -> bool {
    T::WAITS && text.contains("tools/call")
}

/// What the evidence has to know of a call besides its result, under its key.
type Note = Option<(&'static str, Value)>;

/// The answer to a message; none to notifications and responses.
fn answer(tools: &impl BuiltIn, text: &str) -> Option<(String, Note)> {
    match Message::parse(text) {
        Ok(Message::Request { id, method, params }) => Some(match result(tools, &method, params) {
            Ok((result, note)) => (message::result(id.get(), &result), note),
            Err((code, why)) => (error(id.get(), code, &why), None),
        }),
        Ok(_) => None,
        Err(why) => Some((error("null", PARSE_ERROR, &why), None)),
    }
}

fn result<T: BuiltIn>(
    tools: &T,
    method: &str,
    params: Option<&RawValue>,
) -> Result<(String, Note), (i32, String)> {
    let plain = |result: String| Ok((result, None));
    match method {
        "initialize" => plain(initialize(T::KIND, params)),
        "ping" => plain("{}".to_owned()),
        "tools/list" => plain(tools.list().to_owned()),
        "tools/call" => {
            let params = Params::read(params).map_err(|why| (INVALID_PARAMS, why))?;
            let name =
                message::string(params.name).ok_or((INVALID_REQUEST, "`name` is missing".to_owned()))?;
            let arguments = params.arguments.map_or("{}", RawValue::get);
            match tools.call(&name, arguments) {
                Some(Called { result, note }) => Ok((result.to_string(), note)),
                None => Err((INVALID_PARAMS, unknown(&name, &tools.names()))),
            }
        }
        _ => Err((METHOD_NOT_FOUND, format!("method {method} is not served: this server has tools only"))),
    }
}

fn unknown(name: &str, names: &[&str]) -> String {
    let hint = match windtunnel_doc::nearest(name, names.iter().copied()) {
        Some(near) => format!("did you mean `{near}`?"),
        None if names.is_empty() => "there are none".to_owned(),
        None => format!("there are {}", names.join(", ")),
    };
    format!("unknown tool `{name}`; {hint}")
}

fn initialize(kind: &str, params: Option<&RawValue>) -> String {
    #[derive(serde::Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Initialize<'a> {
        protocol_version: &'a str,
    }
    let asked = params.and_then(|raw| serde_json::from_str::<Initialize<'_>>(raw.get()).ok());
    let served = asked.and_then(|asked| VERSIONS.iter().find(|version| **version == asked.protocol_version));
    let version = served.or(VERSIONS.first()).copied().unwrap_or_default();
    json!({
        "protocolVersion": version,
        "capabilities": { "tools": { "listChanged": false } },
        "serverInfo": { "name": kind, "version": env!("CARGO_PKG_VERSION") },
    })
    .to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One tool, which says what it was called with and notes it.
    struct Echo;

    impl BuiltIn for Echo {
        const KIND: &'static str = "echo";
        const WAITS: bool = false;

        fn list(&self) -> &'static str {
            r#"{"tools":[{"name":"echo"}]}"#
        }

        fn names(&self) -> Vec<&str> {
            vec!["echo"]
        }

        fn call(&self, tool: &str, arguments: &str) -> Option<Called> {
            let note = Some(("said", json!(arguments)));
            (tool == "echo").then(|| Called { note, ..Called::text(arguments) })
        }
    }

    fn ask(request: &Value) -> Value {
        serde_json::from_str(&answer(&Echo, &request.to_string()).unwrap().0).unwrap()
    }

    #[test]
    fn the_asked_version_is_spoken_if_it_is_known() {
        for (asked, expected) in [("2025-03-26", "2025-03-26"), ("1999-01-01", PROTOCOL_VERSION)] {
            let answer = ask(&json!({"id": 1, "method": "initialize", "params": {"protocolVersion": asked}}));
            assert_eq!(answer["result"]["protocolVersion"], expected);
            assert_eq!(answer["result"]["serverInfo"]["name"], "echo");
        }
    }

    #[test]
    fn tools_are_listed_and_called_and_a_ping_is_answered() {
        assert_eq!(
            ask(&json!({"id": 1, "method": "ping"})),
            json!({"jsonrpc": "2.0", "id": 1, "result": {}})
        );
        let listed = ask(&json!({"id": "a", "method": "tools/list", "params": {}}));
        assert_eq!(listed["result"]["tools"][0]["name"], "echo");
        let call =
            json!({"id": 1, "method": "tools/call", "params": {"name": "echo", "arguments": {"a": 1}}});
        let (text, note) = answer(&Echo, &call.to_string()).unwrap();
        assert!(text.contains(r#"{\"a\":1}"#), "{text}");
        assert_eq!(note, Some(("said", json!(r#"{"a":1}"#))));
    }

    #[test]
    fn an_unknown_tool_or_method_gets_a_hint() {
        for (name, hint) in [("ecko", "did you mean `echo`?"), ("search", "there are echo")] {
            let answer = ask(&json!({"id": 1, "method": "tools/call", "params": {"name": name}}));
            assert_eq!(answer["error"]["message"], format!("unknown tool `{name}`; {hint}"));
        }
        let answer = ask(&json!({"id": 1, "method": "prompts/list"}));
        assert_eq!(answer["error"]["code"], METHOD_NOT_FOUND);
        assert_eq!(super::answer(&Echo, r#"{"method":"notifications/initialized"}"#), None);
    }
}
