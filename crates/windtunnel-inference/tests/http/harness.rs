//! A case on a real server, and raw requests to it.

use std::time::Duration;

use reqwest::{Response, StatusCode};
use serde_json::{Map, Value, json};
use windtunnel_api::{ReferenceDecision, ReferenceToolCall};
use windtunnel_inference::{Asides, CaseScript, ScriptedCase, ScriptedServer, ServedNames};

/// A served case.
pub(crate) struct Case {
    pub(crate) served: ScriptedCase,
    pub(crate) http: reqwest::Client,
    _endpoint: ScriptedServer,
}

impl Case {
    /// A case with these decisions, its first turn begun.
    pub(crate) async fn of(decisions: Vec<ReferenceDecision>) -> Self {
        Self::with(CaseScript { turns: vec![decisions], ..CaseScript::default() }).await
    }

    pub(crate) async fn with_asides(decisions: Vec<ReferenceDecision>, asides: Value) -> Self {
        let asides = Asides::compile(&serde_json::from_value::<Vec<_>>(asides).unwrap()).unwrap();
        Self::with(CaseScript { turns: vec![decisions], asides, ..CaseScript::default() }).await
    }

    pub(crate) async fn with(mut script: CaseScript) -> Self {
        script.served = ServedNames::new([("crm", ["lookup"])]);
        let endpoint = ScriptedServer::new();
        let served = endpoint.register(script).await.unwrap();
        served.begin_turn();
        Self { served, http: http(), _endpoint: endpoint }
    }

    pub(crate) fn url(&self, path: &str) -> String {
        format!("{}{path}", self.served.base_url())
    }

    /// Posts a body, with headers.
    pub(crate) async fn post(&self, body: &Value, headers: &[(&str, &str)]) -> Response {
        let mut request = self.http.post(self.url("/chat/completions")).json(body);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        request.send().await.unwrap()
    }

    /// The answer to a request that is not streamed.
    pub(crate) async fn ask(&self, body: &Value) -> Value {
        let response = self.post(body, &[]).await;
        assert_eq!(response.status(), StatusCode::OK);
        response.json().await.unwrap()
    }

    /// The events of a streamed answer, without the last.
    pub(crate) async fn stream(&self, body: &Value) -> Vec<Value> {
        let response = self.post(body, &[]).await;
        assert_eq!(response.headers()["content-type"], "text/event-stream");
        let raw = response.text().await.unwrap();
        let mut events: Vec<&str> = raw.split_terminator("\n\n").collect();
        assert_eq!(events.pop(), Some("data: [DONE]"));
        let event = |event: &str| serde_json::from_str(event.strip_prefix("data: ").unwrap()).unwrap();
        events.into_iter().map(event).collect()
    }
}

/// A client without proxies, retries and decompression.
pub(crate) fn http() -> reqwest::Client {
    let _ = rustls::crypto::ring::default_provider().install_default();
    reqwest::Client::builder().no_proxy().timeout(Duration::from_secs(30)).build().unwrap()
}

/// A request that offers the tool `lookup`.
pub(crate) fn request() -> Value {
    json!({
        "model": "gpt-test",
        "messages": [{"role": "user", "content": "How many orders?"}],
        "tools": [{"type": "function", "function": {"name": "lookup", "parameters": {"type": "object"}}}],
    })
}

/// The same with further fields.
pub(crate) fn request_with(fields: Value) -> Value {
    let mut body = request();
    let Value::Object(fields) = fields else { panic!("an object") };
    body.as_object_mut().unwrap().extend(fields);
    body
}

/// Two parallel calls, the second without arguments.
pub(crate) fn calls() -> ReferenceDecision {
    ReferenceDecision::calls([
        ReferenceToolCall::new("lookup", [("id", "a rather long identifier of an order".into())]),
        ReferenceToolCall { name: "lookup".to_owned(), arguments: Map::new() },
    ])
}

pub(crate) fn says(text: &str) -> ReferenceDecision {
    ReferenceDecision::says(text)
}
