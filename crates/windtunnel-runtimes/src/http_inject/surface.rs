//! Reading the prompt surface that an endpoint tells.

use serde_json::{Map, Value};
use windtunnel_api::secret::Redactor;
use windtunnel_api::surface::{Instruction, Segment, Surface, SurfaceStatus};

use super::contract::{self, is_absent};
use super::exchange::Answer;

/// The surface, or what keeps the answer from being one; none where there is no such route.
pub(super) fn read(answer: &Answer, redactor: &Redactor) -> Result<Option<Surface>, String> {
    if is_absent(answer.status) {
        return Ok(None);
    }
    let body = contract::object(answer, redactor).map_err(|breach| breach.to_string())?;
    let mut reader = Reader { redactor, wrong: Vec::new() };
    let surface = Surface {
        status: SurfaceStatus::Reported,
        system_instructions: reader
            .pairs(&body, "system_instructions", "type")
            .map(|(r#type, content)| Instruction { r#type, content })
            .collect(),
        tool_definitions: reader.list(&body, "tool_definitions").to_vec(),
        extra_segments: reader
            .pairs(&body, "extra_segments", "name")
            .map(|(name, content)| Segment { name, content })
            .collect(),
    };
    for (index, tool) in surface.tool_definitions.iter().enumerate().filter(|(_, tool)| !tool.is_object()) {
        reader.fault(&format!("tool_definitions[{index}]"), "an object", Some(tool));
    }
    if reader.wrong.is_empty() { Ok(Some(surface)) } else { Err(reader.wrong.join("; ")) }
}

struct Reader<'a> {
    redactor: &'a Redactor,
    wrong: Vec<String>,
}

impl Reader<'_> {
    fn list<'b>(&mut self, body: &'b Map<String, Value>, field: &str) -> &'b [Value] {
        match body.get(field) {
            Some(Value::Array(items)) => items,
            other => {
                self.fault(field, "a list, also when it is empty", other);
                &[]
            }
        }
    }

    /// The texts of `key` and `content` of every item.
    fn pairs(
        &mut self,
        body: &Map<String, Value>,
        field: &str,
        key: &str,
    ) -> std::vec::IntoIter<(String, String)> {
        let items = self.list(body, field);
        let mut pairs = Vec::with_capacity(items.len());
        for (index, item) in items.iter().enumerate() {
            let text = |name: &str| item.get(name).and_then(Value::as_str).map(str::to_owned);
            let (first, content) = (text(key), text("content"));
            for (name, found) in [(key, &first), ("content", &content)] {
                if found.is_none() {
                    self.fault(&format!("{field}[{index}].{name}"), "a text", item.get(name));
                }
            }
            pairs.extend(first.zip(content));
        }
        pairs.into_iter()
    }

    fn fault(&mut self, at: &str, expected: &str, found: Option<&Value>) {
        let found = found.map_or_else(|| "nothing".to_owned(), |found| contract::shown(found, self.redactor));
        self.wrong.push(format!("`{at}`: expected {expected}, found {found}"));
    }
}

#[cfg(test)]
mod tests {
    use reqwest::StatusCode;
    use serde_json::json;

    use super::*;

    fn of(status: u16, body: &Value) -> Result<Option<Surface>, String> {
        let answer = Answer {
            status: StatusCode::from_u16(status).unwrap(),
            content_type: Some("application/json".to_owned()),
            location: None,
            body: body.to_string().into_bytes(),
        };
        read(&answer, &Redactor::default())
    }

    #[test]
    fn a_surface_is_reported_and_a_route_may_be_absent() {
        let body = json!({
            "system_instructions": [{"type": "text", "content": "Be brief."}],
            "tool_definitions": [{"name": "lookup"}],
            "extra_segments": [{"name": "memory", "content": "None."}],
        });
        let surface = of(200, &body).unwrap().unwrap();
        assert_eq!(surface.status, SurfaceStatus::Reported);
        assert_eq!(surface.system_instructions[0].content, "Be brief.");
        assert_eq!((surface.tool_definitions.len(), surface.extra_segments.len()), (1, 1));
        assert_eq!((of(404, &json!({})), of(501, &json!({}))), (Ok(None), Ok(None)));
    }

    #[test]
    fn what_is_no_surface_is_told_field_by_field() {
        let body = json!({
            "system_instructions": ["Be brief.", {"type": 1, "content": "x"}], "tool_definitions": ["lookup"],
        });
        insta::assert_snapshot!(of(200, &body).unwrap_err().replace("; ", "\n"), @r#"
        `system_instructions[0].type`: expected a text, found nothing
        `system_instructions[0].content`: expected a text, found nothing
        `system_instructions[1].type`: expected a text, found `1`
        `extra_segments`: expected a list, also when it is empty, found nothing
        `tool_definitions[0]`: expected an object, found `"lookup"`
        "#);
        insta::assert_snapshot!(of(500, &json!({})).unwrap_err(), @"expected status 200, found 500 Internal Server Error: `{}`; what goes wrong in the agent is told in `error`, with status 200");
    }
}
