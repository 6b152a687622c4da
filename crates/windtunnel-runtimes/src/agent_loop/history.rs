//! Conversations in the shape of OpenAI Chat Completions.

use std::collections::HashMap;

use serde_json::{Map, Value, json};
use windtunnel_api::artifact::evidence::Role;
use windtunnel_inference::ChatReply;
use windtunnel_spi::{Message, SessionId};

/// The conversations of an agent.
#[derive(Debug, Default)]
pub(super) struct History(HashMap<SessionId, Vec<Value>>);

impl History {
    /// The messages of a session; a new one begins with the system prompt.
    pub(super) fn session(&mut self, session: &SessionId, system_prompt: Option<&str>) -> &mut Vec<Value> {
        self.0.entry(session.clone()).or_insert_with(|| {
            system_prompt.map(|prompt| json!({"role": "system", "content": prompt})).into_iter().collect()
        })
    }

    pub(super) fn clear(&mut self) {
        self.0.clear();
    }
}

/// Adds messages that come from outside. A system message right behind another goes on in that one: many models take only
/// one, at the beginning.
pub(super) fn add(conversation: &mut Vec<Value>, messages: &[Message]) {
    for message in messages {
        let last = conversation.last_mut().filter(|last| last["role"] == "system");
        match (message.role, last) {
            (Role::System, Some(last)) => {
                let said = last["content"].as_str().unwrap_or_default();
                last["content"] = format!("{said}\n\n{}", message.content).into();
            }
            _ => conversation.push(incoming(message)),
        }
    }
}

/// A message that was put into the conversation from outside.
fn incoming(message: &Message) -> Value {
    let role = match message.role {
        Role::System => "system",
        Role::User => "user",
        Role::Assistant => "assistant",
        Role::Tool => "tool",
    };
    let mut written = Map::new();
    written.insert("role".to_owned(), role.into());
    written.insert("content".to_owned(), message.content.as_str().into());
    if !message.tool_calls.is_empty() {
        written.insert("tool_calls".to_owned(), message.tool_calls.clone().into());
    }
    if let Some(id) = &message.tool_call_id {
        written.insert("tool_call_id".to_owned(), id.as_str().into());
    }
    Value::Object(written)
}

/// What the model answered.
pub(super) fn decided(reply: &ChatReply) -> Value {
    let mut written = Map::new();
    written.insert("role".to_owned(), "assistant".into());
    written.insert("content".to_owned(), reply.content.as_deref().into());
    if !reply.tool_calls.is_empty() {
        let calls = reply.tool_calls.iter().map(|call| {
            json!({
                "id": call.id,
                "type": "function",
                "function": {"name": call.name, "arguments": call.arguments},
            })
        });
        written.insert("tool_calls".to_owned(), calls.collect());
    }
    Value::Object(written)
}

/// What a tool call gave.
pub(super) fn result(call_id: &str, text: &str) -> Value {
    json!({"role": "tool", "tool_call_id": call_id, "content": text})
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_role_is_written_as_the_model_expects_it() {
        let call = json!({"id": "c1", "type": "function", "function": {"name": "lookup", "arguments": "{}"}});
        let assistant = Message {
            role: Role::Assistant,
            content: String::new(),
            tool_calls: vec![call.clone()],
            tool_call_id: None,
        };
        let tool = Message {
            role: Role::Tool,
            content: "75".to_owned(),
            tool_calls: Vec::new(),
            tool_call_id: Some("c1".to_owned()),
        };
        let system = Message { role: Role::System, ..Message::user("Be kind.") };
        for (message, written) in [
            (Message::user("hi"), json!({"role": "user", "content": "hi"})),
            (system, json!({"role": "system", "content": "Be kind."})),
            (assistant, json!({"role": "assistant", "content": "", "tool_calls": [call]})),
            (tool, json!({"role": "tool", "content": "75", "tool_call_id": "c1"})),
        ] {
            assert_eq!(incoming(&message), written);
        }
    }

    #[test]
    fn a_system_message_goes_on_in_the_one_before_it() {
        let mut conversation = vec![json!({"role": "system", "content": "Be kind."})];
        add(&mut conversation, &[Message::system("Be brief."), Message::user("hi")]);
        assert_eq!(
            conversation,
            [
                json!({"role": "system", "content": "Be kind.\n\nBe brief."}),
                json!({"role": "user", "content": "hi"})
            ]
        );
        add(&mut conversation, &[Message::system("Be quick.")]);
        assert_eq!(conversation[2], json!({"role": "system", "content": "Be quick."}));
    }

    #[test]
    fn a_session_begins_with_the_system_prompt_once() {
        let mut history = History::default();
        let session = SessionId::new("s");
        history.session(&session, Some("Be kind.")).push(json!(1));
        assert_eq!(history.session(&session, Some("Be kind.")).len(), 2);
        assert!(history.session(&SessionId::new("other"), None).is_empty());
    }
}
