//! How this wire is asked.

use reqwest::{Response, StatusCode};
use serde_json::{Value, json};

pub(crate) use crate::case::{Case, calls, extended, http, says};

impl Case {
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
    extended(request(), fields)
}
