//! The endpoint as the bench asks it: each route with its limit, and each failure as an error that says the route.

use std::collections::BTreeSet;
use std::fmt::Display;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use reqwest::StatusCode;
use serde::Serialize;
use serde_json::Value;
use windtunnel_api::ReferenceDecision;
use windtunnel_api::secret::Redactor;
use windtunnel_api::surface::Surface;
use windtunnel_spi::{RuntimeError, RuntimeErrorKind};

use super::contract::{self, Reply};
use super::exchange::{Answer, Lost, post};
use super::protocol::{Decisions, Nothing, Request, Reset, Route, Turn};
use super::settings::Settings;
use super::surface;
use crate::addresses::ToolAddress;

/// What the bench waits for the answer beyond the time that the endpoint has for the turn.
pub(super) const GRACE: Duration = Duration::from_secs(5);

/// Breaches of one answer that a message tells.
const TOLD: usize = 5;

/// An endpoint, and the cases whose decisions it was given and not relieved of yet.
#[derive(Debug)]
pub(super) struct Endpoint {
    pub(super) settings: Settings,
    scripted: Mutex<BTreeSet<String>>,
    /// It said that it has no such route.
    tells_no_surface: AtomicBool,
}

/// Who asks: the case, how long it waits, and what it does not show.
#[derive(Debug, Clone, Copy)]
pub(super) struct Asker<'a> {
    pub(super) case_id: &'a str,
    /// For everything but a turn.
    pub(super) limit: Duration,
    pub(super) redactor: &'a Redactor,
}

impl Endpoint {
    pub(super) fn new(settings: Settings) -> Self {
        Self { settings, scripted: Mutex::default(), tells_no_surface: AtomicBool::new(false) }
    }

    /// What is not shown of the endpoint's answers: what `known` knows, and the secrets of its own headers, which it may repeat.
    pub(super) fn redactor(&self, known: &Redactor) -> Redactor {
        known.and(self.settings.secrets().iter().cloned())
    }

    /// A request of a case, which says its name where the endpoint has to tell several apart.
    pub(super) fn request<'a, T: Serialize>(&self, case_id: &'a str, body: T) -> Request<'a, T> {
        Request::new((self.settings.max_concurrency > 1).then_some(case_id), body)
    }

    /// One turn. `limit` is the endpoint's; it is waited for a little longer.
    pub(super) async fn inject(
        &self,
        asker: Asker<'_>,
        session_id: &str,
        text: &str,
        limit: Duration,
    ) -> Result<Reply, RuntimeError> {
        let turn = Turn { session_id, text, timeout_s: limit.as_secs_f64() };
        let body = self.request(asker.case_id, turn);
        let answer = post(&self.settings, Route::Inject, &body, limit + GRACE).await;
        let answer = answer.map_err(|lost| self.lost(RuntimeErrorKind::Turn, Route::Inject, &lost))?;
        let reading = contract::read(&answer, asker.redactor);
        if reading.breaches.is_empty() {
            return Ok(reading.reply);
        }
        let more = reading.breaches.len().saturating_sub(TOLD);
        let mut told: Vec<String> = reading.breaches.iter().take(TOLD).map(ToString::to_string).collect();
        if more > 0 {
            told.push(format!("{more} more"));
        }
        Err(self.wrong(
            RuntimeErrorKind::Turn,
            Route::Inject,
            format!("is out of contract: {}", told.join("; ")),
        ))
    }

    /// Back to the first state, with these tool servers of the bench.
    pub(super) async fn reset(&self, asker: Asker<'_>, tools: &[ToolAddress]) -> Result<(), RuntimeError> {
        let body = self.request(asker.case_id, Reset { tools });
        let answer = self.ask(Route::Reset, &body, asker.limit, RuntimeErrorKind::Reset).await?;
        reset_answer(&answer, asker.redactor)
            .map_err(|what| self.wrong(RuntimeErrorKind::Reset, Route::Reset, what))
    }

    /// Whether decisions can be given to it. Asking changes nothing.
    pub(super) async fn is_scriptable(&self, limit: Duration) -> Result<bool, RuntimeError> {
        let body = self.request("capability", Decisions { decisions: None });
        let answer = self.ask(Route::Reference, &body, limit, RuntimeErrorKind::Start).await?;
        capability(&answer, &self.redactor(&Redactor::default()))
            .map_err(|what| self.wrong(RuntimeErrorKind::Start, Route::Reference, what))
    }

    /// The next decisions of the agent's model.
    pub(super) async fn script(
        &self,
        asker: Asker<'_>,
        decisions: &[ReferenceDecision],
    ) -> Result<(), RuntimeError> {
        self.scripted().insert(asker.case_id.to_owned());
        self.decide(asker, decisions).await
    }

    /// Gives the agent its own model back.
    pub(super) async fn unscript(&self, asker: Asker<'_>) -> Result<(), RuntimeError> {
        self.decide(asker, &[]).await?;
        self.scripted().remove(asker.case_id);
        Ok(())
    }

    /// Whether decisions of this case may still be there.
    pub(super) fn is_scripted(&self, case_id: &str) -> bool {
        self.scripted().contains(case_id)
    }

    /// The cases that ended without being able to give the agent its own model back.
    pub(super) fn left_scripted(&self) -> Vec<String> {
        self.scripted().iter().cloned().collect()
    }

    async fn decide(&self, asker: Asker<'_>, decisions: &[ReferenceDecision]) -> Result<(), RuntimeError> {
        let body = self.request(asker.case_id, Decisions { decisions: Some(decisions) });
        let answer = self.ask(Route::Reference, &body, asker.limit, RuntimeErrorKind::Turn).await?;
        script_answer(&answer, asker.redactor)
            .map_err(|what| self.wrong(RuntimeErrorKind::Turn, Route::Reference, what))
    }

    /// The prompt surface as the endpoint tells it; none where it has no such route, which is asked for once.
    pub(super) async fn surface(&self, asker: Asker<'_>) -> Result<Option<Surface>, RuntimeError> {
        if self.tells_no_surface.load(Ordering::Relaxed) {
            return Ok(None);
        }
        let body = self.request(asker.case_id, Nothing {});
        let answer = self.ask(Route::Surface, &body, asker.limit, RuntimeErrorKind::Turn).await?;
        let surface = surface::read(&answer, asker.redactor).map_err(|what| {
            self.wrong(RuntimeErrorKind::Turn, Route::Surface, format!("is no surface: {what}"))
        })?;
        self.tells_no_surface.store(surface.is_none(), Ordering::Relaxed);
        Ok(surface)
    }

    async fn ask(
        &self,
        route: Route,
        body: &impl Serialize,
        limit: Duration,
        kind: RuntimeErrorKind,
    ) -> Result<Answer, RuntimeError> {
        post(&self.settings, route, body, limit).await.map_err(|lost| self.lost(kind, route, &lost))
    }

    fn lost(&self, kind: RuntimeErrorKind, route: Route, lost: &Lost) -> RuntimeError {
        let kind = if matches!(lost, Lost::Late(_)) { RuntimeErrorKind::Timeout } else { kind };
        RuntimeError::new(kind, format!("{}: {lost}", self.named(route)))
    }

    fn wrong(&self, kind: RuntimeErrorKind, route: Route, what: impl Display) -> RuntimeError {
        RuntimeError::new(kind, format!("the answer to {} {what}", self.named(route)))
    }

    fn named(&self, route: Route) -> String {
        format!("POST {}", windtunnel_http::shown(&self.settings.address(route)))
    }

    fn scripted(&self) -> MutexGuard<'_, BTreeSet<String>> {
        self.scripted.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A reset is done with status 200 or 204: what is only accepted may not be done when the turn comes.
pub(super) fn reset_answer(answer: &Answer, redactor: &Redactor) -> Result<(), String> {
    done(answer, "everything is reset", redactor)
}

/// | status | |
/// |---|---|
/// | 200, 204 | there |
/// | 400, 422 | there: it wants the decisions that the question leaves out |
/// | 404, 501 | not there |
/// | any other | wrong |
pub(super) fn capability(answer: &Answer, redactor: &Redactor) -> Result<bool, String> {
    match answer.status {
        StatusCode::OK
        | StatusCode::NO_CONTENT
        | StatusCode::BAD_REQUEST
        | StatusCode::UNPROCESSABLE_ENTITY => Ok(true),
        status if contract::is_absent(status) => Ok(false),
        status => Err(format!(
            "should have status 200, or 404 or 501 where the agent's model cannot be replaced, found {status}: {}",
            contract::excerpt(&answer.body, redactor)
        )),
    }
}

/// Decisions are taken over with status 200 or 204.
pub(super) fn script_answer(answer: &Answer, redactor: &Redactor) -> Result<(), String> {
    done(answer, "the decisions are in the model's place", redactor)
}

fn done(answer: &Answer, when: &str, redactor: &Redactor) -> Result<(), String> {
    if !matches!(answer.status, StatusCode::OK | StatusCode::NO_CONTENT) {
        return Err(format!(
            "should have status 200 or 204 once {when}, found {}: {}",
            answer.status,
            contract::excerpt(&answer.body, redactor)
        ));
    }
    match told_error(answer) {
        Some(error) => Err(format!("reports: {}", redactor.text(&error))),
        None => Ok(()),
    }
}

/// The `error` of a JSON body, where there is one; these bodies say nothing else that counts.
fn told_error(answer: &Answer) -> Option<String> {
    let body: Value = serde_json::from_slice(&answer.body).ok()?;
    match body.get("error")? {
        Value::Null => None,
        Value::String(error) => Some(error.clone()),
        other => Some(other.to_string()),
    }
}
