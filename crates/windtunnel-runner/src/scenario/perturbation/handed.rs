//! Whether the model was shown what was put before a turn.

use serde_json::Value;
use windtunnel_api::artifact::evidence::Evidence;
use windtunnel_api::artifact::marker::{PERTURBATION_APPLIED, PERTURBATION_LEFT_OUT};
use windtunnel_api::config::Wire;
use windtunnel_api::surface::Surface;
use windtunnel_spi::{Stamp, Stamped};

/// What one perturbation put before a turn.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::scenario) struct Inserted {
    /// Its kind and key, as markers name it.
    name: String,
    /// Texts of its own. An agent may write its history in its own way: a request that holds one of them shows it.
    texts: Vec<String>,
    /// Whether it is in a system message.
    is_system: bool,
}

/// What was handed to the agent with one turn.
#[derive(Debug)]
pub(in crate::scenario) struct Handed {
    /// The turn, from 0.
    pub(in crate::scenario) turn: usize,
    /// What, and when.
    pub(in crate::scenario) inserted: Vec<Stamped<Inserted>>,
    /// When the turn was over.
    pub(in crate::scenario) until: Stamp,
}

impl Inserted {
    /// Where no text of its own can be found, it is never shown.
    pub(super) fn new(name: String, texts: Vec<String>, is_system: bool) -> Self {
        let texts = texts.into_iter().filter(|text| !text.trim().is_empty()).collect();
        Self { name, texts, is_system }
    }

    /// The marker of a perturbation that was applied.
    pub(in crate::scenario) fn applied(&self) -> String {
        format!("{PERTURBATION_APPLIED}{}", self.name)
    }

    /// Whether one of its texts is in a value.
    fn is_in(&self, value: &Value) -> bool {
        self.texts.iter().any(|text| {
            let document = serde_json::from_str::<Value>(text)
                .ok()
                .filter(|value| value.is_object() || value.is_array());
            holds(value, text, document.as_ref())
        })
    }
}

/// What is warned of, each in its place.
///
/// ```text
/// any request seen | one of the turn holds it | it may stand elsewhere | warnings
/// no               | -                        | -                      | the marker, and that nobody saw
/// yes              | yes                      | -                      | the marker
/// yes              | no                       | no                     | that it was left out
/// yes              | no                       | yes                    | the marker, and that nobody saw
/// ```
///
/// Some wires keep system messages apart from the conversation. Those are known of the first request alone, as its surface.
pub(in crate::scenario) fn told(
    handed: &Handed,
    seen: &[Stamped<Evidence>],
    surface: Option<&Surface>,
) -> Vec<Stamped<String>> {
    let requests = |event: &Stamped<Evidence>| matches!(event.value, Evidence::Inference { .. });
    let witnessed = seen.iter().any(requests);
    let mut told = Vec::new();
    for Stamped { stamp, at_ms, value: inserted } in &handed.inserted {
        let (mut shown, mut elsewhere) = (false, false);
        for event in seen.iter().filter(|event| event.stamp > *stamp && event.stamp < handed.until) {
            let Evidence::Inference { wire, messages, .. } = &event.value else { continue };
            shown |= messages.iter().any(|message| inserted.is_in(message));
            elsewhere |= inserted.is_system && handed.turn > 0 && keeps_system_apart(wire);
        }
        if let Some(surface) = surface.filter(|_| inserted.is_system && handed.turn == 0) {
            let mut instructions = surface.system_instructions.iter();
            shown |= instructions.any(|told| inserted.is_in(&Value::from(told.content.as_str())));
        }
        let mut warn = |value| told.push(Stamped { stamp: *stamp, at_ms: *at_ms, value });
        let unseen = !witnessed || (!shown && elsewhere);
        if !shown && !unseen {
            warn(format!("{PERTURBATION_LEFT_OUT}{}", inserted.name));
            continue;
        }
        warn(inserted.applied());
        if unseen {
            warn(format!("{} was handed to the agent; nobody saw whether its model got it", inserted.name));
        }
    }
    told
}

fn keeps_system_apart(wire: &str) -> bool {
    [Wire::OpenAiResponses, Wire::AnthropicMessages].iter().any(|apart| apart.name() == wire)
}

/// Whether a text is anywhere in a value, or the document that it is.
fn holds(value: &Value, text: &str, document: Option<&Value>) -> bool {
    if document.is_some_and(|document| document == value) {
        return true;
    }
    match value {
        Value::String(found) => {
            let same =
                |document: &Value| serde_json::from_str::<Value>(found).is_ok_and(|found| found == *document);
            found.contains(text) || document.is_some_and(same)
        }
        Value::Array(items) => items.iter().any(|item| holds(item, text, document)),
        Value::Object(fields) => fields.values().any(|field| holds(field, text, document)),
        Value::Null | Value::Bool(_) | Value::Number(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use windtunnel_api::surface::Instruction;

    use super::*;

    fn stamped<T>(value: T) -> Stamped<T> {
        Stamped { stamp: Stamp::next(), at_ms: 0.0, value }
    }

    fn request(wire: &str, message: Value) -> Stamped<Evidence> {
        stamped(Evidence::Inference {
            wire: wire.to_owned(),
            model: "m".to_owned(),
            messages: vec![message],
            tools: vec![],
            decision: json!({}),
        })
    }

    fn memory() -> Inserted {
        Inserted::new("inject_stale_memory key=order".to_owned(), vec!["order: B-99".to_owned()], true)
    }

    /// One word per warning.
    fn words(
        turn: usize,
        inserted: Inserted,
        seen: impl FnOnce() -> Vec<Stamped<Evidence>>,
        surface: Option<&Surface>,
    ) -> Vec<&'static str> {
        let inserted = vec![stamped(inserted)];
        let seen = seen();
        let handed = Handed { turn, inserted, until: Stamp::next() };
        let late = request("openai-chat", json!("order: B-99"));
        let seen: Vec<_> = if seen.is_empty() { seen } else { seen.into_iter().chain([late]).collect() };
        let told = told(&handed, &seen, surface);
        let word = |told: &Stamped<String>| match told.value.as_str() {
            "perturbation_applied: inject_stale_memory key=order" => "applied",
            "perturbation_left_out: inject_stale_memory key=order" => "left out",
            "inject_stale_memory key=order was handed to the agent; nobody saw whether its model got it" => {
                "unseen"
            }
            other => panic!("{other}"),
        };
        told.iter().map(word).collect()
    }

    #[test]
    fn every_row_of_the_table_holds() {
        let says = |text: &str| json!({"role": "system", "content": [{"type": "text", "text": text}]});
        let (shown, not) = ("Saved memory:\n- order: B-99", "Cancel my order B-99");
        for (turn, seen, expected) in [
            (0, vec![], vec!["applied", "unseen"]),
            (0, vec![("openai-chat", not), ("openai-chat", shown)], vec!["applied"]),
            (0, vec![("openai-chat", not)], vec!["left out"]),
            (1, vec![("openai-chat", not)], vec!["left out"]),
            (0, vec![("anthropic-messages", not)], vec!["left out"]),
            (1, vec![("anthropic-messages", not)], vec!["applied", "unseen"]),
            (1, vec![("openai-responses", shown)], vec!["applied"]),
        ] {
            let requests = || seen.iter().map(|(wire, text)| request(wire, says(text))).collect();
            assert_eq!(words(turn, memory(), requests, None), expected, "turn {turn}: {seen:?}");
        }
    }

    #[test]
    fn the_instructions_of_the_first_request_show_what_stands_before_the_first_turn() {
        let instruction =
            Instruction { r#type: "text".to_owned(), content: "Memory: order: B-99".to_owned() };
        let surface = Surface { system_instructions: vec![instruction], ..Surface::default() };
        let asks = || vec![request("anthropic-messages", json!("go"))];
        assert_eq!(words(0, memory(), asks, Some(&surface)), ["applied"]);
        assert_eq!(words(1, memory(), asks, Some(&surface)), ["applied", "unseen"]);
    }

    #[test]
    fn a_call_is_shown_by_its_id_or_its_result_in_whatever_shape() {
        let call = Inserted::new(
            "x".to_owned(),
            vec!["call_prior_0".to_owned(), r#"{"a":1,"b":2}"#.to_owned()],
            false,
        );
        for (message, shown) in [
            (json!({"tool_call_id": "call_prior_0", "content": ""}), true),
            (json!({"content": "a tool said {\"a\":1,\"b\":2}."}), true),
            (json!({"content": "{ \"b\": 2, \"a\": 1 }"}), true),
            (json!({"content": [{"output": {"b": 2, "a": 1}}]}), true),
            (json!({"content": {"a": 1}}), false),
        ] {
            assert_eq!(call.is_in(&message), shown, "{message}");
        }
        let blank = Inserted::new("x".to_owned(), vec![String::new()], false);
        assert!(!blank.is_in(&json!({"content": ""})));
    }
}
