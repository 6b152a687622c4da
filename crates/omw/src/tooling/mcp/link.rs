//! The way to a server: at most one session at a time, made when it is needed and again when it was lost.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use tokio::sync::Mutex;
use tokio::time::{Instant, sleep};
use tokio_util::sync::CancellationToken;

use super::backoff::{Backoff, Patience};
use super::failure::ConnectError;
use super::http::HttpOrigin;
use super::notices::{Board, Listener};
use super::session::Session;
use super::stdio::StdioOrigin;

/// How a server is reached.
pub(super) enum Origin {
    Stdio(StdioOrigin),
    Http(HttpOrigin),
}

/// The way to one server.
pub(super) struct Link {
    origin: Origin,
    backoff: Backoff,
    board: Arc<Board>,
    state: Mutex<State>,
    /// Attempts that failed so far.
    failures: AtomicU64,
    closed: CancellationToken,
}

#[derive(Debug, Default)]
struct State {
    session: Option<Arc<Session>>,
    /// What the last attempt came to, if it failed.
    failure: Option<ConnectError>,
}

impl Link {
    pub(super) fn new(origin: Origin, backoff: Backoff) -> Self {
        Self {
            origin,
            backoff,
            board: Arc::default(),
            state: Mutex::default(),
            failures: AtomicU64::new(0),
            closed: CancellationToken::new(),
        }
    }

    /// Who watches the server's resources.
    pub(super) fn board(&self) -> &Arc<Board> {
        &self.board
    }

    pub(super) fn backoff(&self) -> &Backoff {
        &self.backoff
    }

    /// The session, making one if need be; the text of a failure is complete but for the server's name.
    pub(super) async fn session(&self, patience: Patience) -> Result<Arc<Session>, String> {
        let closed = || Err("was closed with its run".to_owned());
        tokio::select! {
            biased;
            () = self.closed.cancelled() => closed(),
            session = self.reach(patience) => session,
        }
    }

    async fn reach(&self, patience: Patience) -> Result<Arc<Session>, String> {
        let start = Instant::now();
        let mut failures = 0;
        loop {
            let error = match self.attempt().await {
                Ok(session) => return Ok(session),
                Err(error) => error,
            };
            let pause = self.backoff.next(failures, patience).filter(|_| error.may_pass);
            failures += 1;
            match pause {
                Some(pause) => {
                    tracing::debug!(
                        "a tool server cannot be reached, next attempt in {pause:?}: {}",
                        error.text
                    );
                    sleep(pause).await;
                }
                None if failures == 1 => return Err(format!("cannot be reached: {}", error.text)),
                None => {
                    let seconds = start.elapsed().as_secs_f64();
                    let text = error.text;
                    return Err(format!(
                        "cannot be reached: {text} (tried {failures} times in {seconds:.1} s)"
                    ));
                }
            }
        }
    }

    /// One attempt. Whoever has to wait for somebody else's takes its failure for their own.
    async fn attempt(&self) -> Result<Arc<Session>, ConnectError> {
        let failures = self.failures.load(Ordering::Acquire);
        let mut state = self.state.lock().await;
        if let Some(session) = state.session.as_ref().filter(|session| session.is_live()) {
            return Ok(Arc::clone(session));
        }
        if let Some(failure) = &state.failure
            && self.failures.load(Ordering::Acquire) != failures
        {
            return Err(failure.clone());
        }
        state.session = None;
        let listener = Listener(Arc::clone(&self.board));
        let session = match &self.origin {
            Origin::Stdio(origin) => Session::start(origin, listener).await,
            Origin::Http(origin) => Session::connect(origin, listener).await,
        };
        match session {
            Ok(session) => {
                let session = Arc::new(session);
                *state = State { session: Some(Arc::clone(&session)), failure: None };
                Ok(session)
            }
            Err(error) => {
                state.failure = Some(error.clone());
                self.failures.fetch_add(1, Ordering::AcqRel);
                Err(error)
            }
        }
    }

    /// Ends the session; there is no other after it.
    pub(super) async fn close(&self) {
        self.closed.cancel();
        if let Some(session) = self.state.lock().await.session.take() {
            session.end().await;
        }
    }
}
