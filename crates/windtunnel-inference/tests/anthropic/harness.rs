//! How this wire is asked.

use reqwest::{Response, StatusCode};
use serde_json::{Value, json};
use windtunnel_api::ReferenceDecision;

pub(crate) use crate::case::{Case, calls, extended, says};

impl Case {
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
    extended(request(), fields)
}

/// The same, streamed.
pub(crate) fn streamed() -> Value {
    request_with(json!({"stream": true}))
}

/// An answer after thinking.
pub(crate) fn thinks(thought: &str, then: ReferenceDecision) -> ReferenceDecision {
    ReferenceDecision { reasoning: Some(thought.to_owned()), ..then }
}
