//! What brains hand over.

use serde_json::{Map, Value};

use super::KeyCase;
use super::case::Fields;
use crate::exchange::{ChatDelta, ChatRequest, Message, Tool, ToolAnnotations, ToolCall, ToolCallDelta};

/// A value that is not what a call of the host takes.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Misshapen {
    #[error("chat message must be a map")]
    Message,
    #[error("tool_calls must be an array")]
    ToolCalls,
    #[error("tool_call must be a map")]
    ToolCall,
    #[error("tool_call missing {0}")]
    ToolCallMissing(&'static str),
    #[error("tool_call index must be a non-negative integer")]
    Index,
    #[error("tool must be a map")]
    Tool,
    #[error("tool missing name")]
    ToolName,
    #[error("invalid {0} JSON of tool \"{1}\": {2}")]
    Schema(&'static str, String, String),
    #[error("tool annotations must be a map")]
    Annotations,
    #[error("invalid chat params JSON: {0}")]
    ParamsText(String),
    #[error("params must be a map or a JSON string")]
    Params,
    #[error("delta must be a map")]
    Delta,
}

/// A question for a model.
pub(crate) fn chat_request(
    model: String,
    messages: Vec<Value>,
    tools: Vec<Value>,
    params: Value,
    case: KeyCase,
) -> Result<ChatRequest, Misshapen> {
    Ok(ChatRequest {
        model,
        messages: messages.into_iter().map(|value| message(value, case)).collect::<Result<_, _>>()?,
        tools: tools.into_iter().map(|value| tool(value, case)).collect::<Result<_, _>>()?,
        params: chat_params(params)?,
    })
}

fn message(value: Value, case: KeyCase) -> Result<Message, Misshapen> {
    let mut fields = Fields::of(value, case).ok_or(Misshapen::Message)?;
    Ok(Message {
        role: fields.text("role").unwrap_or_else(|| "user".to_owned()),
        content: fields.text("content"),
        reasoning: fields.text("reasoning"),
        tool_calls: tool_calls(&mut fields, |value| tool_call(value, case))?,
        tool_call_id: fields.text("tool_call_id"),
    })
}

fn tool_calls<T>(
    fields: &mut Fields,
    call: impl Fn(Value) -> Result<T, Misshapen>,
) -> Result<Vec<T>, Misshapen> {
    match fields.take("tool_calls") {
        None => Ok(Vec::new()),
        Some(Value::Array(calls)) => calls.into_iter().map(call).collect(),
        Some(_) => Err(Misshapen::ToolCalls),
    }
}

fn tool_call(value: Value, case: KeyCase) -> Result<ToolCall, Misshapen> {
    let mut fields = Fields::of(value, case).ok_or(Misshapen::ToolCall)?;
    Ok(ToolCall {
        id: fields.text("id").ok_or(Misshapen::ToolCallMissing("id"))?,
        name: fields.text("name").ok_or(Misshapen::ToolCallMissing("name"))?,
        arguments: fields.json_text("arguments").ok_or(Misshapen::ToolCallMissing("arguments"))?,
    })
}

fn tool(value: Value, case: KeyCase) -> Result<Tool, Misshapen> {
    let mut fields = Fields::of(value, case).ok_or(Misshapen::Tool)?;
    let name = fields.text("name").ok_or(Misshapen::ToolName)?;
    let input_schema = schema(fields.take("input_schema"), "input_schema", &name)?;
    let output_schema = schema(fields.take("output_schema"), "output_schema", &name)?;
    let annotations = match fields.take("annotations") {
        None => None,
        Some(value) => Some(annotations(value, case)?),
    };
    Ok(Tool {
        name,
        title: fields.text("title"),
        description: fields.text("description"),
        input_schema: input_schema.unwrap_or_else(|| Value::Object(Map::new())),
        output_schema,
        annotations,
    })
}

/// A schema as a value or as its JSON text.
fn schema(value: Option<Value>, key: &'static str, tool: &str) -> Result<Option<Value>, Misshapen> {
    match value {
        Some(Value::String(text)) if text.trim().is_empty() => Ok(None),
        Some(Value::String(text)) => serde_json::from_str(&text)
            .map(Some)
            .map_err(|error| Misshapen::Schema(key, tool.to_owned(), error.to_string())),
        value => Ok(value),
    }
}

fn annotations(value: Value, case: KeyCase) -> Result<ToolAnnotations, Misshapen> {
    let mut fields = Fields::of(value, case).ok_or(Misshapen::Annotations)?;
    Ok(ToolAnnotations {
        read_only_hint: fields.flag("read_only_hint"),
        destructive_hint: fields.flag("destructive_hint"),
        idempotent_hint: fields.flag("idempotent_hint"),
        open_world_hint: fields.flag("open_world_hint"),
    })
}

/// Members of the request's body: a map, or its JSON text; empty text and null are none.
fn chat_params(value: Value) -> Result<Option<Value>, Misshapen> {
    let value = match value {
        Value::String(text) if text.trim().is_empty() => return Ok(None),
        Value::String(text) => {
            serde_json::from_str(&text).map_err(|error| Misshapen::ParamsText(error.to_string()))?
        }
        value => value,
    };
    match value {
        Value::Null => Ok(None),
        Value::Object(_) => Ok(Some(value)),
        _ => Err(Misshapen::Params),
    }
}

/// A piece of an answer to a client of the endpoint.
pub(crate) fn delta(value: Value, case: KeyCase) -> Result<ChatDelta, Misshapen> {
    let mut fields = Fields::of(value, case).ok_or(Misshapen::Delta)?;
    Ok(ChatDelta {
        content: fields.text("content"),
        reasoning: fields.text("reasoning"),
        tool_calls: tool_calls(&mut fields, |value| tool_call_delta(value, case))?,
        finish_reason: fields.text("finish_reason"),
        usage: fields.json_text("usage"),
    })
}

fn tool_call_delta(value: Value, case: KeyCase) -> Result<ToolCallDelta, Misshapen> {
    let mut fields = Fields::of(value, case).ok_or(Misshapen::ToolCall)?;
    let index = fields.take("index").unwrap_or_else(|| 0.into());
    Ok(ToolCallDelta {
        index: index.as_u64().and_then(|index| index.try_into().ok()).ok_or(Misshapen::Index)?,
        id: fields.text("id"),
        name: fields.text("name"),
        arguments: fields.json_text("arguments"),
    })
}
