//! The protocol's shapes as those that agents see.

use rmcp::model;
use serde_json::Value;

use crate::exchange::{
    ResourceAnnotations, ResourceContent, ResourceInfo, ResourceTemplate, Tool, ToolAnnotations, ToolResult,
};

pub(super) fn tool(tool: model::Tool) -> Tool {
    let (title, annotations) = match tool.annotations {
        Some(annotations) => {
            let hints = ToolAnnotations {
                read_only_hint: annotations.read_only_hint,
                destructive_hint: annotations.destructive_hint,
                idempotent_hint: annotations.idempotent_hint,
                open_world_hint: annotations.open_world_hint,
            };
            // Servers of older protocols have the title among the hints.
            (tool.title.or(annotations.title), Some(hints))
        }
        None => (tool.title, None),
    };
    let schema =
        |schema: std::sync::Arc<model::JsonObject>| Value::Object(std::sync::Arc::unwrap_or_clone(schema));
    Tool {
        name: tool.name.into_owned(),
        title,
        description: tool.description.map(std::borrow::Cow::into_owned),
        input_schema: schema(tool.input_schema),
        output_schema: tool.output_schema.map(schema),
        annotations,
    }
}

pub(super) fn tool_result(
    name: &str,
    arguments: String,
    result: &model::CallToolResult,
) -> Result<ToolResult, serde_json::Error> {
    Ok(ToolResult {
        name: name.to_owned(),
        arguments,
        content: serde_json::to_string(&result.content)?,
        structured_content: result.structured_content.as_ref().map(Value::to_string),
        is_error: result.is_error.unwrap_or(false),
    })
}

pub(super) fn resource(resource: model::Resource) -> ResourceInfo {
    ResourceInfo {
        uri: resource.uri,
        name: resource.name,
        title: resource.title,
        description: resource.description,
        mime_type: resource.mime_type,
        size: resource.size,
        annotations: resource.annotations.map(annotations),
    }
}

fn annotations(annotations: model::Annotations) -> ResourceAnnotations {
    let role = |role: model::Role| match role {
        model::Role::User => "user".to_owned(),
        model::Role::Assistant => "assistant".to_owned(),
    };
    ResourceAnnotations {
        audience: annotations.audience.unwrap_or_default().into_iter().map(role).collect(),
        priority: annotations.priority.map(decimal),
        last_modified: annotations.last_modified,
    }
}

/// The number as it was written: 0.7, not 0.699999988079071.
fn decimal(number: f32) -> f64 {
    number.to_string().parse().unwrap_or_else(|_| f64::from(number))
}

pub(super) fn template(template: model::ResourceTemplate) -> ResourceTemplate {
    ResourceTemplate {
        uri_template: template.uri_template,
        name: template.name,
        title: template.title,
        description: template.description,
        mime_type: template.mime_type,
    }
}

/// None for a content that is neither text nor binary.
pub(super) fn content(content: model::ResourceContents) -> Option<ResourceContent> {
    match content {
        model::ResourceContents::TextResourceContents { uri, mime_type, text, .. } => {
            Some(ResourceContent { uri, mime_type, content: text })
        }
        model::ResourceContents::BlobResourceContents { uri, mime_type, blob, .. } => {
            Some(ResourceContent { uri, mime_type, content: blob })
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_tool_keeps_the_hints_it_has_and_takes_its_title_from_them() {
        let listed = json!({
            "name": "add", "inputSchema": {"type": "object"}, "annotations": {"title": "Add", "readOnlyHint": true},
        });
        let tool = tool(serde_json::from_value(listed).unwrap());
        assert_eq!(tool.title.as_deref(), Some("Add"));
        let hints = ToolAnnotations { read_only_hint: Some(true), ..ToolAnnotations::default() };
        assert_eq!(tool.annotations, Some(hints));
        assert_eq!((tool.input_schema, tool.output_schema), (json!({"type": "object"}), None));
    }

    #[test]
    fn numbers_stay_as_they_were_written() {
        let listed =
            json!({"uri": "a:b", "name": "b", "annotations": {"audience": ["user"], "priority": 0.7}});
        let resource = resource(serde_json::from_value(listed).unwrap());
        let annotations = resource.annotations.unwrap();
        assert_eq!((annotations.audience, annotations.priority), (vec!["user".to_owned()], Some(0.7)));
    }

    #[test]
    fn results_are_text_of_json() {
        let result = json!({"content": [{"type": "text", "text": "3"}], "structuredContent": {"sum": 3}});
        let result = serde_json::from_value(result).unwrap();
        let result = tool_result("add", r#"{"a":1}"#.to_owned(), &result).unwrap();
        assert_eq!(result.content, r#"[{"type":"text","text":"3"}]"#);
        assert_eq!(result.structured_content.as_deref(), Some(r#"{"sum":3}"#));
        assert!(!result.is_error);
    }
}
