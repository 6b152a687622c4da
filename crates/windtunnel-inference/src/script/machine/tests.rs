//! What a script answers, request by request.

use serde_json::json;
use windtunnel_api::{FaultKind, InferenceFault, ReferenceDecision, ReferenceToolCall};

use super::*;
use crate::script::Sent;

fn call(name: &str) -> ReferenceDecision {
    ReferenceDecision::calls([ReferenceToolCall::new(name, [("n", 1.into())])])
}

fn says(text: &str) -> ReferenceDecision {
    ReferenceDecision::says(text)
}

fn begun(turns: Vec<Vec<ReferenceDecision>>) -> Script {
    let mut script = Script::new(turns, ServedNames::new([("crm", ["lookup"])]));
    script.begin_turn();
    script
}

fn offered(names: &[&str]) -> Vec<String> {
    names.iter().map(|&name| name.to_owned()).collect()
}

/// One word per answer.
fn ask(script: &mut Script, names: &[&str]) -> String {
    let names = offered(names);
    describe(&script.ask(&Ask::offering(&names)).answer)
}

fn describe(answer: &Answer) -> String {
    match answer {
        Answer::Decision(reply) | Answer::Aside(reply) if reply.tool_calls.is_empty() => {
            reply.content.clone().unwrap_or_default()
        }
        Answer::Decision(reply) | Answer::Aside(reply) => {
            let calls = reply.tool_calls.iter().map(|call| format!("{}({})", call.name, call.arguments));
            calls.collect::<Vec<_>>().join(" ")
        }
        Answer::WarmUp(_) => "warm-up".to_owned(),
        Answer::Fault { fault, reply } => {
            let status = fault.status.map(|status| status.to_string());
            let reply =
                reply.as_ref().map(|reply| format!(" of {:?}", reply.content.as_deref().unwrap_or_default()));
            format!("{}{}", status.unwrap_or_else(|| fault.kind.name().to_owned()), reply.unwrap_or_default())
        }
        Answer::Refused { message } => format!("refused: {message}"),
    }
}

#[test]
fn decisions_are_served_in_order_and_the_script_is_consumed_exactly() {
    let mut script = begun(vec![vec![call("lookup"), says("done")]]);
    assert_eq!(ask(&mut script, &["lookup"]), r#"lookup({"n":1})"#);
    assert!(!script.progress().is_exact(), "one decision is left");
    assert_eq!(ask(&mut script, &["lookup"]), "done");
    assert!(script.progress().is_exact());
}

#[test]
fn asking_beyond_the_script_is_refused_and_remembered_with_the_decision() {
    let mut script = begun(vec![vec![call("lookup"), says("done")]]);
    ask(&mut script, &["lookup"]);
    ask(&mut script, &["lookup"]);
    assert_eq!(ask(&mut script, &["lookup"]), "refused: asked for decision 3 of 2");
    let progress = script.progress();
    assert_eq!(progress.violations, ["asked for decision 3 of 2"]);
    assert_eq!((progress.decisions, progress.consumed), (2, 2));
}

#[test]
fn decisions_of_the_next_turn_wait_until_it_begins() {
    let mut script = begun(vec![vec![says("one")], vec![says("two")]]);
    assert_eq!(ask(&mut script, &[]), "one");
    assert_eq!(ask(&mut script, &[]), "refused: asked for decision 2 of 1 in turn 1 of 2");
    script.begin_turn();
    assert_eq!(ask(&mut script, &[]), "two");
    assert_eq!(script.progress().consumed, 2);
}

#[test]
fn asking_before_the_first_turn_or_after_the_last_list_is_a_violation() {
    let mut script = Script::new(vec![vec![says("one")]], ServedNames::default());
    assert_eq!(ask(&mut script, &[]), "refused: asked for decision 1 before the first user turn began");
    script.begin_turn();
    assert_eq!(ask(&mut script, &[]), "one");
    script.begin_turn();
    assert_eq!(ask(&mut script, &[]), "refused: asked for a decision in turn 2, but the script has 1 turn");
}

#[test]
fn a_turn_that_stops_early_is_named_and_its_decisions_are_not_served_later() {
    let mut script = begun(vec![vec![call("lookup"), says("one")], vec![says("two")]]);
    ask(&mut script, &["lookup"]);
    script.begin_turn();
    assert_eq!(ask(&mut script, &["lookup"]), "two");
    let progress = script.progress();
    assert_eq!(progress.violations, ["turn 1 ended after 1 of its 2 decisions"]);
    assert_eq!((progress.decisions, progress.consumed), (3, 2));
}

#[test]
fn faults_come_before_their_decision_and_consume_nothing() {
    let fault = |status| InferenceFault::status(status);
    let mut script =
        begun(vec![vec![ReferenceDecision { faults: vec![fault(429), fault(503)], ..says("done") }]]);
    assert_eq!(ask(&mut script, &[]), "429");
    assert_eq!(ask(&mut script, &[]), "503");
    assert_eq!(script.progress().consumed, 0);
    assert_eq!(ask(&mut script, &[]), "done");
    assert!(script.progress().is_exact());
}

#[test]
fn faults_within_an_answer_know_the_answer_and_consume_nothing() {
    let faults =
        [FaultKind::Disconnect, FaultKind::Cut, FaultKind::Truncated].map(InferenceFault::of).to_vec();
    let mut script = begun(vec![vec![ReferenceDecision { faults, ..says("done") }]]);
    let answers: Vec<String> = (0..4).map(|_| ask(&mut script, &[])).collect();
    assert_eq!(answers, ["disconnect", "cut of \"done\"", "truncated of \"do\"", "done"]);
    assert!(script.progress().is_exact());
}

#[test]
fn a_truncated_answer_after_which_nothing_is_asked_counts_as_served() {
    let truncated = |text| ReferenceDecision {
        faults: vec![InferenceFault::status(429), InferenceFault::of(FaultKind::Truncated)],
        ..says(text)
    };
    let mut script = begun(vec![vec![call("lookup"), truncated("one")], vec![truncated("two")]]);
    ask(&mut script, &["lookup"]);
    assert_eq!(ask(&mut script, &[]), "429");
    assert_eq!(script.progress().consumed, 1, "the answer is still to come");
    assert_eq!(ask(&mut script, &[]), "truncated of \"o\"");
    assert_eq!(script.progress().consumed, 2);
    script.begin_turn();
    assert_eq!(script.progress().violations, [""; 0]);
    ask(&mut script, &[]);
    ask(&mut script, &[]);
    assert!(script.progress().is_exact(), "taken");
    assert_eq!(ask(&mut script, &[]), "two");
    assert!(script.progress().is_exact(), "asked for again");
}

#[test]
fn a_truncated_answer_is_not_served_if_another_fault_or_decision_was_to_follow() {
    let faults = [FaultKind::Truncated, FaultKind::Cut].map(InferenceFault::of).to_vec();
    let mut script = begun(vec![vec![ReferenceDecision { faults, ..says("one") }]]);
    ask(&mut script, &[]);
    assert_eq!(script.progress().consumed, 0);

    let faults = vec![InferenceFault::of(FaultKind::Truncated)];
    let mut script = begun(vec![vec![ReferenceDecision { faults, ..says("one") }, says("two")], vec![]]);
    ask(&mut script, &[]);
    script.begin_turn();
    let progress = script.progress();
    assert_eq!((progress.decisions, progress.consumed), (2, 1));
    assert_eq!(progress.violations, ["turn 1 ended after 1 of its 2 decisions"]);
}

#[test]
fn a_fault_that_needs_a_tool_that_is_not_offered_is_refused_like_its_decision() {
    let faults = vec![InferenceFault::of(FaultKind::Cut)];
    let mut script = begun(vec![vec![ReferenceDecision { faults, ..call("lookup") }]]);
    assert!(ask(&mut script, &["other"]).starts_with("refused: decision 1 calls `lookup`"));
    assert_eq!(ask(&mut script, &["lookup"]), "cut of \"\"", "it still waits");
}

#[test]
fn a_warm_up_uses_no_decision_and_has_a_number_of_its_own() {
    let mut script = begun(vec![vec![says("done")]]);
    let step = script.ask(&Ask { warm_up: true, ..Ask::offering(&[]) });
    assert_eq!((step.number, step.answer.evidence()), (1, json!({"warm_up": true})));
    assert_eq!(ask(&mut script, &[]), "done");
    assert!(script.progress().is_exact());
}

#[test]
fn a_repeating_script_begins_again_when_it_ends() {
    let mut script = Script::new(vec![vec![says("one"), says("two")]], ServedNames::default()).repeating();
    script.begin_turn();
    let answers: Vec<String> = (0..5).map(|_| ask(&mut script, &[])).collect();
    assert_eq!(answers, ["one", "two", "one", "two", "one"]);
    assert_eq!((script.progress().consumed, script.progress().violations.len()), (5, 0));
}

#[test]
fn scripted_names_are_sent_as_they_are_offered() {
    for (names, sent) in [
        (&["lookup"][..], Ok("lookup")),
        (&["other", "mcp__crm__lookup"], Ok("mcp__crm__lookup")),
        (&["crm.lookup"], Ok("crm.lookup")),
        (
            &["client_lookup"],
            Err(
                "decision 1 calls `lookup`, but no offered tool has that name; the request offers client_lookup",
            ),
        ),
        (
            &[],
            Err("decision 1 calls `lookup`, but no offered tool has that name; the request offers nothing"),
        ),
        (
            &["crm_lookup", "mcp_lookup"],
            Err(
                "decision 1 calls `lookup`, but several offered tools could be meant: crm_lookup, mcp_lookup; \
                 the request offers crm_lookup, mcp_lookup",
            ),
        ),
    ] {
        let mut script = begun(vec![vec![call("lookup")]]);
        let expected = match sent {
            Ok(name) => format!(r#"{name}({{"n":1}})"#),
            Err(message) => format!("refused: {message}"),
        };
        assert_eq!(ask(&mut script, names), expected);
        assert_eq!(
            script.progress().consumed,
            usize::from(sent.is_ok()),
            "a refused decision is not used up"
        );
    }
}

#[test]
fn a_long_list_of_offered_tools_is_cut_with_a_count() {
    let names: Vec<String> = (0..50).map(|n| format!("t{n}")).collect();
    let text = unresolved(1, "x", &[], &names);
    assert!(text.ends_with("t38, t39 and 10 more"), "{text}");
}

#[test]
fn an_aside_uses_no_decision() {
    let mut script = begun(vec![vec![says("done")]]);
    let step = script.ask(&Ask { aside: Some("Title"), ..Ask::offering(&[]) });
    assert_eq!(describe(&step.answer), "Title");
    assert_eq!(step.answer.evidence(), json!({"aside": "Title"}));
    assert_eq!(ask(&mut script, &[]), "done");
    assert_eq!(script.progress().asides, 1);
    assert!(script.progress().is_exact());
}

#[test]
fn a_retry_gets_the_same_answer_and_uses_no_decision() {
    let mut script = begun(vec![vec![call("lookup"), says("done")]]);
    let names = offered(&["lookup"]);
    let sent = |digest, retried| Ask { sent: Some(Sent { digest, retried }), ..Ask::offering(&names) };

    let first = script.ask(&sent(1, false));
    let lost = script.ask(&sent(1, false));
    assert!(lost.replayed, "the first answer was never delivered");
    assert_eq!((lost.number, &lost.answer), (first.number, &first.answer), "with the ids it had");

    script.delivered(first.number);
    assert!(script.ask(&sent(1, true)).replayed, "the header says so");
    assert_eq!(describe(&script.ask(&sent(1, false)).answer), "done", "an equal body alone advances");
    assert!(script.progress().is_exact());
}

#[test]
fn the_retry_that_a_fault_asks_for_gets_the_decision() {
    let fault = InferenceFault::status(429).retry_after(1.0);
    let mut script = begun(vec![vec![ReferenceDecision { faults: vec![fault], ..says("done") }]]);
    let sent = |retried| Ask { sent: Some(Sent { digest: 1, retried }), ..Ask::offering(&[]) };
    let step = script.ask(&sent(false));
    assert_eq!(
        step.answer.evidence(),
        json!({"fault": {"kind": "status", "status": 429, "retry_after": 1.0}})
    );
    script.delivered(step.number);
    assert_eq!(describe(&script.ask(&sent(true)).answer), "done");
}

#[test]
fn ids_and_usage_are_unique_per_answer_and_the_same_in_every_run() {
    let play = || {
        let mut script = begun(vec![vec![call("lookup"), call("lookup"), says("done")]]);
        let names = offered(&["lookup"]);
        (0..3)
            .map(|n| script.ask(&Ask { prompt_bytes: 40 * (n + 1), ..Ask::offering(&names) }).answer)
            .collect::<Vec<_>>()
    };
    let (first, second) = (play(), play());
    assert_eq!(first, second);
    let Answer::Decision(reply) = &*first[1] else { panic!("a decision") };
    assert_eq!(reply.tool_calls[0].id, "call_wt_2_1");
    assert_eq!(reply.usage, Some(TokenUsage { prompt: 20, cached: 0, completion: 4 }));
}

#[test]
fn violations_are_bounded_and_the_rest_is_counted() {
    let mut script = begun(vec![vec![]]);
    for _ in 0..MAX_VIOLATIONS + 5 {
        ask(&mut script, &[]);
    }
    let violations = script.progress().violations;
    assert_eq!(violations.len(), MAX_VIOLATIONS + 1);
    assert_eq!(violations.last().unwrap(), "and 5 more like these");
}

#[test]
fn a_rewound_script_starts_over() {
    let mut script = begun(vec![vec![says("done")]]);
    ask(&mut script, &[]);
    ask(&mut script, &[]);
    script.rewind();
    script.begin_turn();
    assert_eq!(ask(&mut script, &[]), "done");
    assert!(script.progress().is_exact());
}
