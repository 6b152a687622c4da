//! The tools of a server: the list as it was last seen, page by page, and what each tool does to the world.

use indexmap::IndexMap;
use serde::Deserialize;
use serde_json::Value;
use windtunnel_api::EffectClass;
use windtunnel_spi::{ServedTool, ToolError};

/// The pages of `tools/list` as they went by.
#[derive(Debug, Default)]
pub(super) struct ToolPages {
    pages: Vec<Value>,
    /// The cursor that the next page has to be asked with; none where no list is under way.
    next: Option<String>,
    complete: Option<Vec<Value>>,
}

#[derive(Deserialize)]
struct Page {
    tools: Vec<Value>,
    #[serde(default, rename = "nextCursor")]
    next_cursor: Option<String>,
}

impl ToolPages {
    /// A page was answered. A page without cursor begins a list; one that does not continue it is not used.
    pub(super) fn page(&mut self, cursor: Option<&str>, raw: &str) {
        if cursor.is_none() {
            self.pages.clear();
        } else if self.next.as_deref() != cursor {
            return;
        }
        let Ok(page) = serde_json::from_str::<Page>(raw) else { return };
        self.pages.extend(page.tools);
        self.next = page.next_cursor;
        if self.next.is_none() {
            self.complete = Some(std::mem::take(&mut self.pages));
        }
    }

    pub(super) fn forget(&mut self) {
        *self = Self::default();
    }

    pub(super) fn complete(&self) -> Option<Vec<Value>> {
        self.complete.clone()
    }
}

/// The definitions as served tools, with the effects that the pack declares and, without one, the annotations'.
pub(crate) fn served(
    server: &str,
    definitions: Vec<Value>,
    declared: &IndexMap<String, EffectClass>,
) -> Result<Vec<ServedTool>, ToolError> {
    let mut tools = Vec::with_capacity(definitions.len());
    for definition in definitions {
        let Some(name) = definition["name"].as_str() else {
            return Err(ToolError::new(server, format!("it lists a tool without a name: {definition}")));
        };
        let effect = declared.get(name).copied().or_else(|| annotated(&definition["annotations"]));
        tools.push(ServedTool { name: name.to_owned(), effect, definition });
    }
    match declared.keys().find(|name| !tools.iter().any(|tool| tool.name == **name)) {
        Some(unknown) => Err(ToolError::new(server, unknown_effect(unknown, &tools))),
        None => Ok(tools),
    }
}

fn unknown_effect(unknown: &str, tools: &[ServedTool]) -> String {
    let names = tools.iter().map(|tool| tool.name.as_str());
    let hint = match windtunnel_doc::nearest(unknown, names.clone()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("it serves: {}", names.collect::<Vec<_>>().join(", ")),
    };
    format!("`effects` names the tool `{unknown}`, which it does not serve; {hint}")
}

/// What MCP annotations say about a tool. Their defaults are guesses of the protocol, so only what is written counts.
///
/// ```text
/// readOnlyHint  destructiveHint  openWorldHint   effect
/// true          -                -               read
/// -             true             -               destructive
/// -             -                true            external_send
/// -             false            -               internal_update
/// -             -                -               unknown
/// ```
fn annotated(annotations: &Value) -> Option<EffectClass> {
    let says = |hint: &str, value: bool| annotations.get(hint).and_then(Value::as_bool) == Some(value);
    if says("readOnlyHint", true) {
        Some(EffectClass::Read)
    } else if says("destructiveHint", true) {
        Some(EffectClass::Destructive)
    } else if says("openWorldHint", true) {
        Some(EffectClass::ExternalSend)
    } else if says("destructiveHint", false) {
        Some(EffectClass::InternalUpdate)
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn every_row_of_the_annotation_table() {
        let table = [
            (json!({"readOnlyHint": true, "openWorldHint": true}), Some(EffectClass::Read)),
            (json!({"destructiveHint": true, "openWorldHint": true}), Some(EffectClass::Destructive)),
            (json!({"destructiveHint": false, "openWorldHint": true}), Some(EffectClass::ExternalSend)),
            (json!({"destructiveHint": false, "openWorldHint": false}), Some(EffectClass::InternalUpdate)),
            (json!({"readOnlyHint": false}), None),
            (json!(null), None),
        ];
        for (annotations, expected) in table {
            assert_eq!(annotated(&annotations), expected, "{annotations}");
        }
    }

    #[test]
    fn a_declared_effect_wins_and_an_unknown_name_gets_a_hint() {
        let definitions = vec![json!({"name": "lookup", "annotations": {"readOnlyHint": true}})];
        let declared = IndexMap::from([("lookup".to_owned(), EffectClass::Draft)]);
        let tools = served("crm", definitions.clone(), &declared).unwrap();
        assert_eq!(tools[0].effect, Some(EffectClass::Draft));

        let declared = IndexMap::from([("lokup".to_owned(), EffectClass::Draft)]);
        assert_eq!(
            served("crm", definitions, &declared).unwrap_err().to_string(),
            "tool server crm: `effects` names the tool `lokup`, which it does not serve; did you mean `lookup`?"
        );
    }

    #[test]
    fn a_list_is_complete_with_its_last_page_and_forgotten_when_it_changes() {
        let mut pages = ToolPages::default();
        pages.page(None, r#"{"tools":[{"name":"a"}],"nextCursor":"2"}"#);
        assert_eq!(pages.complete(), None);
        pages.page(Some("other"), r#"{"tools":[{"name":"x"}]}"#);
        assert_eq!(pages.complete(), None);
        pages.page(Some("2"), r#"{"tools":[{"name":"b"}]}"#);
        assert_eq!(pages.complete().unwrap(), [json!({"name": "a"}), json!({"name": "b"})]);
        pages.forget();
        assert_eq!(pages.complete(), None);
    }
}
