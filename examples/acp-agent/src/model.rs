//! The model: OpenAI Chat Completions.

use serde_json::{Value, json};

/// Where the model is.
#[derive(Clone)]
pub(crate) struct Model {
    client: reqwest::Client,
    base_url: String,
    key: String,
}

impl Model {
    pub(crate) fn from_env() -> Result<Self, String> {
        let variable = |name| std::env::var(name).map_err(|error| format!("{name}: {error}"));
        let client = reqwest::Client::builder().build().map_err(|error| error.to_string())?;
        Ok(Self { client, base_url: variable("OPENAI_BASE_URL")?, key: variable("OPENAI_API_KEY")? })
    }

    /// The model's next message.
    pub(crate) async fn ask(&self, messages: &[Value], tools: &[Value]) -> Result<Value, String> {
        let mut body = json!({"model": "gpt-5", "messages": messages});
        if !tools.is_empty() {
            body["tools"] = tools.into();
        }
        let request = self.client.post(format!("{}/chat/completions", self.base_url)).bearer_auth(&self.key);
        let response = request.json(&body).send().await.map_err(|error| error.to_string())?;
        let (status, text) = (response.status(), response.text().await.map_err(|error| error.to_string())?);
        if !status.is_success() {
            return Err(format!("the model answered {status}: {text}"));
        }
        let answer: Value = serde_json::from_str(&text).map_err(|error| error.to_string())?;
        Ok(answer["choices"][0]["message"].clone())
    }
}
