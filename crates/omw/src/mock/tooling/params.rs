//! The parameters of the tooling.

use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use crate::mock::{After, ScriptedResource, ScriptedTemplate, ScriptedTool};

/// `[tooling.<name>]` of the kind `mock`.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct ToolingParams {
    /// What `list_tools` answers. Calls are not held against it.
    pub tools: Vec<ScriptedTool>,
    /// One answer for each call, in the order of the calls of all agents.
    pub tool_calls: Vec<ScriptedAnswer>,
    /// What `list_resources` answers before the first update.
    pub initial_resource_list: Vec<ScriptedResource>,
    /// What `read_resource` answers before the first update: by address, the texts of the resource's contents.
    pub initial_resource_contents: IndexMap<String, Vec<String>>,
    /// What `list_resource_templates` answers.
    pub resource_templates: Vec<ScriptedTemplate>,
    /// What happens to the list of resources while somebody is subscribed to it, in order.
    pub resource_list_updates: Vec<ListUpdate>,
    /// What happens to resources while somebody is subscribed to them, in order for each resource.
    pub resource_content_updates: Vec<ContentUpdate>,
    /// How long a blocking call takes, in milliseconds. A queued one takes no time.
    pub delay_ms: u64,
}

impl Default for ToolingParams {
    fn default() -> Self {
        Self {
            tools: Vec::new(),
            tool_calls: Vec::new(),
            initial_resource_list: Vec::new(),
            initial_resource_contents: IndexMap::new(),
            resource_templates: Vec::new(),
            resource_list_updates: Vec::new(),
            resource_content_updates: Vec::new(),
            delay_ms: 10,
        }
    }
}

/// The answer to one call.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ScriptedAnswer {
    /// The tool that has to be called.
    pub name: String,
    /// The text of the result.
    #[serde(default)]
    pub result: String,
    /// The structured result.
    pub structured_content: Option<Value>,
    /// Whether the tool itself says that it failed.
    #[serde(default)]
    pub is_error: bool,
    /// The text that the call fails with, whatever the result is.
    pub error: Option<String>,
    /// It never answers, whatever else is here.
    #[serde(default)]
    pub pending: bool,
    /// When it answers.
    pub after: Option<After>,
}

/// A change of the list of resources.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct ListUpdate {
    /// The new list.
    pub resources: Vec<ScriptedResource>,
    /// The text that the subscription fails with, instead of a change.
    pub error: Option<String>,
    /// Nothing happens from here on, whatever else is here.
    pub pending: bool,
    /// When it happens.
    pub after: Option<After>,
}

/// A change of a resource.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ContentUpdate {
    /// Which resource.
    pub uri: String,
    /// The texts of its new contents.
    #[serde(default)]
    pub contents: Vec<String>,
    /// The text that the subscription fails with, instead of a change.
    pub error: Option<String>,
    /// Nothing happens to this resource from here on, whatever else is here.
    #[serde(default)]
    pub pending: bool,
    /// When it happens.
    pub after: Option<After>,
}
