//! The machine, fed with messages as they are on the wire.

use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};
use windtunnel_api::secret::Redactor;
use windtunnel_spi::InjectedFailure;

use super::machine::{Action, Delivery, Event, Outgoing, OutgoingKind, Relay};
use super::pending::Conn;
use crate::limits::RecorderLimits;
use crate::recorder::Recorder;

const A: Conn = Conn(1);
const B: Conn = Conn(2);

struct Bench {
    relay: Relay,
    recorder: Arc<Recorder>,
}

impl Bench {
    fn new(shared: bool, conns: &[Conn]) -> Self {
        let recorder = Arc::new(Recorder::new("crm", Redactor::default(), &RecorderLimits::default()));
        let mut relay = Relay::new(Arc::clone(&recorder), shared, 4);
        for conn in conns {
            assert_eq!(relay.on(Event::Opened(*conn)), []);
        }
        Self { relay, recorder }
    }

    fn agent(&mut self, conn: Conn, text: &str) -> Vec<Action> {
        self.relay.on(Event::Agent(conn, text))
    }

    fn server(&mut self, text: &str) -> Vec<Action> {
        self.relay.on(Event::Server { text, about: None })
    }

    /// The errors of the witnessed calls.
    fn errors(&self) -> Vec<Option<String>> {
        self.recorder.calls().unwrap().into_iter().map(|call| call.value.error).collect()
    }
}

fn request(id: u64, text: &str) -> Action {
    Action::ToServer(Outgoing { text: text.to_owned(), kind: OutgoingKind::Request(id) })
}

fn one_way(text: &str) -> Action {
    Action::ToServer(Outgoing { text: text.to_owned(), kind: OutgoingKind::OneWay })
}

fn answer(conn: Conn, key: &str, text: &str) -> Action {
    Action::ToAgent(conn, Delivery { text: text.to_owned(), about: Some(key.into()), answer: true })
}

fn note(conn: Conn, about: Option<&str>, text: &str) -> Action {
    Action::ToAgent(conn, Delivery { text: text.to_owned(), about: about.map(Into::into), answer: false })
}

fn call(id: u64, tool: &str) -> String {
    json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": {"name": tool, "arguments": {"n": id}}}).to_string()
}

/// The error text of the only action, which answers an agent.
fn refusal(actions: &[Action]) -> String {
    let [Action::ToAgent(_, delivery)] = actions else { panic!("one answer: {actions:?}") };
    let answer: Value = serde_json::from_str(&delivery.text).unwrap();
    answer["error"]["message"].as_str().unwrap().to_owned()
}

#[test]
fn everything_but_the_id_passes_through_as_it_came() {
    let mut bench = Bench::new(false, &[A]);
    let sent =
        r#"{"x-new" : [1.0,"\u0041"], "id":"abc" ,"method":"future/method","params":[ 1 ], "jsonrpc":"2.0"}"#;
    assert_eq!(bench.agent(A, sent), [request(1, &sent.replace(r#""abc""#, "1"))]);
    let back = r#"{ "result":{"big":12345678901234567890123,"z":1,"a":2}, "id":1, "x-more":null }"#;
    assert_eq!(bench.server(back), [answer(A, r#""abc""#, &back.replace("\"id\":1", "\"id\":\"abc\""))]);
    let unknown = r#"{"method":"notifications/future","params":{"k":1E2}}"#;
    assert_eq!(bench.agent(A, unknown), [one_way(unknown)]);
    assert_eq!(bench.server(unknown), [note(A, None, unknown)]);
}

#[test]
fn equal_ids_of_two_agents_are_kept_apart() {
    let mut bench = Bench::new(true, &[A, B]);
    let sent = r#"{"id":7,"method":"ping"}"#;
    assert_eq!(bench.agent(A, sent), [request(1, r#"{"id":1,"method":"ping"}"#)]);
    assert_eq!(bench.agent(B, sent), [request(2, r#"{"id":2,"method":"ping"}"#)]);
    assert_eq!(bench.server(r#"{"id":2,"result":"b"}"#), [answer(B, "7", r#"{"id":7,"result":"b"}"#)]);
    assert_eq!(bench.server(r#"{"id":1,"result":"a"}"#), [answer(A, "7", r#"{"id":7,"result":"a"}"#)]);
    assert_eq!(bench.server(r#"{"id":1,"result":"again"}"#), []);
}

#[test]
fn progress_is_routed_by_token_also_after_the_answer() {
    let mut bench = Bench::new(true, &[A, B]);
    let sent = r#"{"id":7,"method":"x","params":{"_meta":{"progressToken":"t"}}}"#;
    bench.agent(A, sent);
    assert_eq!(
        bench.agent(B, sent),
        [request(2, r#"{"id":2,"method":"x","params":{"_meta":{"progressToken":2}}}"#)]
    );
    let progress = r#"{"method":"notifications/progress","params":{"progressToken":2,"progress":0.5}}"#;
    let expected = note(B, Some("7"), &progress.replace(":2,", ":\"t\","));
    assert_eq!(bench.server(progress), [expected]);
    bench.server(r#"{"id":2,"result":{}}"#);
    assert_eq!(bench.server(progress).len(), 1);
}

#[test]
fn a_cancellation_reaches_the_server_under_its_own_id() {
    let mut bench = Bench::new(true, &[A]);
    bench.agent(A, &call(5, "slow"));
    let cancel = r#"{"method":"notifications/cancelled","params":{"requestId":5,"reason":"r"}}"#;
    assert_eq!(bench.agent(A, cancel), [one_way(&cancel.replace('5', "1"))]);
    assert_eq!(bench.errors(), [Some("cancelled by the agent before it was answered".to_owned())]);
    bench.relay.on(Event::Closed(A));
    assert_eq!(bench.errors(), [Some("cancelled by the agent before it was answered".to_owned())]);
    let unknown = r#"{"method":"notifications/cancelled","params":{"requestId":99}}"#;
    assert_eq!(bench.agent(A, unknown), []);
}

#[test]
fn a_later_connection_gets_the_first_one_s_initialize_result() {
    let mut bench = Bench::new(true, &[A, B]);
    let initialize = r#"{"id":0,"method":"initialize","params":{}}"#;
    let to_server = Outgoing { text: initialize.replace('0', "1"), kind: OutgoingKind::Initialize(1) };
    assert_eq!(bench.agent(A, initialize), [Action::ToServer(to_server)]);
    assert_eq!(bench.agent(B, initialize), [], "it waits for the same answer");
    assert_eq!(bench.server(r#"{"method":"notifications/message"}"#), [], "nobody is initialised");
    let replayed = r#"{"jsonrpc":"2.0","id":0,"result":{"v":1}}"#;
    let both = [answer(B, "0", replayed), answer(A, "0", r#"{"id":0,"result":{"v":1}}"#)];
    assert_eq!(bench.server(r#"{"id":1,"result":{"v":1}}"#), both);
    let initialized = r#"{"method":"notifications/initialized"}"#;
    assert_eq!(bench.agent(B, initialized), [one_way(initialized)]);
    assert_eq!(bench.agent(A, initialized), [], "the server was told once");
    assert_eq!(
        bench.agent(A, r#"{"id":9,"method":"initialize"}"#),
        [answer(A, "9", &replayed.replace('0', "9").replace("2.9", "2.0"))]
    );
    assert_eq!(bench.server(r#"{"method":"notifications/message"}"#).len(), 2, "both hear it");
}

#[test]
fn the_first_agent_may_leave_while_the_server_is_initialised() {
    let mut bench = Bench::new(true, &[A, B]);
    bench.agent(A, r#"{"id":0,"method":"initialize"}"#);
    bench.agent(B, r#"{"id":5,"method":"initialize"}"#);
    assert_eq!(bench.relay.on(Event::Closed(A)), []);
    assert_eq!(
        bench.server(r#"{"id":1,"result":{}}"#),
        [answer(B, "5", r#"{"jsonrpc":"2.0","id":5,"result":{}}"#)]
    );
}

#[test]
fn a_server_s_question_goes_to_the_agent_it_works_for_and_the_answer_back() {
    let mut bench = Bench::new(true, &[A, B]);
    bench.agent(A, &call(5, "ask"));
    let question = r#"{"id":"q","method":"sampling/createMessage","params":{}}"#;
    assert_eq!(bench.server(question), [note(A, None, question)]);
    let reply = r#"{"id":"q","result":{"x":1}}"#;
    assert_eq!(bench.agent(B, reply), [], "it was not asked");
    assert_eq!(bench.agent(A, reply), [one_way(reply)]);
    assert_eq!(bench.agent(A, reply), [], "it has answered");
    let about = bench.relay.on(Event::Server { text: question, about: Some(1) });
    assert_eq!(about, [note(A, Some("5"), question)]);
    let withdrawn = r#"{"method":"notifications/cancelled","params":{"requestId":"q"}}"#;
    assert_eq!(bench.server(withdrawn), [note(A, None, withdrawn)]);
}

#[test]
fn a_question_without_an_agent_is_answered_with_an_error() {
    let mut bench = Bench::new(true, &[A]);
    bench.server(r#"{"id":"q","method":"roots/list"}"#);
    let closed = bench.relay.on(Event::Closed(A));
    let [Action::ToServer(Outgoing { text, .. })] = &closed[..] else { panic!("{closed:?}") };
    assert!(text.contains(r#""id":"q","error""#), "{text}");
    let [Action::ToServer(Outgoing { text, .. })] = &bench.server(r#"{"id":"r","method":"ping"}"#)[..] else {
        panic!()
    };
    assert!(text.contains("no agent is connected"), "{text}");
}

#[test]
fn calls_of_an_agent_that_leaves_are_cancelled_and_stay_witnessed() {
    let mut bench = Bench::new(true, &[A, B]);
    bench.agent(A, &call(5, "slow"));
    let closed = bench.relay.on(Event::Closed(A));
    let [Action::ToServer(Outgoing { text, .. })] = &closed[..] else { panic!("{closed:?}") };
    assert!(text.contains("notifications/cancelled") && text.contains(r#""requestId":1"#), "{text}");
    assert_eq!(
        bench.errors(),
        [Some("the agent closed its connection before the call was answered".to_owned())]
    );
    assert_eq!(bench.server(r#"{"id":1,"result":{}}"#), []);
}

#[test]
fn calls_are_witnessed_with_what_came_back() {
    let mut bench = Bench::new(false, &[A]);
    bench.agent(A, &call(1, "a"));
    bench.agent(A, r#"{"id":2,"method":"tools/call","params":{"name":"b"}}"#);
    bench.server(r#"{"id":2,"error":{"code":-32602,"message":"no such tool"}}"#);
    bench.server(r#"{"id":1,"result":{"content":[{"type":"text","text":"A"}]}}"#);
    let calls = bench.recorder.calls().unwrap();
    let [a, b] = &calls[..] else { panic!("two calls") };
    assert_eq!((&a.value.args, &a.value.result, &a.value.error), (&json!({"n": 1}), &json!("A"), &None));
    assert_eq!(
        (&b.value.args, &b.value.result, b.value.error.as_deref()),
        (&json!({}), &json!(null), Some("no such tool"))
    );
    assert!(a.stamp < b.stamp);
}

#[test]
fn a_call_that_cannot_be_witnessed_is_refused() {
    let mut bench = Bench::new(false, &[A]);
    let deep = format!("{}{}", "[".repeat(200), "]".repeat(200));
    let table = [
        (
            format!(r#"{{"id":1,"method":"tools/call","params":{{"name":"a","arguments":{deep}}}}}"#),
            "recursion limit",
        ),
        (
            r#"{"id":1,"method":"tools\/call","params":{"name":"a","name":"b"}}"#.to_owned(),
            "duplicate field `name`",
        ),
        (r#"{"id":1,"method":"tools/call","params":["a"]}"#.to_owned(), "params is not an object"),
        (r#"{"id":1,"method":"tools/call"}"#.to_owned(), "`name` is not a string"),
    ];
    for (text, why) in table {
        let refused = refusal(&bench.agent(A, &text));
        assert!(refused.contains(why), "{refused}");
    }
    assert!(bench.recorder.calls().unwrap().is_empty());
}

#[test]
fn a_result_that_cannot_be_read_passes_through_but_the_log_says_so() {
    let mut bench = Bench::new(false, &[A]);
    bench.agent(A, &call(1, "a"));
    let deep = format!(r#"{{"id":1,"result":{}{}}}"#, "[".repeat(200), "]".repeat(200));
    assert_eq!(bench.server(&deep), [answer(A, "1", &deep)]);
    let lost = bench.recorder.calls().unwrap_err().to_string();
    assert!(lost.contains("evidence of crm is unavailable: the result of a call cannot be read"), "{lost}");
}

#[test]
fn injected_failures_never_reach_the_server() {
    let mut bench = Bench::new(false, &[A]);
    for (id, failure) in
        [InjectedFailure::MalformedJson, InjectedFailure::EmptyUnexpected, InjectedFailure::SchemaError]
            .into_iter()
            .enumerate()
    {
        bench.recorder.inject("a", failure);
        let actions = bench.agent(A, &call(id as u64, "a"));
        assert!(matches!(&actions[..], [Action::ToAgent(A, Delivery { answer: true, .. })]), "{actions:?}");
    }
    assert_eq!(bench.errors()[..2], [None, None]);
    assert!(bench.errors()[2].as_deref().unwrap().starts_with("Input validation error"));
    assert_eq!(bench.agent(A, &call(9, "b")).len(), 1, "other tools are as before");
}

#[test]
fn an_injected_timeout_ends_with_an_error_after_its_time() {
    let mut bench = Bench::new(false, &[A]);
    let hold = Duration::from_millis(300);
    bench.recorder.inject("a", InjectedFailure::Timeout(hold));
    assert_eq!(bench.agent(A, &call(7, "a")), [Action::Hold { request: 1, hold }]);
    assert_eq!(bench.errors(), [Some("no answer".to_owned())]);
    let why = "Request timed out: the tool gave no answer within 0.3 s";
    assert_eq!(refusal(&bench.relay.on(Event::Held { request: 1 })), why);
    assert_eq!(bench.errors(), [Some(why.to_owned())]);
    assert_eq!(bench.recorder.calls().unwrap()[0].value.extra, Some(json!({"injected": "timeout"})));
    assert_eq!(bench.relay.on(Event::Held { request: 1 }), []);
}

#[test]
fn an_injected_timeout_is_silent_until_it_is_cancelled() {
    let mut bench = Bench::new(false, &[A]);
    let hold = Duration::from_secs(3);
    bench.recorder.inject("a", InjectedFailure::Timeout(hold));
    assert_eq!(bench.agent(A, &call(1, "a")), [Action::Hold { request: 1, hold }]);
    assert_eq!(bench.errors(), [Some("no answer".to_owned())]);
    assert_eq!(bench.agent(A, r#"{"method":"notifications/cancelled","params":{"requestId":1}}"#), []);
    assert!(!bench.relay.is_waiting());
    assert_eq!(bench.relay.on(Event::Held { request: 1 }), [], "it is too late to answer");
    bench.agent(A, &call(2, "a"));
    assert_eq!(bench.relay.on(Event::Closed(A)), [], "there is nothing to cancel at the server");
}

#[test]
fn what_a_server_says_for_the_evidence_alone_is_kept_with_its_call() {
    let mut bench = Bench::new(false, &[A]);
    bench.agent(A, &call(7, "a"));
    let value = json!({"policy": "empty", "matched": null});
    assert_eq!(bench.relay.on(Event::Noted { request: 1, key: "divergence", value: &value }), []);
    assert_eq!(bench.relay.on(Event::Noted { request: 9, key: "divergence", value: &value }), []);
    bench.server(r#"{"id":1,"result":{}}"#);
    assert_eq!(bench.recorder.calls().unwrap()[0].value.extra, Some(json!({"divergence": value})));
}

#[test]
fn a_dead_server_is_named_now_and_with_every_later_request() {
    let mut bench = Bench::new(true, &[A]);
    bench.agent(A, &call(1, "a"));
    let why = "tool server crm ended with exit code 3";
    assert_eq!(refusal(&bench.relay.on(Event::Gone(why))), why);
    assert_eq!(refusal(&bench.agent(A, &call(2, "a"))), why);
    assert_eq!(refusal(&bench.agent(A, r#"{"id":3,"method":"initialize"}"#)), why);
    assert_eq!(bench.errors(), [Some(why.to_owned()), Some(why.to_owned())]);
}

#[test]
fn an_end_closes_every_connection_and_open_calls_say_why() {
    let mut bench = Bench::new(true, &[A, B]);
    bench.agent(A, &call(1, "a"));
    assert_eq!(bench.relay.on(Event::Ended("it ended")), [Action::Close(A), Action::Close(B)]);
    assert_eq!(bench.errors(), [Some("it ended".to_owned())]);
    assert_eq!(bench.relay.on(Event::Closed(A)), []);
}

#[test]
fn one_undelivered_request_is_answered_and_the_others_go_on() {
    let mut bench = Bench::new(false, &[A]);
    bench.agent(A, &call(7, "a"));
    bench.agent(A, &call(8, "a"));
    assert_eq!(refusal(&bench.relay.on(Event::Undelivered { request: 1, why: "refused" })), "refused");
    assert_eq!(bench.server(r#"{"id":2,"result":{}}"#).len(), 1);
}

#[test]
fn garbage_reused_ids_and_too_many_requests_are_refused() {
    let mut bench = Bench::new(false, &[A]);
    assert!(refusal(&bench.agent(A, "hello")).starts_with("not JSON-RPC"));
    assert!(refusal(&bench.agent(A, "[]")).contains("the batch is empty"));
    for id in 0..4 {
        bench.agent(A, &call(id, "a"));
    }
    assert!(refusal(&bench.agent(A, &call(1, "a"))).contains("request id 1 is still in use"));
    assert_eq!(refusal(&bench.agent(A, &call(9, "a"))), "4 requests are waiting for answers already");
    assert_eq!(bench.server("Listening on stdio…"), []);
}

#[test]
fn a_batch_is_taken_apart_in_order() {
    let mut bench = Bench::new(false, &[A]);
    let actions = bench.agent(A, r#"[{"id":1,"method":"a"},{"method":"n"},{"id":2,"method":"b"}]"#);
    let expected = [
        request(1, r#"{"id":1,"method":"a"}"#),
        one_way(r#"{"method":"n"}"#),
        request(2, r#"{"id":2,"method":"b"}"#),
    ];
    assert_eq!(actions, expected);
}

#[test]
fn a_server_may_end_once_nobody_needs_it_and_not_before() {
    const CALL: &str = r#"{"id":7,"method":"tools/call","params":{"name":"add"}}"#;
    let died = Event::Died { why: "gone", how: "it died" };
    let unavailable = |bench: &Bench| bench.recorder.calls().is_err();

    let mut connected = Bench::new(true, &[A]);
    connected.relay.on(died);
    assert!(unavailable(&connected));

    let mut left = Bench::new(true, &[A]);
    left.relay.on(Event::Closed(A));
    left.relay.on(died);
    assert!(!unavailable(&left));
    left.relay.on(Event::Opened(B));
    assert!(!unavailable(&left));
    left.agent(B, CALL);
    assert_eq!(
        left.recorder.calls().unwrap_err().to_string(),
        "evidence of crm is unavailable: it died",
        "a call came after it"
    );
}
