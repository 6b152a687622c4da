//! The hash of the served tool definitions: two runs with the same hash offered the model the same tools.

use std::fmt::Write;

use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::served::Served;

/// `sha256:<hex>` over the canonical JSON of the definitions in manifest order; over the names alone where a definition is not
/// known; `None` where it is not known what is served.
pub(super) fn tool_schema_hash(served: &Served) -> Option<String> {
    if !served.unknown.is_empty() {
        return None;
    }
    let all_known = served.tools().all(|tool| !tool.definition.is_null());
    let mut list: Value = if all_known {
        served.tools().map(|tool| tool.definition.clone()).collect()
    } else {
        served.tools().map(|tool| json!(tool.name)).collect()
    };
    list.sort_all_objects();
    let mut hash = "sha256:".to_owned();
    for byte in Sha256::digest(list.to_string().as_bytes()) {
        // Writing to a string cannot fail.
        let _ = write!(hash, "{byte:02x}");
    }
    Some(hash)
}

#[cfg(test)]
mod tests {
    use windtunnel_spi::{ServedTool, ToolError};

    use super::*;

    fn served(definitions: Vec<(&str, Value)>) -> Served {
        let tool = |(name, definition): (&str, Value)| ServedTool {
            name: name.to_owned(),
            definition,
            effect: None,
        };
        Served {
            by_server: vec![("crm".to_owned(), definitions.into_iter().map(tool).collect())],
            unknown: Vec::new(),
        }
    }

    #[test]
    fn no_tools_have_the_hash_of_an_empty_list() {
        assert_eq!(
            tool_schema_hash(&Served::default()).unwrap(),
            "sha256:4f53cda18c2baa0c0354bb5f9a3ecbe5ed12ab4d8e11ba873c2f11161202b945"
        );
    }

    #[test]
    fn the_order_of_keys_does_not_matter_and_the_order_of_tools_does() {
        let (ab, ba) = (json!({"a": {"x": 1, "y": 2}, "b": 1}), json!({"b": 1, "a": {"y": 2, "x": 1}}));
        let hash = |definitions| tool_schema_hash(&served(definitions));
        assert_eq!(hash(vec![("t", ab.clone())]), hash(vec![("t", ba)]));
        let other = json!({"name": "u"});
        assert_ne!(hash(vec![("t", ab.clone()), ("u", other.clone())]), hash(vec![("u", other), ("t", ab)]));
    }

    #[test]
    fn names_stand_in_for_unknown_definitions() {
        let known = tool_schema_hash(&served(vec![("t", json!({"name": "t"}))]));
        let unknown = tool_schema_hash(&served(vec![("t", Value::Null)]));
        assert!(unknown.is_some());
        assert_ne!(known, unknown);
    }

    #[test]
    fn what_is_not_known_has_no_hash() {
        let served = Served { by_server: Vec::new(), unknown: vec![ToolError::new("crm", "gone")] };
        assert_eq!(tool_schema_hash(&served), None);
    }
}
