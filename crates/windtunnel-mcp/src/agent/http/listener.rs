//! The one listener of this process, bound when it is first needed.

use std::collections::HashMap;
use std::convert::Infallible;
use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::{Arc, OnceLock, PoisonError, RwLock};

use axum::Router;
use axum::extract::{Request, State};
use axum::response::{IntoResponse, Response};
use axum::serve::ListenerExt;
use http::StatusCode;
use uuid::Uuid;

use super::front::Front;
use super::respond::refuse;
use crate::message::{INVALID_REQUEST, SESSION_GONE};

type Fronts = Arc<RwLock<HashMap<String, Arc<Front>>>>;

struct Listener {
    address: SocketAddr,
    fronts: Fronts,
}

/// A recorder's place at the listener, until it is dropped.
pub(crate) struct Registration {
    path: String,
    url: String,
    fronts: Fronts,
}

impl Registration {
    /// The address that agents use.
    pub(crate) fn url(&self) -> &str {
        &self.url
    }
}

impl Drop for Registration {
    fn drop(&mut self) {
        self.fronts.write().unwrap_or_else(PoisonError::into_inner).remove(&self.path);
    }
}

/// Gives a recorder an address. It holds a random part: agents of other cases cannot guess it.
pub(crate) fn register(front: Arc<Front>, case_id: &str, server: &str) -> Result<Registration, String> {
    static LISTENER: OnceLock<Result<Listener, String>> = OnceLock::new();
    let listener = LISTENER
        .get_or_init(|| {
            Listener::bind().map_err(|error| format!("no port on 127.0.0.1 can be listened on: {error}"))
        })
        .as_ref()
        .map_err(Clone::clone)?;
    let path = format!("/t/{}/{}/{}/mcp", safe(case_id), safe(server), Uuid::new_v4().simple());
    let url = format!("http://{}{path}", listener.address);
    let fronts = Arc::clone(&listener.fronts);
    fronts.write().unwrap_or_else(PoisonError::into_inner).insert(path.clone(), front);
    Ok(Registration { path, url, fronts })
}

/// The name with everything replaced that would have to be escaped in a path.
fn safe(name: &str) -> String {
    name.chars().map(|c| if c.is_ascii_alphanumeric() || "-_.~".contains(c) { c } else { '_' }).collect()
}

impl Listener {
    /// Listens on a thread of its own: cases may run on runtimes that end before the process does.
    fn bind() -> io::Result<Self> {
        let socket = std::net::TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
        socket.set_nonblocking(true)?;
        let address = socket.local_addr()?;
        let fronts = Fronts::default();
        let router = Router::new().fallback(dispatch).with_state(Arc::clone(&fronts));
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        std::thread::Builder::new().name("wt-mcp-http".to_owned()).spawn(move || {
            let served = runtime.block_on(async {
                let listener = tokio::net::TcpListener::from_std(socket)?.tap_io(|stream| {
                    if let Err(error) = stream.set_nodelay(true) {
                        tracing::debug!(%error, "answers may be slow");
                    }
                });
                axum::serve(listener, router).await
            });
            if let Err(error) = served {
                tracing::error!(%error, "the recorders cannot be reached over HTTP any more");
            }
        })?;
        Ok(Self { address, fronts })
    }
}

async fn dispatch(State(fronts): State<Fronts>, request: Request) -> Result<Response, Infallible> {
    let path = request.uri().path();
    let front = fronts.read().unwrap_or_else(PoisonError::into_inner).get(path).cloned();
    let Some(front) = front.filter(|front| !front.is_over()) else {
        let why = format!(
            "no tool server at {path}: its case has ended, or the address is not one that a case was given"
        );
        return Ok(refuse(StatusCode::NOT_FOUND, SESSION_GONE, &why));
    };
    if !windtunnel_http::is_from_this_machine(request.headers()) {
        let why = "requests of web pages are not answered: Origin is not this machine";
        return Ok(refuse(StatusCode::FORBIDDEN, INVALID_REQUEST, why));
    }
    Ok(front.handle(request).await.into_response())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_safe_in_a_path() {
        assert_eq!(safe("crm tools/ü?"), "crm_tools___");
    }
}
