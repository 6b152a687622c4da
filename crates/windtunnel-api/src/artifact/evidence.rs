//! The ordered evidence of one run. Gates read nothing else.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::secret::redact_value;

/// One thing that was seen to happen.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Evidence {
    /// A turn of the conversation.
    Turn {
        /// `user` or `assistant`.
        role: Role,
        /// Its text.
        content: String,
    },
    /// A request to the model, as the agent really sent it, and what it was answered.
    Inference {
        /// The provider wire it came over; `in-process` where there was none.
        wire: String,
        /// The model's name in the request.
        model: String,
        /// The messages of the request.
        messages: Vec<Value>,
        /// The names of the tools it offered.
        tools: Vec<String>,
        /// The answer: `{content?, reasoning?, refusal?, tool_calls?}`, `{fault}`, `{aside}`, `{warm_up}` or `{refused}`.
        decision: Value,
    },
    /// A tool call that was witnessed.
    ToolCall(ToolCall),
    /// A tool call that only the transcript claims; counts only where there is no witness at all.
    ClaimedCall {
        /// The tool's name.
        tool: String,
        /// Its arguments.
        args: Value,
    },
    /// What a state probe captured, or a judge said.
    Observation {
        /// The probe's name.
        source: String,
        /// What it captured.
        value: Value,
    },
    /// Something worth knowing about the run itself.
    Warning {
        /// What it was; markers of `worker_warnings` among them.
        text: String,
    },
}

/// Who spoke a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// The system message.
    System,
    /// The user, or what stands in for one.
    User,
    /// The agent.
    Assistant,
    /// A tool's answer in the history.
    Tool,
}

/// A witnessed tool call.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ToolCall {
    /// The tool server's name in the pack; empty where the agent runs the tool itself.
    pub server: String,
    /// The tool's name as it was called.
    pub tool: String,
    /// Its arguments.
    pub args: Value,
    /// Its result: the structured content, else the text, else the content as it came; null with an error.
    pub result: Value,
    /// The error's text, where there was one.
    #[serde(default)]
    pub error: Option<String>,
    /// How long it took, in milliseconds.
    pub ms: f64,
    /// Who saw it.
    pub witness: Witness,
    /// What else is known, such as `divergence`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub extra: Option<Value>,
}

impl ToolCall {
    /// Redacts everything in it that an agent or a tool wrote.
    ///
    /// ```
    /// # use serde_json::{Value, json};
    /// # use windtunnel_api::artifact::evidence::{ToolCall, Witness};
    /// let mut call = ToolCall {
    ///     server: "crm".to_owned(),
    ///     tool: "lookup".to_owned(),
    ///     args: json!({"token": "canary"}),
    ///     result: Value::Null,
    ///     error: Some("canary is not known".to_owned()),
    ///     ms: 3.0,
    ///     witness: Witness::Seam,
    ///     extra: None,
    /// };
    /// call.redact(|text| text.replace("canary", "***"));
    /// assert_eq!(call.args, json!({"token": "***"}));
    /// assert_eq!(call.error.as_deref(), Some("*** is not known"));
    /// ```
    pub fn redact(&mut self, redact: impl Fn(&str) -> String) {
        for value in [&mut self.args, &mut self.result].into_iter().chain(&mut self.extra) {
            redact_value(value, &redact);
        }
        if let Some(error) = &mut self.error {
            *error = redact(error);
        }
    }
}

/// Who saw a tool call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Witness {
    /// The recorder in front of the tool server.
    Recorder,
    /// Our inference seam: it asked for the call, and the result came back in a later request.
    Seam,
}
