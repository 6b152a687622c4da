//! Back ends and runtimes in the schema: the kinds that are compiled in, each with its parameters.

use schemars::{JsonSchema, SchemaGenerator};
use serde_json::{Map, Value, json};

use super::super::check::RUNTIME_PARAMS;
#[cfg(feature = "openai")]
use crate::endpoint::openai::OpenAiEndpointParams;
#[cfg(feature = "mock")]
use crate::mock::{EndpointParams, ProviderParams, ToolingParams};
#[cfg(feature = "openai")]
use crate::provider::openai::OpenAiProviderParams;
#[cfg(feature = "mcp")]
use crate::tooling::mcp::McpParams;

/// The back ends that a config may name.
pub(super) struct Kinds {
    providers: &'static [Kind],
    tooling: &'static [Kind],
    endpoint: &'static [Kind],
}

/// A kind's name, and what makes the schema of its parameters.
type Kind = (&'static str, fn(&mut SchemaGenerator) -> Value);

/// Those that reach real models, servers and clients.
pub(super) const REAL: Kinds = Kinds {
    providers: &[
        #[cfg(feature = "openai")]
        ("openai", params::<OpenAiProviderParams>),
    ],
    tooling: &[
        #[cfg(feature = "mcp")]
        ("mcp", params::<McpParams>),
    ],
    endpoint: &[
        #[cfg(feature = "openai")]
        ("openai", params::<OpenAiEndpointParams>),
    ],
};

/// Those that answer from a script.
pub(super) const MOCKS: Kinds = Kinds {
    providers: &[
        #[cfg(feature = "mock")]
        ("mock", params::<ProviderParams>),
    ],
    tooling: &[
        #[cfg(feature = "mock")]
        ("mock", params::<ToolingParams>),
    ],
    endpoint: &[
        #[cfg(feature = "mock")]
        ("mock", params::<EndpointParams>),
    ],
};

impl Kinds {
    /// One entry of `[providers]`.
    pub(super) fn provider(&self, generator: &mut SchemaGenerator) -> Value {
        one_of("What models answer from.", self.providers, generator)
    }

    /// One entry of `[tooling]`.
    pub(super) fn tooling(&self, generator: &mut SchemaGenerator) -> Value {
        one_of("What offers tools and resources.", self.tooling, generator)
    }

    /// `[endpoint]`.
    pub(super) fn endpoint(&self, generator: &mut SchemaGenerator) -> Value {
        one_of("Where clients reach agents as if they were models.", self.endpoint, generator)
    }
}

/// The schema of a kind's parameters, in place, since the kind is about to be put into it.
#[allow(dead_code, reason = "a build without back ends has no parameters")]
fn params<T: JsonSchema>(generator: &mut SchemaGenerator) -> Value {
    T::json_schema(generator).to_value()
}

/// A table whose `kind` says which parameters it has; without kinds any is as good as none.
fn one_of(description: &str, kinds: &[Kind], generator: &mut SchemaGenerator) -> Value {
    let mut schema = json!({
        "description": description,
        "type": "object",
        "properties": {"kind": {"description": "Which kind it is.", "type": "string"}},
        "required": ["kind"],
    });
    if !kinds.is_empty() {
        schema["properties"]["kind"]["enum"] = kinds.iter().map(|(name, _)| *name).collect();
        schema["allOf"] = kinds.iter().map(|kind| if_kind(kind, generator)).collect();
    }
    schema
}

/// If the table is of the kind, it has the parameters of the kind.
fn if_kind((name, params): &Kind, generator: &mut SchemaGenerator) -> Value {
    let kind = json!({"const": name});
    let mut params = params(generator);
    if let Some(properties) = params.get_mut("properties").and_then(Value::as_object_mut) {
        properties.insert("kind".to_owned(), kind.clone());
    }
    json!({"if": {"properties": {"kind": kind}, "required": ["kind"]}, "then": params})
}

/// One entry of `[runtime]`.
pub(super) fn runtime() -> Value {
    let unused = json!({"description": "Has no effect: scripts run without a sandbox that it could open."});
    let mut properties: Map<String, Value> =
        RUNTIME_PARAMS.iter().map(|key| ((*key).to_owned(), unused.clone())).collect();
    properties.insert(
        "kind".to_owned(),
        json!({"description": "Which language the scripts are in.", "type": "string"}),
    );
    json!({
        "description": "What runs scripts.",
        "type": "object",
        "properties": properties,
        "required": ["kind"],
    })
}
