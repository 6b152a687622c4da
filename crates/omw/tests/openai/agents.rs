//! Agents as an endpoint sees them, played by the test.

use std::net::SocketAddr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use futures::StreamExt as _;
use futures::channel::mpsc;
use omw::endpoint::openai::{OpenAiEndpoint, OpenAiEndpointParams};
use omw::endpoint::{RouteError, SessionCloser, SessionError};
use omw::exchange::ChatDelta;
use omw::prelude::*;
use serde_json::{Value, json};
use tokio::task::JoinHandle;

use crate::servers::says;

/// What the endpoint did to a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Noted {
    Closed,
    Dropped,
}

/// A session from the agent's side.
pub(crate) struct Opened {
    pub(crate) request: EndpointRequest,
    deltas: mpsc::UnboundedSender<Result<ChatDelta, SessionError>>,
    noted: Arc<Mutex<Vec<Noted>>>,
}

impl Opened {
    pub(crate) fn say(&self, delta: ChatDelta) {
        self.deltas.unbounded_send(Ok(delta)).unwrap();
    }

    pub(crate) fn finish(&self, text: &str) {
        self.say(ChatDelta { finish_reason: Some("stop".to_owned()), ..says(text) });
    }

    pub(crate) fn fail(&self, text: &str) {
        self.deltas.unbounded_send(Err(SessionError(text.to_owned()))).unwrap();
    }

    /// What was done to the session, once it is dropped.
    pub(crate) async fn noted(&self) -> Vec<Noted> {
        for _ in 0..1000 {
            let noted = self.noted.lock().unwrap().clone();
            if noted.contains(&Noted::Dropped) {
                return noted;
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        panic!("the session was never dropped")
    }
}

struct NotesDrop(Arc<Mutex<Vec<Noted>>>);

impl Drop for NotesDrop {
    fn drop(&mut self) {
        self.0.lock().unwrap().push(Noted::Dropped);
    }
}

struct Router {
    opened: mpsc::UnboundedSender<Opened>,
    sessions: AtomicUsize,
}

#[async_trait]
impl EndpointRouter for Router {
    fn models(&self) -> Vec<String> {
        vec!["helper".to_owned(), "writer".to_owned()]
    }

    async fn served(&self, _model: &str) {}

    async fn open(&self, request: EndpointRequest) -> Result<Session, RouteError> {
        match request.model.as_str() {
            "helper" | "writer" => {}
            "crowded" => return Err(RouteError::TooManySessions(request.model)),
            "full" => std::future::pending().await,
            "ending" => return Err(RouteError::ShuttingDown),
            _ => return Err(RouteError::UnknownModel(request.model)),
        }
        let (sender, deltas) = mpsc::unbounded();
        let noted = Arc::<Mutex<Vec<Noted>>>::default();
        let (notes_drop, notes_close) = (NotesDrop(Arc::clone(&noted)), Arc::clone(&noted));
        let session = Session {
            id: format!("s{}", self.sessions.fetch_add(1, Ordering::Relaxed)),
            deltas: deltas
                .map(move |delta| {
                    let _ = &notes_drop;
                    delta
                })
                .boxed(),
            closer: SessionCloser::new(move || notes_close.lock().unwrap().push(Noted::Closed)),
        };
        self.opened.unbounded_send(Opened { request, deltas: sender, noted }).unwrap();
        Ok(session)
    }
}

/// A served endpoint, its agents and a client.
pub(crate) struct Served {
    pub(crate) address: SocketAddr,
    pub(crate) http: reqwest::Client,
    pub(crate) endpoint: Arc<OpenAiEndpoint>,
    pub(crate) serving: JoinHandle<Result<(), BackendError>>,
    opened: mpsc::UnboundedReceiver<Opened>,
}

impl Served {
    pub(crate) async fn new() -> Self {
        let params = OpenAiEndpointParams::on("127.0.0.1:0".parse().unwrap());
        let endpoint = Arc::new(OpenAiEndpoint::new(params).unwrap());
        endpoint.prepare().await.unwrap();
        let (sender, opened) = mpsc::unbounded();
        let router = Arc::new(Router { opened: sender, sessions: AtomicUsize::new(0) });
        let serving = {
            let endpoint = Arc::clone(&endpoint);
            tokio::spawn(async move { endpoint.serve(router).await })
        };
        Self { address: endpoint.address().unwrap(), http: http(), endpoint, serving, opened }
    }

    pub(crate) fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    /// The next session that a client opened.
    pub(crate) async fn opened(&mut self) -> Opened {
        tokio::time::timeout(Duration::from_secs(10), self.opened.next()).await.unwrap().unwrap()
    }

    pub(crate) fn post(&self, body: &Value) -> JoinHandle<reqwest::Response> {
        let request = self.http.post(self.url("/v1/chat/completions")).json(body);
        tokio::spawn(async move { request.send().await.unwrap() })
    }
}

/// A client without proxies.
pub(crate) fn http() -> reqwest::Client {
    let _ = rustls::crypto::ring::default_provider().install_default();
    reqwest::Client::builder().no_proxy().timeout(Duration::from_secs(30)).build().unwrap()
}

/// A question to `helper`.
pub(crate) fn ask(streams: bool) -> Value {
    json!({"model": "helper", "messages": [{"role": "user", "content": "How many?"}], "stream": streams})
}
