//! The examination's own requests, and what it keeps of their answers.

use std::time::Duration;

use serde::Serialize;
use tokio::time::Instant;
use windtunnel_api::ReferenceDecision;
use windtunnel_api::secret::Redactor;
use windtunnel_spi::StateProbe;

use crate::addresses::ToolAddress;
use crate::http_inject::contract::{self, Reading, Reply};
use crate::http_inject::endpoint::{Endpoint, GRACE, capability, reset_answer, script_answer};
use crate::http_inject::exchange::{Answer, Lost, post, post_bytes};
use crate::http_inject::protocol::{Decisions, Nothing, Reset, Route, Turn};

/// Who asks, where the endpoint has to tell several cases apart.
const CASE: &str = "conformance";

/// A visit to an endpoint.
pub(super) struct Visit<'a> {
    pub(super) endpoint: &'a Endpoint,
    pub(super) tools: &'a [ToolAddress],
    pub(super) probe: Option<&'a dyn StateProbe>,
    pub(super) redactor: &'a Redactor,
    /// For everything but a turn.
    pub(super) limit: Duration,
    pub(super) turn_limit: Duration,
    /// Makes words that nobody can have heard before.
    pub(super) nonce: &'a (dyn Fn() -> String + Sync),
    /// Whether the agent's model can be replaced.
    pub(super) is_scriptable: bool,
    /// Every answer to a turn, as it was read.
    pub(super) readings: Vec<Reading>,
}

/// What came of a turn.
#[derive(Debug)]
pub(super) enum Outcome {
    /// An answer, as far as it could be read.
    Answered(Reply),
    /// The agent says what went wrong.
    Failed(String),
    /// An answer that cannot be read.
    Wrong(String),
    /// No answer.
    Lost(Lost),
}

impl Outcome {
    /// The reply's text, or what came instead.
    pub(super) fn text(self) -> Result<String, String> {
        match self {
            Self::Answered(reply) => Ok(reply.text),
            Self::Failed(error) => Err(format!("the agent reports: {error}")),
            Self::Wrong(what) => Err(what),
            Self::Lost(lost) => Err(lost.to_string()),
        }
    }
}

impl Visit<'_> {
    /// The beginning of what somebody said.
    pub(super) fn excerpt(&self, text: &str) -> String {
        contract::excerpt(text.as_bytes(), self.redactor)
    }

    pub(super) async fn reset(&self) -> Result<(), String> {
        self.resets().await.map_err(|lost| lost.to_string()).flatten()
    }

    /// Whether a reset is answered, and how.
    pub(super) async fn resets(&self) -> Result<Result<(), String>, Lost> {
        let body = self.endpoint.request(CASE, Reset { tools: self.tools });
        let answer = self.post(Route::Reset, &body).await?;
        Ok(reset_answer(&answer, self.redactor).map_err(|what| format!("the answer {what}")))
    }

    /// Whether the agent's model can be replaced.
    pub(super) async fn asks_capability(&self) -> Result<bool, String> {
        let body = self.endpoint.request(CASE, Decisions { decisions: None });
        let answer = self.post(Route::Reference, &body).await.map_err(|lost| lost.to_string())?;
        capability(&answer, self.redactor).map_err(|what| format!("the answer {what}"))
    }

    /// Puts decisions in the model's place; none give the agent its own model back.
    pub(super) async fn decide(&self, decisions: &[ReferenceDecision]) -> Result<(), String> {
        let answer = self.hands_over(decisions).await.map_err(|lost| lost.to_string())?;
        script_answer(&answer, self.redactor).map_err(|what| format!("the answer to /wt/reference {what}"))
    }

    /// The same, whatever comes of it.
    pub(super) async fn hands_over(&self, decisions: &[ReferenceDecision]) -> Result<Answer, Lost> {
        let body = self.endpoint.request(CASE, Decisions { decisions: Some(decisions) });
        self.post(Route::Reference, &body).await
    }

    /// Puts texts in the model's place, where that is possible.
    pub(super) async fn says(&self, texts: &[&str]) -> Result<(), String> {
        if !self.is_scriptable {
            return Ok(());
        }
        let decisions: Vec<_> = texts.iter().map(|text| ReferenceDecision::says(*text)).collect();
        self.decide(&decisions).await
    }

    /// A turn with the usual time.
    pub(super) async fn turn(&mut self, session: &str, text: &str) -> Outcome {
        self.turn_within(session, text, self.turn_limit).await.0
    }

    /// A turn with this time, and how long it took.
    pub(super) async fn turn_within(
        &mut self,
        session: &str,
        text: &str,
        limit: Duration,
    ) -> (Outcome, Duration) {
        let body = self.turn_body(session, text, limit);
        self.inject(body, limit).await
    }

    /// The body of a turn.
    pub(super) fn turn_body(&self, session: &str, text: &str, limit: Duration) -> serde_json::Value {
        let turn = Turn { session_id: session, text, timeout_s: limit.as_secs_f64() };
        serde_json::json!(self.endpoint.request(CASE, turn))
    }

    /// A turn of this body.
    pub(super) async fn inject(&mut self, body: serde_json::Value, limit: Duration) -> (Outcome, Duration) {
        let began = Instant::now();
        let answer = post(&self.endpoint.settings, Route::Inject, &body, limit + GRACE).await;
        let took = began.elapsed();
        (self.outcome(answer), took)
    }

    /// Two turns at once.
    pub(super) async fn turns_at_once(&mut self, turns: [(&str, &str); 2]) -> [Outcome; 2] {
        let limit = self.turn_limit;
        let bodies = turns.map(|(session, text)| self.turn_body(session, text, limit));
        let settings = &self.endpoint.settings;
        let [first, second] =
            bodies.each_ref().map(|body| post(settings, Route::Inject, body, limit + GRACE));
        let (first, second) = tokio::join!(first, second);
        [self.outcome(first), self.outcome(second)]
    }

    /// A request for a turn that is none, as bytes.
    pub(super) async fn malformed(&self, body: String) -> Result<Answer, Lost> {
        let limit = self.turn_limit + GRACE;
        post_bytes(&self.endpoint.settings, Route::Inject, body.into_bytes(), limit).await
    }

    pub(super) async fn post(&self, route: Route, body: &impl Serialize) -> Result<Answer, Lost> {
        post(&self.endpoint.settings, route, body, self.limit).await
    }

    /// A request that says nothing more than whose it is.
    pub(super) async fn ask(&self, route: Route) -> Result<Answer, Lost> {
        self.post(route, &self.endpoint.request(CASE, Nothing {})).await
    }

    fn outcome(&mut self, answer: Result<Answer, Lost>) -> Outcome {
        let reading = match answer {
            Ok(answer) => contract::read(&answer, self.redactor),
            Err(lost) => return Outcome::Lost(lost),
        };
        self.readings.push(reading.clone());
        // What is wrong with a field is told by the rule for it, and by no other.
        if let Some(breach) = reading.breaches.iter().find(|breach| breach.rule.ends_reading()) {
            return Outcome::Wrong(format!("the answer is none: {breach}"));
        }
        match &reading.reply.error {
            Some(error) => Outcome::Failed(self.redactor.text(error)),
            None => Outcome::Answered(reading.reply),
        }
    }
}
