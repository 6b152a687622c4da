//! What a turn yields.

use serde_json::json;
use windtunnel_spi::{AgentReply, Message, RuntimeErrorKind, SessionId};

use crate::support::{Bench, say, seen, text};

#[tokio::test]
async fn a_reply_is_put_together_from_its_updates() {
    let Some(bench) = Bench::agent(
        "def prompt(text):\n\
         \x20   say('Hm.', kind='agent_thought_chunk')\n\
         \x20   say('You said ')\n\
         \x20   say(text)\n\
         \x20   update('tool_call', toolCallId='1', title='lookup', rawInput={'id': 7})\n\
         \x20   update('something_new', entries=[])\n\
         \x20   update('tool_call_update', toolCallId='1', status='completed', rawOutput=75)\n\
         \x20   say('75 orders')\n\
         \x20   return 'end_turn'",
    ) else {
        return;
    };
    let mut agent = bench.start().await;
    let reply = say(agent.as_mut(), "How many?").await.unwrap();
    assert_eq!(reply.content, "You said How many?\n\n75 orders");
    let [call] = reply.claimed_calls.as_slice() else { panic!("{reply:?}") };
    assert_eq!(
        (call.tool.as_str(), &call.args, &call.result),
        ("lookup", &json!({"id": 7}), &Some(json!(75)))
    );
    assert_eq!(say(agent.as_mut(), "Thanks").await.unwrap().content, "You said Thanks\n\n75 orders");
    assert_eq!(seen(agent.as_mut()), Vec::<serde_json::Value>::new());
}

#[tokio::test]
async fn a_turn_that_stops_early_is_a_reply_with_a_warning() {
    let Some(bench) = Bench::agent("def prompt(text):\n    say('so far')\n    return text") else { return };
    let mut agent = bench.start().await;
    assert_eq!(say(agent.as_mut(), "max_tokens").await.unwrap(), AgentReply::says("so far"));
    assert_eq!(say(agent.as_mut(), "refusal").await.unwrap(), AgentReply::says("so far"));
    let warnings = ["the agent stopped early: max_tokens", "the agent refused the turn: refusal"];
    assert_eq!(seen(agent.as_mut()), warnings);
    let error = say(agent.as_mut(), "cancelled").await.unwrap_err();
    assert!(text(&error).starts_with("the agent says that the turn was cancelled, which nobody asked for"));
}

#[tokio::test]
async fn what_a_session_brings_outside_its_turns_belongs_to_none() {
    let Some(bench) = Bench::agent(
        "def prompt(text):\n\
         \x20   global session\n\
         \x20   mine, session = session, 'another'\n\
         \x20   say('not of this session')\n\
         \x20   session = mine\n\
         \x20   say(text)\n\
         \x20   return 'end_turn'",
    ) else {
        return;
    };
    assert_eq!(bench.answer("hello").await.unwrap(), "hello");
}

#[tokio::test]
async fn earlier_messages_cannot_be_given() {
    let Some(bench) = Bench::agent("") else { return };
    let shaped = [Message::user("before"), Message::user("now")];
    let error = bench.start().await.send(&shaped, &SessionId::new("s")).await.unwrap_err();
    assert_eq!(error.kind(), RuntimeErrorKind::History);
    assert!(text(&error).starts_with("this agent cannot be given the earlier messages"), "{error}");
}

#[tokio::test]
async fn an_error_of_the_agent_is_told_with_its_data() {
    let Some(bench) =
        Bench::agent("def prompt(text):\n    fail(-32603, 'Internal error', {'details': text})")
    else {
        return;
    };
    let error = bench.answer("no credit").await.unwrap_err();
    let expected = "session/prompt failed with error -32603: Internal error: {\"details\":\"no credit\"}; it wrote \
                    nothing to standard error";
    assert_eq!(error, expected);
}

#[tokio::test]
async fn files_are_read_and_written_in_the_workspace() {
    let Some(bench) = Bench::agent(
        "def prompt(text):\n\
         \x20   inside = os.environ['WT_WORKSPACE'] + '/notes/a.md'\n\
         \x20   ask('fs/write_text_file', sessionId=session, path=inside, content='one\\ntwo\\n')\n\
         \x20   say(ask('fs/read_text_file', sessionId=session, path=inside, line=2)['content'])\n\
         \x20   say(str(ask('fs/read_text_file', sessionId=session, path='/etc/passwd')))\n\
         \x20   say(str(ask('terminal/create', sessionId=session, command='ls')['code']))\n\
         \x20   say(str(client['clientCapabilities']['fs']) + str(client['clientCapabilities'].get('terminal', False)))\n\
         \x20   return 'end_turn'",
    ) else {
        return;
    };
    let said = bench.answer("go").await.unwrap();
    let refused =
        "{'code': -32602, 'message': 'Invalid params', 'data': '/etc/passwd is outside the workspace'}";
    let offered = "{'readTextFile': True, 'writeTextFile': True}False";
    assert_eq!(said, format!("two\n{refused}-32601{offered}"));
    assert_eq!(std::fs::read_to_string(bench.world.workspace.join("notes/a.md")).unwrap(), "one\ntwo\n");
}
