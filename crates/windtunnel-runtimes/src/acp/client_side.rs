//! What an agent can ask of its client, and what it tells it.

use std::sync::{Mutex, MutexGuard, PoisonError};

use agent_client_protocol::v1::schema::{
    RequestPermissionOutcome, RequestPermissionRequest, RequestPermissionResponse, SelectedPermissionOutcome,
    SessionId, SessionNotification, StopReason,
};
use serde_json::json;
use windtunnel_api::artifact::evidence::Evidence;
use windtunnel_api::scenario::permission::PermissionAnswer;
use windtunnel_gate::PermissionRequest;
use windtunnel_inference::ServedNames;
use windtunnel_spi::{AgentReply, EvidenceUnavailable, Moment, Stamped};

use super::files::Files;
use super::permission::{Policy, choose};
use super::turn_log::{TurnLog, identity};

/// Entries that are kept between two drains.
const MAX_ENTRIES: usize = 10_000;

/// The client of one case's agent. It outlives the agent's processes.
#[derive(Debug)]
pub(super) struct ClientSide {
    policy: Policy,
    pub(super) files: Files,
    served: ServedNames,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    /// The turn that is going on, and its session.
    turn: Option<(SessionId, TurnLog)>,
    evidence: Vec<Stamped<Evidence>>,
    /// Whether there was more evidence than is kept.
    over: bool,
}

/// What a request for permission is answered.
#[derive(Debug)]
pub(super) struct Answered {
    pub(super) response: RequestPermissionResponse,
    /// Whether the turn is to be cancelled with it.
    pub(super) cancels: bool,
}

impl ClientSide {
    pub(super) fn new(policy: Policy, files: Files, served: ServedNames) -> Self {
        Self { policy, files, served, state: Mutex::default() }
    }

    /// A turn of this session begins.
    pub(super) fn begin_turn(&self, session: SessionId) {
        self.state().turn = Some((session, TurnLog::default()));
    }

    /// The turn's result.
    pub(super) fn end_turn(&self, stop: StopReason) -> Result<AgentReply, String> {
        let mut state = self.state();
        let (_, log) = state.turn.take().unwrap_or_else(|| (SessionId::new(""), TurnLog::default()));
        let concluded = log.conclude(stop)?;
        if let Some(text) = concluded.warning {
            state.witness(Evidence::Warning { text });
        }
        Ok(concluded.reply)
    }

    /// An update belongs to the turn of its session; between turns, and of other sessions, it belongs to nothing.
    pub(super) fn update(&self, notification: SessionNotification) {
        if let Some(log) = self.state().log(&notification.session_id) {
            log.update(notification.update);
        }
    }

    /// Answers a request for permission and keeps both as evidence.
    ///
    /// | the request | the answer |
    /// |---|---|
    /// | of a turn that goes on | the policy's |
    /// | of a turn that is cancelled | cancel |
    /// | between turns, or of another session | cancel |
    pub(super) fn permission(&self, request: RequestPermissionRequest) -> Answered {
        let mut state = self.state();
        let id = request.tool_call.tool_call_id.clone();
        let mut elsewhere = TurnLog::default();
        let log = state.log(&request.session_id);
        let is_turn = log.as_ref().is_some_and(|log| !log.is_cancelled());
        let log = log.unwrap_or(&mut elsewhere);
        let title = request.tool_call.fields.title.clone();
        let Some(call) = log.ask(request.tool_call) else {
            return Answered { response: cancelled(), cancels: false };
        };
        let ((tool, args), kind) = (identity(call), serde_json::to_value(call.kind).unwrap_or_default());
        let asked = PermissionRequest {
            tool: self.served.bare(tool),
            args: &args,
            title: title.as_deref().unwrap_or(&call.title),
            kind: kind.as_str().unwrap_or_default(),
        };
        let wanted = if is_turn { self.policy.answer(&asked) } else { PermissionAnswer::Cancel };
        let option = choose(wanted, &request.options);
        let answer = if option.is_some() { wanted } else { PermissionAnswer::Cancel };
        let observed = json!({
            "tool": asked.tool,
            "args": asked.args,
            "title": asked.title,
            "kind": asked.kind,
            "answer": answer,
            "option": option,
        });
        if answer != PermissionAnswer::Allow {
            log.refuse(&id);
        }
        let cancels = is_turn && answer == PermissionAnswer::Cancel;
        if cancels {
            log.cancel();
        }
        state.witness(Evidence::Observation { source: "permission".to_owned(), value: observed });
        let selected = |id| {
            RequestPermissionResponse::new(RequestPermissionOutcome::Selected(
                SelectedPermissionOutcome::new(id),
            ))
        };
        Answered { response: option.map_or_else(cancelled, selected), cancels }
    }

    /// Takes the evidence since the last call.
    pub(super) fn drain(&self) -> Result<Vec<Stamped<Evidence>>, EvidenceUnavailable> {
        let mut state = self.state();
        let evidence = std::mem::take(&mut state.evidence);
        if std::mem::take(&mut state.over) {
            let reason = format!("the agent asked more than {MAX_ENTRIES} times");
            return Err(EvidenceUnavailable::new("requests for permission", reason));
        }
        Ok(evidence)
    }

    /// Back to the first state.
    pub(super) fn reset(&self) {
        *self.state() = State::default();
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// The log of the turn that goes on in this session.
    fn log(&mut self, session: &SessionId) -> Option<&mut TurnLog> {
        self.turn.as_mut().filter(|(current, _)| current == session).map(|(_, log)| log)
    }

    fn witness(&mut self, value: Evidence) {
        if self.evidence.len() == MAX_ENTRIES {
            self.over = true;
            return;
        }
        self.evidence.push(Moment::now().with(value));
    }
}

fn cancelled() -> RequestPermissionResponse {
    RequestPermissionResponse::new(RequestPermissionOutcome::Cancelled)
}
