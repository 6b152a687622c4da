//! One HTTP request: which case, what it asks for, and the answer.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use hyper::body::{Bytes, Incoming};
use hyper::http::request::Parts;
use hyper::{HeaderMap, Method, Request, Response, StatusCode};
use serde_json::{Value, json};

use super::body::{self, Unread};
use super::cases::Cases;
use super::connection::Handler;
use super::route::{Route, known_paths, route};
use super::stream::{Hangup, Outgoing};
use super::{answer, fault};
use crate::chat::{ChatReply, TokenUsage};
use crate::script::{Answer, Sent};
use crate::seam::{InferenceSeam, MAX_ANSWERS, Said, SeamRequest};
use crate::wire::{self, Operation, Protocol, WireError, WireRequest};

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
    /// The status of the answer; none where the script closed the connection instead.
    pub status: Option<u16>,
    /// The script's answer as [evidence](Answer::evidence) shows it; or `{tokens}`, where they were only counted; none for requests
    /// that did not reach the script.
    pub answer: Option<Value>,
}

/// What goes back over the connection.
type Reply = Result<Response<Outgoing>, Hangup>;

/// What was done about a request, for the observer.
enum Done {
    /// Nothing that has to do with the script.
    Other,
    Counted(u64),
    Answered(Arc<Answer>),
}

impl Done {
    fn evidence(&self) -> Option<Value> {
        match self {
            Self::Other => None,
            Self::Counted(tokens) => Some(json!({ "tokens": tokens })),
            Self::Answered(answer) => Some(answer.evidence()),
        }
    }
}

impl Handler for Endpoint {
    type Body = Outgoing;

    async fn handle(&self, request: Request<Incoming>) -> Reply {
        let (parts, body) = request.into_parts();
        let case = self.cases.find(parts.uri.path());
        let number = case.as_ref().map_or(0, |(seam, _)| seam.count_request());
        let (mut reply, done) = respond(case, number, &parts, body).await;
        if let Ok(response) = &mut reply {
            answer::common(response, number);
        }
        if let Some(observer) = &self.observer {
            observer(&ServedRequest {
                method: parts.method.to_string(),
                path: parts.uri.path().to_owned(),
                status: reply.as_ref().ok().map(|response| response.status().as_u16()),
                answer: done.evidence(),
            });
        }
        reply
    }
}

async fn respond(
    case: Option<(Arc<InferenceSeam>, &str)>,
    number: u64,
    parts: &Parts,
    body: Incoming,
) -> (Reply, Done) {
    if parts.method == Method::OPTIONS {
        return (Ok(answer::preflight(&parts.headers)), Done::Other);
    }
    let speaker = wire::speaker(&parts.headers);
    let refusal = |status, message: &str| refusal(speaker, number, status, message);
    if wire::asks_for_web_socket(&parts.headers) {
        // Clients with a second way take it at once after this status, and after another only when they have tried for long.
        let message = "WebSockets are not served here; speak HTTP";
        let mut response = refusal(StatusCode::UPGRADE_REQUIRED, message);
        answer::speak_http(&mut response);
        return (Ok(response), Done::Other);
    }
    let Some((seam, rest)) = case else {
        let message = "no case is served at this address; its agent may have outlived it";
        return (Ok(refusal(StatusCode::NOT_FOUND, message)), Done::Other);
    };
    let response = match route(&parts.method, rest) {
        Route::Post(protocol, operation) => {
            let door = Door { seam: &seam, protocol, number };
            return match operation {
                Operation::Infer => door.infer(&parts.headers, body).await,
                Operation::CountTokens => door.count_tokens(&parts.headers, body).await,
            };
        }
        Route::Models => answer::response(StatusCode::OK.as_u16(), speaker.models()),
        Route::Model(id) => answer::response(StatusCode::OK.as_u16(), speaker.model(id)),
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
    (Ok(response), Done::Other)
}

/// An error that no second try would change.
fn refusal(protocol: &dyn Protocol, number: u64, status: StatusCode, message: &str) -> Response<Outgoing> {
    let status = status.as_u16();
    let error = WireError::new(status, message).to_request(number);
    let mut response = answer::response(status, protocol.error(&error));
    answer::do_not_retry(&mut response);
    response
}

/// A case, as it is reached over one wire.
struct Door<'a> {
    seam: &'a Arc<InferenceSeam>,
    protocol: &'static dyn Protocol,
    /// The request's.
    number: u64,
}

/// A request that is ready for the script.
struct Understood {
    request: SeamRequest,
    /// What is left of it, for its answer to fit.
    read: WireRequest,
}

impl Door<'_> {
    async fn infer(&self, headers: &HeaderMap, body: Incoming) -> (Reply, Done) {
        match self.understand(headers, body).await {
            Ok(understood) => self.answer(understood),
            Err(unread) => {
                // An answer that is not known any more is asked for in good faith: the client sends everything again.
                if unread.code.is_none() {
                    let wire = self.protocol.wire().name();
                    self.seam.violate(format!("a request to {wire} was not understood: {}", unread.message));
                }
                (Ok(self.not_understood(&unread)), Done::Other)
            }
        }
    }

    async fn count_tokens(&self, headers: &HeaderMap, body: Incoming) -> (Reply, Done) {
        match self.read(headers, body, |_| ()).await {
            Ok((bytes, (), _)) => {
                let tokens = TokenUsage::estimate(bytes.len(), 0).prompt;
                let response = answer::response(StatusCode::OK.as_u16(), self.protocol.token_count(tokens));
                (Ok(response), Done::Counted(tokens))
            }
            Err(unread) => (Ok(self.not_understood(&unread)), Done::Other),
        }
    }

    fn not_understood(&self, unread: &Unread) -> Response<Outgoing> {
        let Unread { status, code, message } = unread;
        let error = WireError { status: status.as_u16(), code: *code, message, request: Some(self.number) };
        let mut response = answer::response(error.status, self.protocol.error(&error));
        answer::do_not_retry(&mut response);
        if *status == StatusCode::PAYLOAD_TOO_LARGE {
            answer::close(&mut response);
        }
        response
    }

    /// The body, as it came and as what it was made into beside the request.
    async fn read<T>(
        &self,
        headers: &HeaderMap,
        body: Incoming,
        beside: impl FnOnce(&Value) -> T,
    ) -> Result<(Bytes, T, WireRequest), Unread> {
        let bad_request = |message| Unread::new(StatusCode::BAD_REQUEST, message);
        let bytes = body::read(headers, body).await?;
        let value: Value = serde_json::from_slice(&bytes)
            .map_err(|error| bad_request(format!("the request body is not JSON: {error}")))?;
        let beside = beside(&value);
        let request = self.protocol.read(value).map_err(bad_request)?;
        Ok((bytes, beside, request))
    }

    async fn understand(&self, headers: &HeaderMap, body: Incoming) -> Result<Understood, Unread> {
        let Self { seam, protocol, .. } = self;
        let (bytes, (surface, whole), mut read) = self
            .read(headers, body, |value| {
                let surface = seam.wants_surface().then(|| protocol.surface(value));
                (surface, (!seam.asides().is_empty()).then(|| value.clone()))
            })
            .await?;
        let mut messages = std::mem::take(&mut read.messages);
        let mut prompt_bytes = bytes.len();
        let mut earlier = Said::default();
        if let Some(id) = &read.previous {
            earlier = seam.history(id).ok_or_else(|| unknown_answer(*protocol, id))?;
            if protocol.keeps_tools() {
                read.offered = earlier.offered.to_vec();
            }
            prompt_bytes += earlier.bytes;
            messages = earlier.messages().cloned().chain(messages).collect();
        }
        let aside = whole.and_then(|body| {
            let body = match read.previous {
                Some(_) => protocol.with_messages(body, &messages),
                None => body,
            };
            let plain = protocol.plain_form(&body);
            let forms: Vec<&Value> = std::iter::once(&body).chain(&plain).collect();
            seam.asides().answer(&forms).map(str::to_owned)
        });
        let request = SeamRequest {
            wire: protocol.wire().name(),
            model: read.model.clone(),
            messages,
            earlier,
            offered: std::mem::take(&mut read.offered),
            aside,
            warm_up: read.warm_up,
            surface,
            prompt_bytes,
            sent: Some(Sent { digest: digest(&bytes), retried: is_retry(headers) }),
            tool_results: protocol.tool_results(),
        };
        Ok(Understood { request, read })
    }

    fn answer(&self, understood: Understood) -> (Reply, Done) {
        let Self { seam, protocol, number } = self;
        let Understood { request, read } = understood;
        let step =
            seam.ask(request, &|number, reply: &ChatReply| protocol.kept(reply, &read.reply_to(number)));
        let to = read.reply_to(step.number);
        let tracked =
            |status: StatusCode, payload| answer::tracked(status.as_u16(), payload, seam, step.number);
        let reply = match &*step.answer {
            Answer::Decision(reply) | Answer::Aside(reply) | Answer::WarmUp(reply) => {
                Ok(tracked(StatusCode::OK, protocol.reply(reply, &to)))
            }
            Answer::Fault { fault, reply } => fault::response(fault, reply.as_ref(), *protocol, &to, *number),
            Answer::Refused { message } => {
                let message = format!("the script has no answer: {message}");
                let error = WireError::new(StatusCode::BAD_REQUEST.as_u16(), &message).to_request(*number);
                let mut response = tracked(StatusCode::BAD_REQUEST, protocol.error(&error));
                answer::do_not_retry(&mut response);
                Ok(response)
            }
        };
        (reply, Done::Answered(step.answer))
    }
}

fn unknown_answer(protocol: &dyn Protocol, id: &str) -> Unread {
    let (status, code) = protocol.unknown_answer();
    Unread {
        status: StatusCode::from_u16(status).unwrap_or(StatusCode::BAD_REQUEST),
        code: Some(code),
        message: format!(
            "there is no answer `{id}` to go on from; the last {MAX_ANSWERS} of the case are known"
        ),
    }
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
