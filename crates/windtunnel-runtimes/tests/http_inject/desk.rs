//! An endpoint with an agent that keeps the contract, but for one flaw.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Mutex;
use std::time::Duration;

use axum::response::Response;
use serde_json::{Value, json};

use crate::support::{Endpoint, ok, status};

/// What is wrong with an endpoint.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Flaw {
    /// Nothing.
    None,
    /// Its model cannot be replaced, and it tells no surface; that is allowed.
    Plain,
    /// What a session was told goes into a memory that outlives a reset.
    RemembersForGood,
    /// Its reset says that it was one, and does nothing.
    KeepsSessions,
    /// Its arguments are texts, and `tool_calls` is left out when it is empty.
    LooseShape,
    /// Its decisions stay when they are taken back, and a failing agent is a status 500.
    KeepsDecisions,
    /// It takes everything for a turn, and tells something that is no surface.
    TakesAnything,
    /// Its agent answers from its own model where the decisions are used up, and miscounts what is left.
    GoesOnByItself,
    /// It refuses faults as it refuses what is none of the protocol, and plays the rest.
    RefusesVaguely,
    /// It does not look at the time.
    Slow,
    /// An empty list of decisions is a script like any other to it.
    KeepsTheScript,
    /// Its model cannot repeat a word.
    Forgetful,
    /// Its sessions are one.
    OneSession,
}

#[derive(Default)]
struct State {
    sessions: BTreeMap<String, String>,
    for_good: String,
    script: Option<VecDeque<Value>>,
}

/// Serves a desk with this flaw.
pub(crate) async fn serve(flaw: Flaw) -> Endpoint {
    let state = Mutex::new(State::default());
    Endpoint::serve(move |path, body| {
        if flaw == Flaw::Slow && path == "/wt/inject" && body["timeout_s"].as_f64() < Some(1.0) {
            std::thread::sleep(Duration::from_millis(1200));
        }
        let mut state = state.lock().unwrap();
        match path {
            "/wt/inject" => state.turn(flaw, body),
            "/wt/reset" => state.reset(flaw),
            "/wt/reference" if flaw != Flaw::Plain => state.decide(flaw, body),
            "/wt/surface" if flaw == Flaw::TakesAnything => ok(&json!({"prompt": "Be brief."})),
            "/wt/surface" if flaw != Flaw::Plain => ok(&json!({
                "system_instructions": [{"type": "text", "content": "Be brief."}],
                "tool_definitions": [], "extra_segments": [],
            })),
            _ => status(404),
        }
    })
    .await
}

impl State {
    fn reset(&mut self, flaw: Flaw) -> Response {
        if flaw == Flaw::KeepsSessions {
            return status(204);
        }
        let sessions = std::mem::take(&mut self.sessions);
        if flaw == Flaw::RemembersForGood {
            self.for_good.extend(sessions.into_values());
        }
        status(204)
    }

    fn decide(&mut self, flaw: Flaw, body: &Value) -> Response {
        let asks_for_faults = |decision: &Value| decision.get("faults").is_some();
        match body["decisions"].as_array() {
            Some(decisions) if flaw == Flaw::RefusesVaguely && decisions.iter().any(asks_for_faults) => {
                return status(400);
            }
            Some(decisions) if !decisions.is_empty() || flaw == Flaw::KeepsTheScript => {
                self.script = Some(decisions.clone().into());
            }
            Some(_) if flaw != Flaw::KeepsDecisions => self.script = None,
            _ => {}
        }
        status(200)
    }

    fn turn(&mut self, flaw: Flaw, body: &Value) -> Response {
        let (text, session) = (body["text"].as_str(), body["session_id"].as_str());
        let (Some(text), Some(session), Some(1)) = (text, session, body["wt_inject"].as_u64()) else {
            let taken = flaw == Flaw::TakesAnything;
            return if taken { answer(flaw, "What?", &[], None) } else { status(400) };
        };
        let Some(script) =
            self.script.as_mut().filter(|script| !(flaw == Flaw::GoesOnByItself && script.is_empty()))
        else {
            let reply = match flaw {
                Flaw::Forgetful => "I am only a form.".to_owned(),
                Flaw::OneSession => self.own_model(text, "the only one"),
                _ => self.own_model(text, session),
            };
            return answer(flaw, &reply, &[], None);
        };
        let mut calls = Vec::new();
        while let Some(decision) = script.pop_front() {
            match decision["content"].as_str() {
                Some(reply) => {
                    let miscount = usize::from(flaw == Flaw::GoesOnByItself);
                    return answer(flaw, reply, &calls, Some(script.len() + miscount));
                }
                None => calls.extend(decision["tool_calls"].as_array().cloned().unwrap_or_default()),
            }
        }
        if flaw == Flaw::KeepsDecisions {
            return status(500);
        }
        ok(&json!({"wt_inject": 1, "tool_calls": [], "error": "the decisions are used up"}))
    }

    /// A model that remembers one word per session.
    fn own_model(&mut self, text: &str, session: &str) -> String {
        if let Some((word, _)) =
            text.strip_prefix("Remember this word: ").and_then(|rest| rest.split_once('.'))
        {
            self.sessions.insert(session.to_owned(), word.to_owned());
            return "OK".to_owned();
        }
        let known = self.sessions.get(session).unwrap_or(&self.for_good);
        if known.is_empty() { "none".to_owned() } else { known.clone() }
    }
}

fn answer(flaw: Flaw, reply: &str, calls: &[Value], left: Option<usize>) -> Response {
    let mut body = json!({"wt_inject": 1, "reply": reply, "tool_calls": calls, "decisions_left": left});
    if flaw == Flaw::LooseShape {
        for call in body["tool_calls"].as_array_mut().into_iter().flatten() {
            call["arguments"] = json!(call["arguments"].to_string());
        }
        if calls.is_empty() {
            body.as_object_mut().map(|body| body.remove("tool_calls"));
        }
    }
    ok(&body)
}
