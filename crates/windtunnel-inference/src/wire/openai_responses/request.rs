//! Reading requests, as tolerantly as providers do.

use serde_json::{Value, json};

use super::tools;
use crate::wire::value::{fields, flag, kind, list, take_text, tool_definitions};
use crate::wire::{Delivery, WireRequest};

pub(super) fn read(body: Value) -> Result<WireRequest, String> {
    let mut body = fields(body)?;
    let warm_up = flag(body.get("generate"), "generate")? == Some(false);
    let previous = take_text(&mut body, "previous_response_id")?;
    let messages = match body.remove("input") {
        Some(Value::Array(items)) => items,
        Some(Value::String(text)) => vec![json!({"type": "message", "role": "user", "content": text})],
        Some(Value::Null) | None => {
            let goes_on =
                previous.is_some() || body.contains_key("conversation") || body.contains_key("prompt");
            if !warm_up && !goes_on {
                return Err("`input` is missing, expected a string or a list of items".to_owned());
            }
            Vec::new()
        }
        Some(other) => {
            return Err(format!("`input` is {}, expected a string or a list of items", kind(&other)));
        }
    };
    if let Some((index, other)) = messages.iter().enumerate().find(|(_, item)| !item.is_object()) {
        return Err(format!("`input[{index}]` is {}, expected an object with a type", kind(other)));
    }
    let stored = flag(body.get("store"), "store")?.unwrap_or(true);
    let encrypted = list(&body, "include")?.iter().any(|name| name == "reasoning.encrypted_content");
    let streamed = flag(body.get("stream"), "stream")?.unwrap_or_default();
    let (offered, tool_forms) = tools::offered(tools::definitions(tool_definitions(&body)?, &messages));
    Ok(WireRequest {
        model: take_text(&mut body, "model")?.unwrap_or_default(),
        messages,
        offered,
        delivery: if streamed { Delivery::Stream { usage: true } } else { Delivery::Whole },
        previous,
        warm_up,
        // Nothing is kept of an answer that is not stored, so its reasoning has to travel with the client.
        replayable_reasoning: encrypted || !stored,
        stored,
        tool_forms,
    })
}

/// A body with these items as its input.
pub(super) fn with_items(mut body: Value, items: &[Value]) -> Value {
    if let Some(body) = body.as_object_mut() {
        body.insert("input".to_owned(), items.into());
    }
    body
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with(fields: Value) -> WireRequest {
        let mut body = json!({"model": "m", "input": []});
        let Value::Object(fields) = fields else { panic!("an object") };
        body.as_object_mut().unwrap().extend(fields);
        read(body).unwrap()
    }

    #[test]
    fn an_input_is_a_string_or_a_list_of_items_of_any_kind() {
        let said = json!({"type": "message", "role": "user", "content": "hi"});
        assert_eq!(with(json!({"input": "hi"})).messages, std::slice::from_ref(&said));
        let items = [said, json!({"type": "of next year"}), json!({"role": "user", "content": []})];
        assert_eq!(with(json!({"input": items})).messages, items);
    }

    #[test]
    fn no_input_is_needed_to_warm_up_or_to_go_on() {
        for fields in [
            json!({"generate": false}),
            json!({"previous_response_id": "resp_1"}),
            json!({"conversation": "conv_1"}),
            json!({"prompt": {"id": "pmpt_1"}}),
        ] {
            let Value::Object(body) = fields else { panic!("an object") };
            assert!(read(Value::Object(body.clone())).unwrap().messages.is_empty(), "{body:?}");
        }
    }

    #[test]
    fn what_is_wrong_with_a_body_is_said_with_its_place() {
        for (body, message) in [
            (json!([]), "the request body is a list, expected a JSON object"),
            (json!({}), "`input` is missing, expected a string or a list of items"),
            (json!({"input": 7}), "`input` is a number, expected a string or a list of items"),
            (json!({"input": [{}, "x"]}), "`input[1]` is a string, expected an object with a type"),
            (json!({"input": "x", "model": 4}), "`model` is a number, expected a string"),
            (json!({"input": "x", "stream": "yes"}), "`stream` is a string, expected a boolean"),
            (json!({"input": "x", "store": 1}), "`store` is a number, expected a boolean"),
            (json!({"input": "x", "generate": []}), "`generate` is a list, expected a boolean"),
            (json!({"input": "x", "include": "all"}), "`include` is a string, expected a list"),
            (json!({"input": "x", "tools": {}}), "`tools` is an object, expected a list"),
            (json!({"input": "x", "tools": [{}, 5]}), "`tools[1]` is a number, expected an object"),
            (json!({"previous_response_id": 1}), "`previous_response_id` is a number, expected a string"),
        ] {
            assert_eq!(read(body), Err(message.to_owned()));
        }
    }

    #[test]
    fn reasoning_is_replayable_if_asked_for_or_if_nothing_is_stored() {
        let include = json!(["reasoning.encrypted_content"]);
        for (fields, replayable, stored) in [
            (json!({}), false, true),
            (json!({"include": [], "store": true}), false, true),
            (json!({"include": include, "store": null}), true, true),
            (json!({"store": false}), true, false),
            (json!({"include": include, "store": false}), true, false),
        ] {
            let request = with(fields.clone());
            assert_eq!((request.replayable_reasoning, request.stored), (replayable, stored), "{fields}");
        }
    }
}
