//! One HTTP request: which case, what it asks for, and the answer.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::request::Parts;
use axum::http::{HeaderMap, Method, Request, StatusCode};
use axum::response::Response;
use serde_json::Value;
use windtunnel_api::InferenceFault;

use super::answer;
use super::body::{self, Unread};
use super::cases::Cases;
use super::route::{Route, known_paths, route};
use crate::script::{Answer, Sent};
use crate::seam::{InferenceSeam, SeamRequest};
use crate::wire::openai_chat::OpenAiChat;
use crate::wire::{Delivery, Protocol, ReplyTo, ToolForm, WireError, openai_chat};

/// What a listener serves.
pub(crate) struct Endpoint {
    pub(crate) cases: Cases,
    /// Told about every request.
    pub(crate) observer: Option<Box<Observer>>,
}

/// Is told about a request after it was answered.
pub(crate) type Observer = dyn Fn(&ServedRequest) + Send + Sync;

/// A request that was answered.
#[derive(Debug, Clone, PartialEq)]
pub struct ServedRequest {
    /// The HTTP method.
    pub method: String,
    /// The path, without the query.
    pub path: String,
    /// The status of the answer.
    pub status: u16,
    /// The script's answer as evidence shows it: `{content?, tool_calls?}`, `{aside}`, `{fault}` or `{refused}`; none for requests
    /// that did not reach the script.
    pub answer: Option<Value>,
}

pub(super) async fn handle(State(endpoint): State<Arc<Endpoint>>, request: Request<Body>) -> Response {
    let (parts, body) = request.into_parts();
    let case = endpoint.cases.find(parts.uri.path());
    let number = case.as_ref().map_or(0, |(seam, _)| seam.count_request());
    let (mut response, answer) = respond(case, &parts, body).await;
    answer::common(&mut response, number);
    if let Some(observer) = &endpoint.observer {
        observer(&ServedRequest {
            method: parts.method.to_string(),
            path: parts.uri.path().to_owned(),
            status: response.status().as_u16(),
            answer,
        });
    }
    response
}

async fn respond(
    case: Option<(Arc<InferenceSeam>, &str)>,
    parts: &Parts,
    body: Body,
) -> (Response, Option<Value>) {
    if parts.method == Method::OPTIONS {
        return (answer::preflight(&parts.headers), None);
    }
    let Some((seam, rest)) = case else {
        let message = "no case is served at this address; its agent may have outlived it".to_owned();
        return (refusal(StatusCode::NOT_FOUND, &message), None);
    };
    let response = match route(&parts.method, rest) {
        Route::Post(protocol, _) => return infer(&seam, protocol, &parts.headers, body).await,
        Route::Models => answer::response(StatusCode::OK, OpenAiChat.models()),
        Route::Model(id) => answer::response(StatusCode::OK, OpenAiChat.model(id)),
        Route::WrongMethod { allowed } => {
            let message = format!("{} is not answered here, only {allowed}", parts.method);
            let mut response = refusal(StatusCode::METHOD_NOT_ALLOWED, &message);
            answer::allow(&mut response, allowed);
            response
        }
        Route::NotFound => {
            let message = format!("{} {rest} is not served; there are {}", parts.method, known_paths());
            refusal(StatusCode::NOT_FOUND, &message)
        }
    };
    (response, None)
}

/// An error that no second try would change.
fn refusal(status: StatusCode, message: &str) -> Response {
    let mut response =
        answer::response(status, openai_chat::error(&WireError::new(status.as_u16(), message)));
    answer::do_not_retry(&mut response);
    response
}

async fn infer(
    seam: &Arc<InferenceSeam>,
    protocol: &'static dyn Protocol,
    headers: &HeaderMap,
    body: Body,
) -> (Response, Option<Value>) {
    match understand(seam, protocol, headers, body).await {
        Ok(understood) => answer_from_script(seam, protocol, understood),
        Err(Unread { status, message }) => {
            seam.violate(format!("a request to {} was not understood: {message}", protocol.wire().name()));
            let mut response =
                answer::response(status, protocol.error(&WireError::new(status.as_u16(), &message)));
            answer::do_not_retry(&mut response);
            (response, None)
        }
    }
}

/// A request that is ready for the script.
struct Understood {
    request: SeamRequest,
    delivery: Delivery,
    stored: bool,
    replayable_reasoning: bool,
    tool_forms: Vec<ToolForm>,
}

async fn understand(
    seam: &InferenceSeam,
    protocol: &dyn Protocol,
    headers: &HeaderMap,
    body: Body,
) -> Result<Understood, Unread> {
    let bytes = body::read(headers, body).await?;
    let bad_request = |message| Unread { status: StatusCode::BAD_REQUEST, message };
    let value: Value = serde_json::from_slice(&bytes)
        .map_err(|error| bad_request(format!("the request body is not JSON: {error}")))?;
    let aside = aside(seam, protocol, &value);
    let read = protocol.read(value).map_err(bad_request)?;
    let request = SeamRequest {
        wire: protocol.wire().name(),
        model: read.model,
        messages: read.messages,
        offered: read.offered,
        aside,
        prompt_bytes: bytes.len(),
        sent: Some(Sent { digest: digest(&bytes), retried: is_retry(headers) }),
        tool_results: protocol.tool_results(),
    };
    Ok(Understood {
        request,
        delivery: read.delivery,
        stored: read.stored,
        replayable_reasoning: read.replayable_reasoning,
        tool_forms: read.tool_forms,
    })
}

fn answer_from_script(
    seam: &Arc<InferenceSeam>,
    protocol: &'static dyn Protocol,
    understood: Understood,
) -> (Response, Option<Value>) {
    let Understood { request, delivery, stored, replayable_reasoning, tool_forms } = understood;
    let model = request.model.clone();
    let step = seam.ask(request);
    let tracked = |status, payload| answer::tracked(status, payload, Arc::clone(seam), step.number);
    let response = match &*step.answer {
        Answer::Decision(reply) | Answer::Aside(reply) => {
            let to = ReplyTo {
                number: step.number,
                model: &model,
                delivery,
                previous: None,
                replayable_reasoning,
                stored,
                tool_forms: &tool_forms,
            };
            tracked(StatusCode::OK, protocol.reply(reply, &to))
        }
        Answer::Fault(fault) => {
            let status = status_of(fault);
            let mut response =
                tracked(status, protocol.error(&WireError::new(status.as_u16(), &fault_message(fault))));
            answer::retry_after(&mut response, fault);
            response
        }
        Answer::Refused { message } => {
            let message = format!("the script has no answer: {message}");
            let mut response =
                tracked(StatusCode::BAD_REQUEST, protocol.error(&WireError::new(400, &message)));
            answer::do_not_retry(&mut response);
            response
        }
    };
    (response, Some(step.answer.evidence()))
}

fn aside(seam: &InferenceSeam, protocol: &dyn Protocol, body: &Value) -> Option<String> {
    let asides = seam.asides();
    if asides.is_empty() {
        return None;
    }
    let plain = protocol.plain_form(body);
    let forms: Vec<&Value> = std::iter::once(body).chain(&plain).collect();
    asides.answer(&forms).map(str::to_owned)
}

fn status_of(fault: &InferenceFault) -> StatusCode {
    fault
        .status
        .and_then(|status| StatusCode::from_u16(status).ok())
        .unwrap_or(StatusCode::INTERNAL_SERVER_ERROR)
}

/// The message of a scripted error.
fn fault_message(fault: &InferenceFault) -> String {
    fault
        .message
        .clone()
        .unwrap_or_else(|| format!("{} (scripted)", status_of(fault).canonical_reason().unwrap_or("Error")))
}

/// Within one process and one case, an equal hash means an equal body.
fn digest(body: &Bytes) -> u64 {
    let mut hasher = DefaultHasher::new();
    body.hash(&mut hasher);
    hasher.finish()
}

/// Whether the client says that this is not its first try.
fn is_retry(headers: &HeaderMap) -> bool {
    let count = headers.get("x-stainless-retry-count").and_then(|count| count.to_str().ok());
    count.and_then(|count| count.trim().parse::<u64>().ok()).is_some_and(|count| count > 0)
}
