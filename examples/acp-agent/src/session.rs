//! A conversation.

use agent_client_protocol::v1::ConnectionTo;
use agent_client_protocol::v1::schema::{
    ContentBlock, ContentChunk, PermissionOption, PermissionOptionKind, RequestPermissionOutcome,
    RequestPermissionRequest, SessionId, SessionNotification, SessionUpdate, StopReason, ToolCall,
    ToolCallStatus, ToolCallUpdate, ToolCallUpdateFields,
};
use agent_client_protocol::{Client, Error};
use serde_json::{Value, json};

use crate::model::Model;
use crate::tools::Tools;

pub(crate) struct Session {
    id: SessionId,
    model: Model,
    tools: Tools,
    messages: Vec<Value>,
}

/// What became of a call.
enum Called {
    Answered(String),
    Failed(String),
    /// The user walked away.
    Cancelled,
}

impl Session {
    pub(crate) fn new(id: SessionId, model: Model, tools: Tools) -> Self {
        let system = "You keep the notes of a team. Say what you did, and what you were not allowed to do.";
        Self { id, model, tools, messages: vec![json!({"role": "system", "content": system})] }
    }

    /// Asks the model and calls what it wants called, until it only speaks.
    pub(crate) async fn turn(
        &mut self,
        client: &ConnectionTo<Client>,
        prompt: Vec<ContentBlock>,
    ) -> Result<StopReason, Error> {
        let texts = prompt.into_iter().filter_map(|block| match block {
            ContentBlock::Text(text) => Some(text.text),
            _ => None,
        });
        self.messages.push(json!({"role": "user", "content": texts.collect::<Vec<_>>().join("\n")}));
        loop {
            let offered = self.tools.offered();
            let message = self.model.ask(&self.messages, &offered).await;
            let message = message.map_err(|error| Error::internal_error().data(error))?;
            if let Some(text) = message["content"].as_str() {
                self.tell(client, SessionUpdate::AgentMessageChunk(ContentChunk::new(text.into())))?;
            }
            let calls = message["tool_calls"].as_array().cloned().unwrap_or_default();
            self.messages.push(message);
            if calls.is_empty() {
                return Ok(StopReason::EndTurn);
            }
            for call in calls {
                let id = call["id"].as_str().unwrap_or_default();
                let name = call["function"]["name"].as_str().unwrap_or_default();
                let arguments = call["function"]["arguments"].as_str().unwrap_or("{}");
                let result = match self.call(client, id, name, arguments).await? {
                    Called::Answered(text) => self.ends(client, id, ToolCallStatus::Completed, text)?,
                    Called::Failed(text) => self.ends(client, id, ToolCallStatus::Failed, text)?,
                    Called::Cancelled => return Ok(StopReason::Cancelled),
                };
                self.messages.push(json!({"role": "tool", "tool_call_id": id, "content": result}));
            }
        }
    }

    async fn call(
        &self,
        client: &ConnectionTo<Client>,
        id: &str,
        name: &str,
        arguments: &str,
    ) -> Result<Called, Error> {
        let arguments: Value = match serde_json::from_str(arguments) {
            Ok(arguments) => arguments,
            Err(error) => return Ok(Called::Failed(format!("the arguments are no JSON: {error}"))),
        };
        let call = ToolCall::new(id.to_owned(), format!("Call {name}"))
            .name(name.to_owned())
            .raw_input(arguments.clone());
        self.tell(client, SessionUpdate::ToolCall(call.clone()))?;
        if !self.tools.is_read_only(name) {
            let fields = ToolCallUpdateFields::new().title(call.title.clone());
            let options =
                [("yes", PermissionOptionKind::AllowOnce), ("no", PermissionOptionKind::RejectOnce)]
                    .map(|(word, kind)| PermissionOption::new(word, word, kind));
            let request = RequestPermissionRequest::new(
                self.id.clone(),
                ToolCallUpdate::new(id.to_owned(), fields),
                options.into(),
            );
            match client.send_request(request).block_task().await?.outcome {
                RequestPermissionOutcome::Selected(chosen) if &*chosen.option_id.0 == "yes" => {}
                RequestPermissionOutcome::Selected(_) => {
                    return Ok(Called::Failed("The user does not allow this.".to_owned()));
                }
                _ => return Ok(Called::Cancelled),
            }
        }
        let called = self.tools.call(name, arguments.as_object().cloned()).await;
        Ok(called.map_or_else(Called::Failed, Called::Answered))
    }

    fn ends(
        &self,
        client: &ConnectionTo<Client>,
        id: &str,
        status: ToolCallStatus,
        text: String,
    ) -> Result<String, Error> {
        let fields = ToolCallUpdateFields::new().status(status).content(vec![text.as_str().into()]);
        self.tell(client, SessionUpdate::ToolCallUpdate(ToolCallUpdate::new(id.to_owned(), fields)))?;
        Ok(text)
    }

    fn tell(&self, client: &ConnectionTo<Client>, update: SessionUpdate) -> Result<(), Error> {
        client.send_notification(SessionNotification::new(self.id.clone(), update))
    }
}
