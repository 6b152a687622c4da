//! How requests for permission are answered, and what is kept of them.

use serde_json::{Value, json};

use crate::support::{Bench, say, seen};

/// Asks for each word of the prompt and says the outcomes.
const ASKS: &str = "def prompt(text):\n\
    \x20   for tool in text.split():\n\
    \x20       update('tool_call', toolCallId=tool, title='Call ' + tool, name=tool, rawInput={'to': 'all'})\n\
    \x20       outcome = permission(tool, title=None)\n\
    \x20       say(outcome.get('optionId', outcome['outcome']) + ' ')\n\
    \x20   return 'cancelled' if 'session/cancel' in notified else 'end_turn'";

fn observed(tool: &str, answer: &str, option: Option<&str>) -> Value {
    json!({
        "tool": tool, "args": {"to": "all"}, "title": format!("Call mcp__crm__{tool}"), "kind": "other",
        "answer": answer, "option": option,
    })
}

#[tokio::test]
async fn the_first_rule_that_matches_answers_else_the_runtime() {
    let Some(bench) = Bench::agent(ASKS) else { return };
    let bench = bench.with("permission", json!("allow")).rules(json!([
        {"pattern": {"tool": "send_mail", "args": {"to": "all"}}, "answer": "reject"},
        {"pattern": {"tool": "send_mail"}, "answer": "cancel"},
    ]));
    let mut agent = bench.start_with(&["crm"]).await.unwrap();
    let reply = say(agent.as_mut(), "mcp__crm__lookup mcp__crm__send_mail").await.unwrap();
    assert_eq!(reply.content, "id-allow_once \n\nid-reject_once ");
    let claimed: Vec<_> = reply.claimed_calls.iter().map(|call| call.tool.as_str()).collect();
    assert_eq!(claimed, ["mcp__crm__lookup"], "what was refused is not claimed");
    let expected = [
        observed("lookup", "allow", Some("id-allow_once")),
        observed("send_mail", "reject", Some("id-reject_once")),
    ];
    assert_eq!(seen(agent.as_mut()), expected);
    assert_eq!(seen(agent.as_mut()), Vec::<Value>::new(), "taken once");
}

#[tokio::test]
async fn without_a_rule_the_answer_is_no() {
    let Some(bench) = Bench::agent(ASKS) else { return };
    assert_eq!(bench.answer("x").await.unwrap(), "id-reject_once ");
}

#[tokio::test]
async fn a_cancel_ends_the_turn_and_everything_that_is_asked_after_it() {
    let Some(bench) = Bench::agent(ASKS) else { return };
    let bench = bench
        .with("permission", json!("allow"))
        .rules(json!([{"pattern": {"tool": "lookup"}, "answer": "cancel"}]));
    let mut agent = bench.start_with(&["crm"]).await.unwrap();
    let reply = say(agent.as_mut(), "mcp__crm__lookup mcp__crm__send_mail").await.unwrap();
    assert_eq!(reply.content, "cancelled \n\ncancelled ");
    assert_eq!(reply.claimed_calls, []);
    let by_us = "the turn was cancelled by the answer to a request for permission";
    let expected = [observed("lookup", "cancel", None), observed("send_mail", "cancel", None), json!(by_us)];
    assert_eq!(seen(agent.as_mut()), expected);
    let reply = say(agent.as_mut(), "mcp__crm__send_mail").await;
    let error = reply.unwrap_err().to_string();
    assert!(
        error.starts_with("the agent says that the turn was cancelled"),
        "the next turn is another: {error}"
    );
}

#[tokio::test]
async fn an_answer_that_is_not_offered_cancels() {
    let Some(bench) = Bench::agent(
        "def prompt(text):\n    say(permission('x', options=['allow_once'])['outcome'])\n    return 'cancelled'",
    ) else {
        return;
    };
    let mut agent = bench.start().await;
    assert_eq!(say(agent.as_mut(), "go").await.unwrap().content, "cancelled");
    assert_eq!(seen(agent.as_mut())[0]["answer"], "cancel");
}

#[tokio::test]
async fn rules_that_are_no_patterns_are_refused() {
    let bench = Bench::sh("true").rules(json!([{"pattern": {"title": "("}, "answer": "allow"}]));
    let error = bench.start_with(&[]).await.map(|_| ()).unwrap_err().to_string();
    assert!(error.starts_with("permissions[0].pattern.title: "), "{error}");
}
