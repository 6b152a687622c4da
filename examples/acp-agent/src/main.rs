//! A small agent that speaks the Agent Client Protocol on standard input and output: a loop between a model and the tools of the
//! session's MCP servers. Whatever is not read-only is asked for first.
//!
//! `OPENAI_BASE_URL` and `OPENAI_API_KEY` say where its model is.

mod model;
mod session;
mod stdio;
mod tools;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use agent_client_protocol::schema::ProtocolVersion;
use agent_client_protocol::v1::ConnectionTo;
use agent_client_protocol::v1::schema::{
    AgentCapabilities, InitializeRequest, InitializeResponse, McpCapabilities, NewSessionRequest,
    NewSessionResponse, PromptRequest, PromptResponse, SessionId,
};
use agent_client_protocol::{Agent, Client, Error, on_receive_request};

use crate::model::Model;
use crate::session::Session;
use crate::tools::Tools;

/// The sessions that are open. One turn at a time has its session.
type Sessions = Arc<Mutex<HashMap<SessionId, Arc<tokio::sync::Mutex<Session>>>>>;

#[tokio::main]
async fn main() -> Result<(), Error> {
    // Only fails where one is installed already.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let model = Model::from_env().map_err(|error| Error::internal_error().data(error))?;
    let sessions = Sessions::default();
    let opened = Arc::clone(&sessions);
    Agent
        .v1()
        .name("acp-agent")
        .on_receive_request(
            async |_: InitializeRequest, responder, _| {
                let capabilities =
                    AgentCapabilities::new().mcp_capabilities(McpCapabilities::new().http(true));
                responder
                    .respond(InitializeResponse::new(ProtocolVersion::V1).agent_capabilities(capabilities))
            },
            on_receive_request!(),
        )
        .on_receive_request(
            async move |request: NewSessionRequest, responder, _| {
                let tools = match Tools::connect(request.mcp_servers).await {
                    Ok(tools) => tools,
                    Err(error) => {
                        return responder.respond_with_error(Error::internal_error().data(error));
                    }
                };
                let mut sessions = opened.lock().unwrap_or_else(PoisonError::into_inner);
                let id = SessionId::new(format!("session-{}", sessions.len() + 1));
                let session = Session::new(id.clone(), model.clone(), tools);
                sessions.insert(id.clone(), Arc::new(tokio::sync::Mutex::new(session)));
                responder.respond(NewSessionResponse::new(id))
            },
            on_receive_request!(),
        )
        .on_receive_request(
            async move |request: PromptRequest, responder, client: ConnectionTo<Client>| {
                let session = {
                    let sessions = sessions.lock().unwrap_or_else(PoisonError::into_inner);
                    sessions.get(&request.session_id).cloned()
                };
                let Some(session) = session else {
                    return responder.respond_with_error(Error::invalid_params().data("no such session"));
                };
                // The turn asks the client, whose answers arrive only while this handler has returned.
                client.clone().spawn(async move {
                    let ended = session.lock().await.turn(&client, request.prompt).await;
                    responder.respond_with_result(ended.map(PromptResponse::new))
                })
            },
            on_receive_request!(),
        )
        .connect_to(stdio::transport())
        .await
}
