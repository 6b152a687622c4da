//! What the paths do.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::{Method, StatusCode};
use axum::response::{IntoResponse as _, Response};
use axum::{Json, Router};
use futures::StreamExt as _;
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;
use windtunnel_http::is_from_this_machine;

use super::asked::{self, Asked};
use super::refusal::Refusal;
use super::reply::Heading;
use super::{body, streamed, whole};
use crate::endpoint::{EndpointRequest, EndpointRouter, RouteError, Session, SessionError};
use crate::exchange::ChatDelta;

const MODELS: &str = "/v1/models";
const CHAT: &str = "/v1/chat/completions";

/// Agents behind paths.
pub(super) struct Server {
    agents: Arc<dyn EndpointRouter>,
    stop: CancellationToken,
    /// Nothing but this machine reaches it, so that a page from elsewhere is a trick.
    is_local: bool,
}

impl Server {
    pub(super) fn new(agents: Arc<dyn EndpointRouter>, stop: CancellationToken, is_local: bool) -> Self {
        Self { agents, stop, is_local }
    }

    pub(super) fn into_router(self) -> Router {
        Router::new().fallback(dispatch).with_state(Arc::new(self))
    }

    async fn answer(&self, request: Request) -> Result<Response, Refusal> {
        if self.is_local && !is_from_this_machine(request.headers()) {
            let message = "requests of web pages are not answered: Origin is not this machine";
            return Err(Refusal::new(StatusCode::FORBIDDEN, message));
        }
        match (request.method(), request.uri().path()) {
            (&Method::GET, MODELS) => Ok(Json(list(&self.agents.models())).into_response()),
            (_, MODELS) => Err(Refusal::method(MODELS, "GET")),
            (&Method::POST, CHAT) => self.chat(request).await,
            (_, CHAT) => Err(Refusal::method(CHAT, "POST")),
            (_, other) => {
                let message = format!("there is no {other}; expected GET {MODELS} or POST {CHAT}");
                Err(Refusal::new(StatusCode::NOT_FOUND, message))
            }
        }
    }

    async fn chat(&self, request: Request) -> Result<Response, Refusal> {
        let Asked { request, streams } = asked::read(&body::read(request).await?)?;
        let model = request.model.clone();
        let session = self.open(request).await?;
        let heading = Heading::new(&session.id, model);
        let answer = Answer { session, stop: self.stop.clone() };
        if streams { Ok(streamed::respond(answer, heading)) } else { whole::respond(answer, heading).await }
    }

    async fn open(&self, request: EndpointRequest) -> Result<Session, Refusal> {
        let opened = tokio::select! {
            biased;
            opened = self.agents.open(request) => opened,
            () = self.stop.cancelled() => Err(RouteError::ShuttingDown),
        };
        opened.map_err(|error| {
            let mut refusal = Refusal::from(error);
            if refusal.status == StatusCode::NOT_FOUND {
                refusal.message.push_str(&served(&self.agents.models()));
            }
            refusal
        })
    }
}

async fn dispatch(State(server): State<Arc<Server>>, request: Request) -> Response {
    server.answer(request).await.unwrap_or_else(Refusal::into_response)
}

/// What an agent answers, until it or the endpoint ends.
pub(super) struct Answer {
    session: Session,
    stop: CancellationToken,
}

impl Answer {
    /// The next piece. The one with a finish reason is the last.
    pub(super) async fn next(&mut self) -> Result<ChatDelta, SessionError> {
        tokio::select! {
            biased;
            next = self.session.deltas.next() => {
                next.unwrap_or_else(|| Err(SessionError("the agent left the session without an answer".to_owned())))
            }
            () = self.stop.cancelled() => Err(SessionError(RouteError::ShuttingDown.to_string())),
        }
    }

    /// Tells the agent that the client has the whole answer.
    pub(super) fn close(self) {
        self.session.closer.close();
    }
}

fn list(models: &[String]) -> Value {
    let models =
        models.iter().map(|id| json!({"id": id, "object": "model", "created": 0, "owned_by": "omw"}));
    json!({"object": "list", "data": models.collect::<Vec<_>>()})
}

fn served(models: &[String]) -> String {
    if models.is_empty() {
        return "; no agent serves one at the moment".to_owned();
    }
    format!("; the agents serve {}", models.join(", "))
}
