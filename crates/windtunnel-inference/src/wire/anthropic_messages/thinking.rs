//! Thinking blocks: they come signed, and have to come back as they came.

use serde_json::{Map, Value};

use super::ids;
use super::messages::{blocks, type_of};

/// Whether a request turns thinking on.
pub(super) fn is_on(body: &Map<String, Value>) -> bool {
    let kind = body.get("thinking").and_then(|thinking| thinking.get("type")).and_then(Value::as_str);
    kind.is_some_and(|kind| kind != "disabled")
}

/// The last assistant turn leads with the thinking block that led to its calls, as it was sent. The provider refuses others.
pub(super) fn came_back(messages: &[Value]) -> Result<(), String> {
    let is_assistant = |message: &Value| message.get("role").and_then(Value::as_str) == Some("assistant");
    let Some(last) = messages.iter().rposition(is_assistant) else { return Ok(()) };
    let before = messages.get(..last).unwrap_or_default();
    let first = before.iter().rposition(|message| !is_assistant(message)).map_or(0, |index| index + 1);
    let turn = messages.get(first..=last).unwrap_or_default();
    let blocks = || turn.iter().flat_map(blocks);
    let thought = |block: &Value| {
        type_of(block) == "tool_use" && block.get("id").and_then(Value::as_str).is_some_and(ids::is_thought)
    };
    if !blocks().any(thought) {
        return Ok(());
    }
    let Some(lead) = blocks().next() else { return Ok(()) };
    let expected = "with thinking on, a turn with tool calls comes back with the thinking block before them, as it was sent";
    if type_of(lead) != "thinking" {
        return Err(format!("`messages[{first}].content[0]` is a `{}` block; {expected}", type_of(lead)));
    }
    let text = |key: &str| lead.get(key).and_then(Value::as_str).unwrap_or_default();
    if text("signature") != signature(text("thinking")) {
        return Err(format!(
            "`messages[{first}].content[0]` has a `signature` that does not fit; {expected}"
        ));
    }
    Ok(())
}

/// The signature of a thinking block: a hash, so that a changed text shows.
pub(super) fn signature(thinking: &str) -> String {
    const BASIS: u64 = 0xcbf2_9ce4_8422_2325;
    const PRIME: u64 = 0x0100_0000_01b3;
    let hash = thinking.bytes().fold(BASIS, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(PRIME));
    format!("wt_{hash:016x}")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::wire::WireRequest;
    use crate::wire::anthropic_messages::request;

    fn read(thinking: &Value, messages: &Value) -> Result<WireRequest, String> {
        request::read(json!({"model": "m", "max_tokens": 9, "thinking": thinking, "messages": messages}))
    }

    #[test]
    fn another_text_has_another_signature() {
        assert_eq!(signature("Orders live in the CRM."), signature("Orders live in the CRM."));
        assert_ne!(signature("Orders live in the CRM."), signature("Orders live in the ERP."));
    }

    /// ```text
    /// thinking on | we sent thinking | the turn leads with   | understood
    /// no          | yes              | the call              | yes
    /// yes         | no               | the call              | yes
    /// yes         | yes              | the block as sent     | yes
    /// yes         | yes              | the call              | no
    /// yes         | yes              | text                  | no
    /// yes         | yes              | the block, unsigned   | no
    /// yes         | yes              | the block, other text | no
    /// ```
    #[test]
    fn with_thinking_on_a_tool_turn_leads_with_the_block_that_was_sent() {
        let block = json!({"type": "thinking", "thinking": "CRM.", "signature": signature("CRM.")});
        let unsigned = json!({"type": "thinking", "thinking": "CRM."});
        let changed = json!({"type": "thinking", "thinking": "ERP.", "signature": signature("CRM.")});
        let text = json!({"type": "text", "text": "Let me look."});
        let (on, off) = (json!({"type": "adaptive"}), json!({"type": "disabled"}));
        let leads = "`messages[1].content[0]` is a `";
        let fits = "`messages[1].content[0]` has a `signature` that does not fit";
        for (thinking, sent, lead, refused) in [
            (&off, true, None, None),
            (&on, false, None, None),
            (&on, true, Some(&block), None),
            (&on, true, None, Some(leads)),
            (&on, true, Some(&text), Some(leads)),
            (&on, true, Some(&unsigned), Some(fits)),
            (&on, true, Some(&changed), Some(fits)),
        ] {
            let id = ids::sent("call_wt_1_1", sent);
            let call = json!({"type": "tool_use", "id": id, "name": "lookup", "input": {}});
            let blocks: Vec<&Value> = lead.into_iter().chain([&call]).collect();
            let messages = json!([
                {"role": "user", "content": "How many?"},
                {"role": "assistant", "content": blocks},
                {"role": "user", "content": [{"type": "tool_result", "tool_use_id": id, "content": "75"}]},
            ]);
            let read = read(thinking, &messages);
            match refused {
                None => assert!(read.is_ok(), "{read:?}"),
                Some(start) => assert!(read.as_ref().unwrap_err().starts_with(start), "{read:?}"),
            }
        }
    }

    #[test]
    fn thinking_of_earlier_turns_may_be_left_out() {
        let call =
            json!({"type": "tool_use", "id": ids::sent("call_wt_1_1", true), "name": "lookup", "input": {}});
        let messages = json!([
            {"role": "assistant", "content": [call]},
            {"role": "user", "content": "and?"},
            {"role": "assistant", "content": [{"type": "text", "text": "75"}]},
            {"role": "user", "content": "sure?"},
        ]);
        assert!(read(&json!({"type": "enabled"}), &messages).is_ok());
    }

    #[test]
    fn a_turn_in_two_messages_is_one_turn() {
        let block = json!({"type": "thinking", "thinking": "CRM.", "signature": signature("CRM.")});
        let call =
            json!({"type": "tool_use", "id": ids::sent("call_wt_1_1", true), "name": "lookup", "input": {}});
        let messages =
            json!([{"role": "assistant", "content": [block]}, {"role": "assistant", "content": [call]}]);
        assert!(read(&json!({"type": "enabled"}), &messages).is_ok());
    }
}
