//! The real model of one case, behind a recorder: what a live run's agent asks is witnessed as that of a self-test is.

use std::net::SocketAddr;

use windtunnel_api::config::Wire;
use windtunnel_api::secret::Redactor;
use windtunnel_api::surface::{Surface, SurfaceStatus};
use windtunnel_api::{Evidence, Secret};
use windtunnel_spi::{EvidenceUnavailable, Stamped};

use super::conversation::is_aside;
use super::events::events;
use super::log::Seen;
use super::reading::{self, Request};
use super::{Recorder, Redaction, Upstreams};
use crate::script::ServedNames;
use crate::server::ServerError;
use crate::wire::{self, Operation};

/// The inference seam of a live run. Dropping it closes it.
pub struct LiveSeam {
    recorder: Recorder,
    base_url: String,
    served: ServedNames,
    surface: Option<Surface>,
    asked: bool,
}

impl LiveSeam {
    /// Listens on loopback in front of the providers, for a client of this wire. What the recorder of a tool server in `served` sees is
    /// left to that.
    ///
    /// # Errors
    /// Nothing can be listened on.
    pub async fn start(
        upstreams: Upstreams,
        wire: Wire,
        served: ServedNames,
        redactor: Redactor,
    ) -> Result<Self, ServerError> {
        let listen = SocketAddr::from(([127, 0, 0, 1], 0));
        let recorder = Recorder::start(listen, upstreams, Redaction::of_known(redactor)).await?;
        let base_url = recorder.base_url(wire);
        Ok(Self { recorder, base_url, served, surface: None, asked: false })
    }

    /// The base URL for the client, with `/v1` where it expects it.
    pub fn base_url(&self) -> &str {
        &self.base_url
    }

    /// A turn has ended: waits a moment for answers that are still coming.
    pub async fn end_turn(&self) {
        self.recorder.log.settle().await;
    }

    /// Back to the first state: nothing seen.
    pub fn rewind(&mut self) {
        self.recorder.log.forget();
        self.surface = None;
        self.asked = false;
    }

    /// Takes what was seen since the last call: [`Evidence::Inference`] for every request, [`Evidence::ToolCall`] with witness
    /// `seam` for every call of a tool that no tool server of the case serves. One whose result did not come back is a call, too, with
    /// `{"answered": false}` as its `extra`: there are tools that an agent ends with.
    ///
    /// # Errors
    /// More was sent than is kept, a request or an answer cannot be read, or an answer was still coming when the turn ended.
    pub fn drain_evidence(&mut self) -> Result<Vec<Stamped<Evidence>>, EvidenceUnavailable> {
        let requests = self.requests().map_err(|reason| EvidenceUnavailable::new("the model", reason))?;
        if self.surface.is_none() {
            let aside = is_aside(&requests);
            let first = requests.iter().find(|request| !request.read.warm_up && !aside(request));
            self.surface =
                first.map(|request| Surface { status: SurfaceStatus::Rendered, ..request.surface.clone() });
        }
        self.asked |= !requests.is_empty();
        let (mut seen, left) = events(&requests, &self.served, |called| (String::new(), called.to_owned()));
        seen.extend(left.unanswered());
        seen.sort_by_key(|event| event.stamp);
        Ok(seen)
    }

    /// The secrets that passed by: keys in headers and addresses.
    pub fn secrets(&self) -> Vec<Secret> {
        self.recorder.log.secrets()
    }

    /// Whether anything was asked, as far as that has been drained.
    pub fn was_asked(&self) -> bool {
        self.asked
    }

    /// What the first request of the conversation told the model besides it, as far as that has been drained.
    pub fn surface(&self) -> Option<Surface> {
        self.surface.clone()
    }

    fn requests(&self) -> Result<Vec<Request>, String> {
        if !self.recorder.log.is_settled() {
            return Err("an answer was still coming when the turn ended".to_owned());
        }
        let seen = self.recorder.log.take()?;
        let redaction = self.recorder.redaction.and(self.secrets());
        let mut requests = Vec::new();
        for seen in seen {
            if let Some(problem) = passed_unread(&seen) {
                return Err(redaction.text(&problem));
            }
            if seen.protocol.is_none() {
                continue;
            }
            let (exchange, request) = reading::read(seen, &redaction);
            let problem = || exchange.problem.unwrap_or_default();
            let request = request
                .ok_or_else(|| format!("a request to {} was not understood: {}", exchange.path, problem()))?;
            // Whatever was decided in it, the agent may have done.
            if let Err(fault) = &request.answer
                && (200..300).contains(&fault.status)
            {
                return Err(format!("an answer of {} was not understood: {}", exchange.path, fault.message));
            }
            requests.push(request);
        }
        Ok(requests)
    }
}

/// Paths that no answer of a model comes from, by their first segment.
const WITHOUT_ANSWERS: [&str; 9] = [
    "audio",
    "embeddings",
    "files",
    "images",
    "models",
    "moderations",
    "tokenize",
    "uploads",
    "vector_stores",
];

/// Why a model may have answered where nobody read it.
///
/// | the answer | what was asked | |
/// |---|---|---|
/// | leads elsewhere | an answer | the client gets it there |
/// | fails | any | nothing was answered |
/// | comes | an answer, at a path of a wire | it is read |
/// | comes | the list of models, embeddings, a count of tokens and the like | no model answered |
/// | comes | anything else | it may be an answer of any kind |
fn passed_unread(seen: &Seen) -> Option<String> {
    let Seen { method, path, status, .. } = seen;
    if seen.protocol.is_some() {
        let leads_elsewhere = (300..400).contains(status);
        return leads_elsewhere.then(|| {
            format!("{method} {path} was led elsewhere with status {status}: set inference.upstream to where")
        });
    }
    let rest = wire::below_version(path);
    let first = rest.split('/').next().unwrap_or_default();
    let counts = matches!(wire::of_path(path), Some((_, Operation::CountTokens)));
    let known = counts || WITHOUT_ANSWERS.contains(&first) || matches!(method.as_str(), "OPTIONS" | "HEAD");
    let answered = (200..300).contains(status);
    (answered && !known)
        .then(|| format!("{method} {path} was passed on, and nobody here can read what it is answered"))
}

#[cfg(test)]
mod tests {
    use indexmap::IndexMap;
    use windtunnel_spi::Moment;

    use super::*;

    #[test]
    fn what_may_be_an_answer_that_nobody_read_makes_the_evidence_unavailable() {
        let seen = |method: &str, path: &str, status: u16| {
            let infers = matches!(wire::of_path(path), Some((_, Operation::Infer)));
            let protocol =
                wire::of_path(path).filter(|_| infers && method == "POST").map(|(protocol, _)| protocol);
            passed_unread(&Seen {
                at: Moment::now(),
                method: method.to_owned(),
                path: path.to_owned(),
                protocol,
                headers: IndexMap::new(),
                request: hyper::body::Bytes::new(),
                status,
                answer_headers: IndexMap::new(),
                streamed: false,
                answer: Vec::new(),
                ms: 0.0,
                problem: None,
            })
        };
        for (method, path, status) in [
            ("POST", "/v1/chat/completions", 200),
            ("POST", "/v1/chat/completions", 429),
            ("POST", "/v1/messages/count_tokens", 200),
            ("POST", "/v1/embeddings", 200),
            ("GET", "/v1/models/a/b", 200),
            ("POST", "/v1/completions", 404),
        ] {
            assert_eq!(seen(method, path, status), None, "{method} {path} {status}");
        }
        for (method, path, status) in [
            ("POST", "/v1/chat/completions", 307),
            ("POST", "/openai/deployments/m/chat/completions", 200),
            ("POST", "/v1/CHAT/completions", 200),
            ("POST", "/v1/completions", 200),
            ("GET", "/v1/responses/resp_1", 200),
            ("POST", "/v1/messages/batches", 200),
        ] {
            assert!(seen(method, path, status).is_some(), "{method} {path} {status}");
        }
    }
}
