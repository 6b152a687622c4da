//! Turns that every endpoint answers.

use serde_json::json;
use windtunnel_api::{ReferenceDecision, ReferenceToolCall};

use super::finding::{Finding, Rule};
use super::visit::{Outcome, Visit};

const TURN: Rule = Rule { name: "turn", demands: "POST /wt/inject answers a turn" };
const SESSION: Rule = Rule { name: "session", demands: "a second turn of the same session is answered" };
const UNKNOWN: Rule =
    Rule { name: "unknown-fields", demands: "fields of a request that it does not know are ignored" };
const AT_ONCE: Rule =
    Rule { name: "sessions-at-once", demands: "turns of two sessions at once are both answered" };

/// A tool that no agent offers, so that scripting a call of it does nothing.
const NO_TOOL: &str = "wt_conformance_no_such_tool";

const HELLO: &str = "Hello. Answer with one word.";

pub(super) async fn check(visit: &mut Visit<'_>) -> Vec<Finding> {
    let scripted = visit.says(&["hello", "hello", "hello", "hello", "hello"]).await;
    let first = visit.turn("wt-conformance-1", HELLO).await;
    if let Outcome::Lost(lost) = first {
        return vec![TURN.broken(lost.to_string())];
    }
    let second = visit.turn("wt-conformance-1", "And another word.").await;
    let mut unknown = visit.turn_body("wt-conformance-1", HELLO, visit.turn_limit);
    unknown["x_wt_unknown"] = json!({"to": ["nobody"]});
    let (unknown, _) = visit.inject(unknown, visit.turn_limit).await;
    let at_once = visit.turns_at_once([("wt-conformance-2", HELLO), ("wt-conformance-3", HELLO)]).await;
    let mut findings = match scripted {
        Ok(()) => vec![told(visit, TURN, first), told(visit, SESSION, second), told(visit, UNKNOWN, unknown)],
        Err(what) => [TURN, SESSION, UNKNOWN].map(|rule| rule.not_checked(what.clone())).to_vec(),
    };
    findings.push(both(at_once));
    report_a_call(visit).await;
    findings
}

fn told(visit: &Visit<'_>, rule: Rule, outcome: Outcome) -> Finding {
    match outcome.text() {
        Ok(text) => rule.kept(format!("the reply was {}", visit.excerpt(&text))),
        Err(what) => rule.broken(what),
    }
}

fn both(outcomes: [Outcome; 2]) -> Finding {
    match outcomes.map(Outcome::text) {
        [Ok(_), Ok(_)] => AT_ONCE.kept("both were"),
        [Err(what), Ok(_)] | [Ok(_), Err(what)] => AT_ONCE.broken(format!("one was not: {what}")),
        [Err(what), Err(_)] => AT_ONCE.broken(format!("neither was: {what}")),
    }
}

/// Has the agent ask for a tool, so that there is an answer that reports calls. What comes of it is judged by its shape.
async fn report_a_call(visit: &mut Visit<'_>) {
    if !visit.is_scriptable {
        return;
    }
    let call = ReferenceToolCall::new(NO_TOOL, [("number", json!(7))]);
    let decisions = [ReferenceDecision::calls([call]), ReferenceDecision::says("There is no such tool.")];
    if visit.decide(&decisions).await.is_ok() {
        visit.turn("wt-conformance-4", "Use a tool.").await;
    }
}
