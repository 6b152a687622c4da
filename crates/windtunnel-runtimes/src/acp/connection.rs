//! A running agent that we are the client of.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use agent_client_protocol::schema::ProtocolVersion;
use agent_client_protocol::v1::ConnectionTo;
use agent_client_protocol::v1::schema::{
    AuthMethod, AuthenticateRequest, CancelNotification, ClientCapabilities, FileSystemCapabilities,
    Implementation, InitializeRequest, InitializeResponse, McpServer, McpServerHttp, McpServerStdio,
    NewSessionRequest, PromptRequest, ReadTextFileRequest, ReadTextFileResponse, RequestPermissionRequest,
    SessionId as AcpSession, SessionNotification, WriteTextFileRequest, WriteTextFileResponse,
};
use agent_client_protocol::{
    Agent, Channel, Client, ErrorCode, JsonRpcRequest, is_connection_terminated,
    is_incoming_transport_closed, on_receive_notification, on_receive_request,
};
use tokio::sync::oneshot;
use tokio::task::{JoinSet, spawn_blocking};
use tokio::time::timeout;
use windtunnel_api::secret::Redactor;
use windtunnel_child::Child;
use windtunnel_spi::{RuntimeError, RuntimeErrorKind, SessionId};

use super::client_side::ClientSide;
use super::transport::{Intake, write};
use crate::program::{Exchange, Failure, Server, TurnLimit};

/// How long a program whose output has ended may take to end too.
const TO_END: Duration = Duration::from_secs(1);

/// Characters of what an agent's error says besides its message.
const SHOWN: usize = 500;

/// A running agent, and its sessions.
pub(super) struct Connection {
    pub(super) child: Child,
    peer: ConnectionTo<Agent>,
    client_side: Arc<ClientSide>,
    intake: Arc<Intake>,
    redactor: Redactor,
    /// What the agent said of itself, once it did.
    agent: Option<InitializeResponse>,
    sessions: HashMap<SessionId, AcpSession>,
    /// The pipes and the protocol. They end with the connection.
    _tasks: JoinSet<()>,
}

/// What a session begins with.
#[derive(Debug, Clone, Copy)]
pub(super) struct Opening<'a> {
    pub(super) servers: &'a [Server],
    pub(super) auth_method: Option<&'a str>,
    /// How long each answer may take.
    pub(super) limit: Duration,
}

impl Connection {
    /// Takes over the pipes of a program.
    pub(super) async fn new(
        mut child: Child,
        client_side: Arc<ClientSide>,
        redactor: Redactor,
    ) -> Result<Self, RuntimeError> {
        let broken = || RuntimeError::new(RuntimeErrorKind::Start, "the agent was started without pipes");
        let (Some(stdin), Some(stdout)) = (child.take_stdin(), child.take_stdout()) else {
            return Err(broken());
        };
        let intake = Arc::new(Intake::default());
        let (channel, pipes) = Channel::duplex();
        let (outgoing, incoming) = pipes.into_parts();
        let mut tasks = JoinSet::new();
        tasks.spawn(write(outgoing, stdin));
        tasks.spawn({
            let (intake, redactor) = (Arc::clone(&intake), redactor.clone());
            async move { intake.read(stdout, incoming, &redactor).await }
        });
        let (ready, peer) = oneshot::channel();
        tasks.spawn(serve(channel, Arc::clone(&client_side), ready));
        let peer = peer.await.map_err(|_| broken())?;
        let sessions = HashMap::new();
        Ok(Self { child, peer, client_side, intake, redactor, agent: None, sessions, _tasks: tasks })
    }

    /// Initializes the connection, unless that is done, and opens the session, unless it is open.
    pub(super) async fn open(&mut self, session: &SessionId, opening: Opening<'_>) -> Result<(), Failure> {
        if self.agent.is_none() {
            let agent = self.initialize(opening.limit).await?;
            if let Some(method) = opening.auth_method {
                self.authenticate(&agent, method, opening.limit).await?;
            }
            self.agent = Some(agent);
        }
        if !self.sessions.contains_key(session) {
            let opened = self.new_session(opening).await?;
            self.sessions.insert(session.clone(), opened);
        }
        Ok(())
    }

    /// Sends what the user says and waits for the end of the turn.
    pub(super) async fn prompt(&self, session: &SessionId, text: &str) -> Exchange {
        let Some(session) = self.sessions.get(session) else {
            return Err(Failure::Reply("the session was not opened".to_owned()));
        };
        self.client_side.begin_turn(session.clone());
        let request = PromptRequest::new(session.clone(), vec![text.into()]);
        let answered = self.request("session/prompt", request).await?;
        self.intake.forget();
        self.client_side.end_turn(answered.stop_reason).map_err(Failure::Reply)
    }

    async fn initialize(&self, limit: Duration) -> Result<InitializeResponse, Failure> {
        let files = FileSystemCapabilities::new().read_text_file(true).write_text_file(true);
        let request = InitializeRequest::new(ProtocolVersion::V1)
            .client_capabilities(ClientCapabilities::new().fs(files))
            .client_info(Implementation::new("wind-tunnel", env!("CARGO_PKG_VERSION")));
        // Another version in the answer is an error of the connection.
        self.starting("initialize", request, limit).await
    }

    async fn authenticate(
        &self,
        agent: &InitializeResponse,
        method: &str,
        limit: Duration,
    ) -> Result<(), Failure> {
        if !agent.auth_methods.iter().any(|offered| *offered.id().0 == *method) {
            let offered = offered(&agent.auth_methods);
            return Err(Failure::Reply(format!(
                "the agent does not offer the auth_method `{method}`: {offered}"
            )));
        }
        let request = AuthenticateRequest::new(method.to_owned());
        self.starting("authenticate", request, limit).await.map(|_| ())
    }

    async fn new_session(&self, opening: Opening<'_>) -> Result<AcpSession, Failure> {
        let http = self.agent.as_ref().is_some_and(|agent| agent.agent_capabilities.mcp_capabilities.http);
        let servers = opening.servers.iter().filter_map(|server| mcp_server(server, http)).collect();
        let request = NewSessionRequest::new(self.client_side.files.workspace()).mcp_servers(servers);
        let opened = self.starting("session/new", request, opening.limit).await?;
        Ok(opened.session_id)
    }

    /// A request that belongs to the start.
    async fn starting<R: JsonRpcRequest>(
        &self,
        method: &'static str,
        request: R,
        limit: Duration,
    ) -> Result<R::Response, Failure> {
        timeout(limit, self.request(method, request))
            .await
            .unwrap_or(Err(Failure::Late(TurnLimit::start(limit, method))))
    }

    async fn request<R: JsonRpcRequest>(&self, method: &str, request: R) -> Result<R::Response, Failure> {
        match self.peer.send_request(request).block_task().await {
            Ok(response) => Ok(response),
            Err(error) => Err(self.failure(method, error).await),
        }
    }

    /// What an error means: a fault in the output, the end of the program, a login, or the agent's own error.
    async fn failure(&self, method: &str, error: agent_client_protocol::Error) -> Failure {
        if let Some(fault) = self.intake.fault() {
            return Failure::Reply(fault.to_owned());
        }
        if is_incoming_transport_closed(&error) || is_connection_terminated(&error) {
            return match timeout(TO_END, self.child.wait()).await {
                Ok(exit) => Failure::Ended(exit),
                Err(_) => Failure::Reply("the agent closed its standard output, and goes on".to_owned()),
            };
        }
        if error.code == ErrorCode::AUTH_REQUIRED {
            let methods = self.agent.as_ref().map_or(&[][..], |agent| &agent.auth_methods);
            return Failure::Reply(format!(
                "the agent wants a login before {method}: {}; set auth_method to one that needs no person, and give it what it \
                 needs with env or pass_env",
                offered(methods)
            ));
        }
        let code = i32::from(error.code);
        let data = error.data.map(|data| match data {
            serde_json::Value::String(text) => text,
            other => other.to_string(),
        });
        let data = data.map(|data| format!(": {}", self.redactor.excerpt(&data, SHOWN))).unwrap_or_default();
        Failure::Reply(format!("{method} failed with error {code}: {}{data}", error.message))
    }
}

/// Speaks the protocol until it is dropped, and hands out the peer first.
async fn serve(channel: Channel, client_side: Arc<ClientSide>, ready: oneshot::Sender<ConnectionTo<Agent>>) {
    let (updates, permissions) = (Arc::clone(&client_side), Arc::clone(&client_side));
    let (readable, writable) = (client_side.files.clone(), client_side.files.clone());
    // Its end is the end of the requests that wait for it.
    let _ = Client
        .v1()
        .name("wind-tunnel")
        .on_receive_notification(
            async move |notification: SessionNotification, _| {
                updates.update(notification);
                Ok(())
            },
            on_receive_notification!(),
        )
        .on_receive_request(
            async move |request: RequestPermissionRequest, responder, peer: ConnectionTo<Agent>| {
                let session = request.session_id.clone();
                let answered = permissions.permission(request);
                if answered.cancels {
                    peer.send_notification(CancelNotification::new(session))?;
                }
                responder.respond(answered.response)
            },
            on_receive_request!(),
        )
        .on_receive_request(
            async move |request: ReadTextFileRequest, responder, _| {
                let files = readable.clone();
                let read = spawn_blocking(move || files.read(&request)).await;
                let read = read.unwrap_or_else(|_| Err(agent_client_protocol::Error::internal_error()));
                responder.respond_with_result(read.map(ReadTextFileResponse::new))
            },
            on_receive_request!(),
        )
        .on_receive_request(
            async move |request: WriteTextFileRequest, responder, _| {
                let files = writable.clone();
                let written = spawn_blocking(move || files.write(&request)).await;
                let written = written.unwrap_or_else(|_| Err(agent_client_protocol::Error::internal_error()));
                responder.respond_with_result(written.map(|()| WriteTextFileResponse::new()))
            },
            on_receive_request!(),
        )
        .connect_with(channel, async move |peer| {
            let _ = ready.send(peer);
            std::future::pending::<Result<(), agent_client_protocol::Error>>().await
        })
        .await;
}

/// A tool server for a session: at its URL where the agent takes that, else behind our bridge.
fn mcp_server(server: &Server, http: bool) -> Option<McpServer> {
    if http {
        return Some(McpServer::Http(McpServerHttp::new(&server.name, &server.url)));
    }
    let (program, args) = server.bridge.split_first()?;
    Some(McpServer::Stdio(McpServerStdio::new(&server.name, program).args(args.to_vec())))
}

/// The logins that an agent offers.
fn offered(methods: &[AuthMethod]) -> String {
    if methods.is_empty() {
        return "it offers none".to_owned();
    }
    let one = |method: &AuthMethod| format!("`{}` ({})", method.id(), method.name());
    format!("it offers {}", methods.iter().map(one).collect::<Vec<_>>().join(", "))
}
