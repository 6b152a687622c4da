//! Tools and resources as a script writes them: as they are exchanged, but with no key that means nothing.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use crate::exchange::{ResourceAnnotations, ResourceInfo, ResourceTemplate, Tool, ToolAnnotations};

/// A tool that a server or a client offers.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ScriptedTool {
    /// Its name.
    pub name: String,
    /// Its name for people.
    pub title: Option<String>,
    /// What it does.
    pub description: Option<String>,
    /// The JSON Schema of its arguments.
    pub input_schema: Value,
    /// The JSON Schema of its structured result.
    pub output_schema: Option<Value>,
    /// Hints about its effects.
    pub annotations: Option<ToolHints>,
}

/// Hints about the effects of a tool.
#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ToolHints {
    /// It changes nothing.
    pub read_only_hint: Option<bool>,
    /// It may destroy.
    pub destructive_hint: Option<bool>,
    /// Calling it again with the same arguments changes nothing more.
    pub idempotent_hint: Option<bool>,
    /// It reaches beyond its own domain.
    pub open_world_hint: Option<bool>,
}

/// A resource in a server's list.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ScriptedResource {
    /// Where it is read.
    pub uri: String,
    /// Its name.
    pub name: String,
    /// Its name for people.
    pub title: Option<String>,
    /// What it holds.
    pub description: Option<String>,
    /// The media type of its contents.
    pub mime_type: Option<String>,
    /// Its size in bytes.
    pub size: Option<u64>,
    /// For whom it is.
    pub annotations: Option<ResourceHints>,
}

/// For whom a resource is, and how much it matters.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ResourceHints {
    /// `user`, `assistant`.
    pub audience: Vec<String>,
    /// From 0, optional, to 1, required.
    pub priority: Option<f64>,
    /// When it last changed.
    pub last_modified: Option<String>,
}

/// A family of resources.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ScriptedTemplate {
    /// How its members' addresses are made, after RFC 6570.
    pub uri_template: String,
    /// Its name.
    pub name: String,
    /// Its name for people.
    pub title: Option<String>,
    /// What its members hold.
    pub description: Option<String>,
    /// Their media type.
    pub mime_type: Option<String>,
}

impl From<ScriptedTool> for Tool {
    fn from(tool: ScriptedTool) -> Self {
        let ScriptedTool { name, title, description, input_schema, output_schema, annotations } = tool;
        let annotations = annotations.map(|hints| ToolAnnotations {
            read_only_hint: hints.read_only_hint,
            destructive_hint: hints.destructive_hint,
            idempotent_hint: hints.idempotent_hint,
            open_world_hint: hints.open_world_hint,
        });
        Self { name, title, description, input_schema, output_schema, annotations }
    }
}

impl From<ScriptedResource> for ResourceInfo {
    fn from(resource: ScriptedResource) -> Self {
        let ScriptedResource { uri, name, title, description, mime_type, size, annotations } = resource;
        let annotations = annotations.map(|hints| ResourceAnnotations {
            audience: hints.audience,
            priority: hints.priority,
            last_modified: hints.last_modified,
        });
        Self { uri, name, title, description, mime_type, size, annotations }
    }
}

impl From<ScriptedTemplate> for ResourceTemplate {
    fn from(template: ScriptedTemplate) -> Self {
        let ScriptedTemplate { uri_template, name, title, description, mime_type } = template;
        Self { uri_template, name, title, description, mime_type }
    }
}

/// The exchanged forms of a list.
pub(super) fn exchanged<S, T: From<S>>(scripted: Vec<S>) -> Vec<T> {
    scripted.into_iter().map(T::from).collect()
}
