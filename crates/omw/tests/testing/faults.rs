//! What is wrong with assertions is said at once, with its places.

use omw::testing::parse;
use windtunnel_doc::Format;

const AGENTS: &str = r#"runtime.r.kind = "rhai"
agents.alice = { runtime = "r", script = "a.rhai" }
agents.bob = { runtime = "r", script = "b.rhai" }
"#;

fn faults(assertions: &str) -> String {
    match parse(&format!("{AGENTS}{assertions}"), Format::Toml) {
        Ok(_) => "none".to_owned(),
        Err(problems) => problems.to_string(),
    }
}

#[test]
fn every_form_of_an_outcome_and_every_kind_of_event_is_accepted() {
    let assertions = r#"
[assertions.alice]
outcome = { exited = "" }
events = [
  { kind = "call", op = "chat", detail = { model = "^gpt-", messages = [{ "$while" = { role = "user" } }] } },
  { kind = "returned", op = "chat|chat_stream", detail = { result = {} } },
  { "$while" = { kind = "inbound", event = "chat-delta" } },
  { "$until" = { "$any" = [{ kind = "opened", source = "timer" }, { kind = "closed", reason = "ended" }] } },
  { "$times" = { of = { kind = "inbound" }, min = 1, max = 3 } },
  { "$never" = { kind = "inbound", event = "error" } },
]

[assertions.bob]
outcome = "completed"
"#;
    assert_eq!(faults(assertions), "none");
    assert_eq!(faults("[assertions]"), "none");
    assert_eq!(faults("[assertions.alice]"), "none");
}

#[test]
fn all_faults_are_told_with_their_places_and_what_was_meant() {
    insta::assert_snapshot!(faults(r#"
[assertions.alcie]
outcome = "complete"

[assertions.bob]
evnets = []
outcome = { exit = "x" }
events = [
  { kind = "call", op = "chat(", detail = { messages = [{ content = "[" }] } },
  { kind = "inbound", evnt = "chat-end" },
  { "$untl" = { kind = "call" } },
  { "$while" = { "$while" = { kind = "call" } } },
]
"#), @r#"
test:5:13: assertions.alcie: there is no agent "alcie"; agents: alice, bob; did you mean "alice"?
test:6:11: assertions.alcie.outcome: unknown outcome "complete"; expected "completed", "asserted" or { exited = "<text>" }; did you mean "completed"?
test:9:1: assertions.bob.evnets: unknown field "evnets"; expected one of outcome, events; did you mean "events"?
test:10:13: assertions.bob.outcome.exit: unknown field "exit"; expected exited alone
test:12:25: assertions.bob.events[0].op: invalid regular expression /chat(/: unclosed group; write \ before a character that means itself, or {"$eq": …} for plain text
test:12:69: assertions.bob.events[0].detail.messages[0].content: invalid regular expression /[/: unclosed character class; write \ before a character that means itself, or {"$eq": …} for plain text
test:13:23: assertions.bob.events[1].evnt: unknown field "evnt" of "inbound"; expected one of kind, event, payload; did you mean "event"?
test:14:5: assertions.bob.events[2]."$untl": unknown key `$untl`; keys that begin with `$` are reserved; did you mean `$until`?
test:15:29: assertions.bob.events[3]."$while"."$while": `$while` has a meaning only as an element of a list; write it inside an array: [{"$while": …}]
"#);
}

#[test]
fn what_is_no_table_is_a_fault() {
    insta::assert_snapshot!(faults("assertions = 3"), @"test:4:14: assertions: expected a table for each agent, found 3");
    insta::assert_snapshot!(faults("assertions.alice = 3"), @"test:4:20: assertions.alice: expected a table of outcome and events, found 3");
    insta::assert_snapshot!(faults("assertions.alice.events = {}"), @"test:4:27: assertions.alice.events: expected a list of expectations, found an object");
    insta::assert_snapshot!(faults("assertions.alice.outcome = 3"), @r#"test:4:28: assertions.alice.outcome: expected "completed", "asserted" or { exited = "<text>" }, found 3"#);
    insta::assert_snapshot!(faults("assertions.alice.outcome = {}"), @r#"test:4:28: assertions.alice.outcome: expected "completed", "asserted" or { exited = "<text>" }"#);
    insta::assert_snapshot!(faults("assertions.alice.outcome = { exited = 3 }"), @"test:4:39: assertions.alice.outcome.exited: expected a text, found 3; write the text of the value that the brain ends with");
    insta::assert_snapshot!(faults("assertions.alice.outcome = \"assert\""), @r#"test:4:28: assertions.alice.outcome: unknown outcome "assert"; expected "completed", "asserted" or { exited = "<text>" }; did you mean "asserted"?"#);
}

#[test]
fn an_asserted_agent_needs_events_that_can_settle() {
    let asserted = |events: &str| {
        faults(&format!(
            "[assertions.alice]\noutcome = \"asserted\"\nevents = [{{ kind = \"call\" }}, {events}]\n"
        ))
    };
    insta::assert_snapshot!(asserted(r#"{ "$never" = { kind = "inbound" } }"#), @r#"test:6:30: assertions.alice.events[1]: only the end of the run can settle $never {kind: "inbound"}, but an asserted agent is stopped before; write an event behind it that ends it, or expect outcome = "completed""#);
    insta::assert_snapshot!(asserted(r#"{ "$times" = { of = { kind = "inbound" }, max = 3 } }"#), @r#"test:6:30: assertions.alice.events[1]: only the end of the run can settle $times 0 to 3 of {kind: "inbound"}, but an asserted agent is stopped before; write an event behind it that ends it, or expect outcome = "completed""#);
    for settles in [
        r#"{ "$never" = { kind = "inbound" } }, { kind = "call" }"#,
        r#"{ "$times" = { of = { kind = "inbound" }, min = 3 } }"#,
        r#"{ "$while" = { kind = "inbound" } }"#,
    ] {
        assert_eq!(asserted(settles), "none", "{settles}");
    }
}
