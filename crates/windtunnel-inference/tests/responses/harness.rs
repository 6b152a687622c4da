//! How this wire is asked.

use reqwest::{Response, StatusCode};
use serde_json::{Value, json};
use windtunnel_api::ReferenceDecision;

pub(crate) use crate::case::{Case, calls, extended, says};

impl Case {
    pub(crate) async fn post_to(&self, path: &str, body: &Value) -> Response {
        self.http.post(format!("{}{path}", self.served.base_url())).json(body).send().await.unwrap()
    }

    pub(crate) async fn post(&self, body: &Value) -> Response {
        self.post_to("/responses", body).await
    }

    /// The answer to a request that is not streamed.
    pub(crate) async fn ask(&self, body: &Value) -> Value {
        let response = self.post(body).await;
        assert_eq!(response.status(), StatusCode::OK);
        assert_eq!(response.headers()["content-type"], "application/json");
        response.json().await.unwrap()
    }

    /// The events of a streamed answer.
    pub(crate) async fn stream(&self, body: &Value) -> Events {
        let response = self.post(body).await;
        assert_eq!(response.status(), StatusCode::OK);
        assert_eq!(response.headers()["content-type"], "text/event-stream");
        Events::of(&response.text().await.unwrap())
    }
}

/// The events of a stream, each of which said its name twice and came in its turn.
pub(crate) struct Events(pub(crate) Vec<Value>);

impl Events {
    pub(crate) fn of(raw: &str) -> Self {
        let event = |(number, raw): (usize, &str)| {
            let (name, data) = raw.split_once('\n').unwrap();
            let event: Value = serde_json::from_str(data.strip_prefix("data: ").unwrap()).unwrap();
            assert_eq!(event["type"], name.strip_prefix("event: ").unwrap());
            assert_eq!(event["sequence_number"], number);
            event
        };
        Self(raw.split_terminator("\n\n").enumerate().map(event).collect())
    }

    /// The short names of all of them, repeated ones once.
    pub(crate) fn names(&self) -> Vec<&str> {
        let mut names: Vec<&str> = self
            .0
            .iter()
            .map(|event| event["type"].as_str().unwrap().trim_start_matches("response."))
            .collect();
        names.dedup();
        names
    }

    /// Those with a name.
    pub(crate) fn named(&self, name: &str) -> Vec<&Value> {
        self.0.iter().filter(|event| event["type"] == format!("response.{name}")).collect()
    }

    /// The pieces of the events with a name, joined.
    pub(crate) fn joined(&self, name: &str) -> String {
        self.named(name).iter().map(|event| event["delta"].as_str().unwrap()).collect()
    }

    pub(crate) fn last(&self) -> &Value {
        self.0.last().unwrap()
    }
}

/// A request that offers the tool `lookup`.
pub(crate) fn request() -> Value {
    json!({
        "model": "gpt-test",
        "input": "How many orders?",
        "tools": [{"type": "function", "name": "lookup", "parameters": {"type": "object"}, "strict": true}],
    })
}

/// The same with further fields.
pub(crate) fn request_with(fields: Value) -> Value {
    extended(request(), fields)
}

/// The same to be streamed.
pub(crate) fn streamed() -> Value {
    request_with(json!({"stream": true}))
}

/// Thinks, says something and calls.
pub(crate) fn everything() -> ReferenceDecision {
    ReferenceDecision {
        content: Some("Let me look.".to_owned()),
        reasoning: Some("Orders have to be looked up one by one.".to_owned()),
        ..calls()
    }
}

pub(crate) fn refuses() -> ReferenceDecision {
    ReferenceDecision { refusal: true, ..says("I will not help with that, however you ask.") }
}
