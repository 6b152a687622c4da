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
        Self::with_asides(decisions, json!([])).await
    }

    pub(crate) async fn with_asides(decisions: Vec<ReferenceDecision>, asides: Value) -> Self {
        let asides = Asides::compile(&serde_json::from_value::<Vec<_>>(asides).unwrap()).unwrap();
        let endpoint = ScriptedServer::new();
        let served = ServedNames::new([("crm", ["lookup"])]);
        let script = CaseScript { turns: vec![decisions], served, asides, ..CaseScript::default() };
        let served = endpoint.register(script).await.unwrap();
        served.begin_turn();
        let _ = rustls::crypto::ring::default_provider().install_default();
        let http = reqwest::Client::builder().no_proxy().timeout(Duration::from_secs(30)).build().unwrap();
        Self { served, http, _endpoint: endpoint }
    }

    /// An address of the case, from its root.
    pub(crate) fn url(&self, path: &str) -> String {
        let root = self.served.base_url().strip_suffix("/v1").unwrap();
        format!("{root}{path}")
    }

    /// Posts a body.
    pub(crate) async fn post(&self, body: &Value) -> Response {
        self.http.post(self.url("/v1/messages")).json(body).send().await.unwrap()
    }

    /// The answer to a request that is not streamed.
    pub(crate) async fn ask(&self, body: &Value) -> Value {
        let response = self.post(body).await;
        assert_eq!(response.status(), StatusCode::OK);
        response.json().await.unwrap()
    }

    /// The events of a streamed answer, each with its name.
    pub(crate) async fn stream(&self, body: &Value) -> Vec<Value> {
        let response = self.post(body).await;
        assert_eq!(response.headers()["content-type"], "text/event-stream");
        events(&response.text().await.unwrap())
    }
}

/// The events of a body. Each has a line with its name, which its data repeats.
pub(crate) fn events(body: &str) -> Vec<Value> {
    let event = |event: &str| {
        let (name, data) = event.split_once('\n').unwrap();
        let data: Value = serde_json::from_str(data.strip_prefix("data: ").unwrap()).unwrap();
        assert_eq!(name.strip_prefix("event: "), data["type"].as_str());
        data
    };
    body.split_terminator("\n\n").map(event).collect()
}

/// The events of one type.
pub(crate) fn of_type<'e>(events: &'e [Value], kind: &str) -> Vec<&'e Value> {
    events.iter().filter(|event| event["type"] == kind).collect()
}

/// A request that offers the tool `lookup`.
pub(crate) fn request() -> Value {
    json!({
        "model": "claude-test",
        "max_tokens": 1024,
        "messages": [{"role": "user", "content": "How many orders?"}],
        "tools": [{"name": "lookup", "input_schema": {"type": "object"}}],
    })
}

/// The same with further fields.
pub(crate) fn request_with(fields: Value) -> Value {
    let mut body = request();
    let Value::Object(fields) = fields else { panic!("an object") };
    body.as_object_mut().unwrap().extend(fields);
    body
}

/// The same, streamed.
pub(crate) fn streamed() -> Value {
    request_with(json!({"stream": true}))
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

/// An answer after thinking.
pub(crate) fn thinks(thought: &str, then: ReferenceDecision) -> ReferenceDecision {
    ReferenceDecision { reasoning: Some(thought.to_owned()), ..then }
}
