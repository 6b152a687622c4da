use serde_json::json;

use super::*;
use crate::exchange::{ChatDelta, ChatReply, Message, ToolCall, ToolCallDelta};
use crate::mock::testkit::{context, drain, dumping, now, params, poll, remaining};

fn provider(toml: &str) -> MockProvider {
    MockProvider::new(&params(toml), &context()).unwrap()
}

fn request(content: &str) -> ChatRequest {
    let message = Message { role: "user".into(), content: Some(content.into()), ..Message::default() };
    ChatRequest { model: "m".into(), messages: vec![message], ..ChatRequest::default() }
}

fn ask(provider: &MockProvider) -> Result<ChatReply, BackendError> {
    now(provider.chat(request("?")))
}

/// Every item of the stream of a chat, and whether it ended.
fn stream(provider: &MockProvider) -> (Vec<Result<ChatDelta, BackendError>>, bool) {
    drain(&mut now(provider.chat_stream(request("?"))).unwrap())
}

#[test]
fn turns_come_in_order_and_the_last_repeats() {
    let provider = provider(r#"turns = [{ content = "one" }, { content = "two" }]"#);
    let contents: Vec<_> = (0..4).map(|_| ask(&provider).unwrap().content.unwrap()).collect();
    assert_eq!(contents, ["one", "two", "two", "two"]);
}

#[test]
fn blocking_and_streamed_chats_share_the_turns() {
    let provider = provider(r#"turns = [{ content = "one" }, { content = "two" }, { content = "three" }]"#);
    assert_eq!(ask(&provider).unwrap().content.as_deref(), Some("one"));
    assert_eq!(stream(&provider).0[0].as_ref().unwrap().content.as_deref(), Some("two"));
    assert_eq!(ask(&provider).unwrap().content.as_deref(), Some("three"));
}

#[test]
fn without_turns_an_answer_has_nothing_in_it() {
    let provider = provider("");
    assert_eq!(ask(&provider).unwrap(), ChatReply::default());
    assert_eq!(stream(&provider), (vec![], true));
}

#[test]
fn a_turn_sends_its_thoughts_first_and_all_the_rest_at_once() {
    let provider = provider(
        r#"
        [[turns]]
        content = "hi"
        reasoning = "hm"
        usage = { prompt_tokens = 3, total_tokens = 5 }
        tool_calls = [
            { id = "a", name = "add", arguments = { y = 1, x = [true] } },
            { id = "b", name = "sub", arguments = "{ \"y\" :2}" },
        ]
        "#,
    );
    let call = |index, id: &str, name: &str, arguments: &str| ToolCallDelta {
        index,
        id: Some(id.into()),
        name: Some(name.into()),
        arguments: Some(arguments.into()),
    };
    let thought = ChatDelta { reasoning: Some("hm".into()), ..ChatDelta::default() };
    let rest = ChatDelta {
        content: Some("hi".into()),
        reasoning: None,
        tool_calls: vec![call(0, "a", "add", r#"{"y":1,"x":[true]}"#), call(1, "b", "sub", r#"{ "y" :2}"#)],
        finish_reason: Some("tool_calls".into()),
        usage: Some(r#"{"prompt_tokens":3,"total_tokens":5}"#.into()),
    };
    assert_eq!(stream(&provider), (vec![Ok(thought), Ok(rest)], true));
}

#[test]
fn the_finish_reason_says_whether_there_are_calls() {
    let table = [
        (r#"turns = [{ content = "a" }]"#, "stop"),
        ("turns = [{}]", "stop"),
        (r#"turns = [{ tool_calls = [{ id = "1", name = "t", arguments = {} }] }]"#, "tool_calls"),
        (r#"turns = [{ tool_call = { id = "1", name = "t", arguments = {} } }]"#, "tool_calls"),
    ];
    for (toml, reason) in table {
        assert_eq!(ask(&provider(toml)).unwrap().finish_reason.as_deref(), Some(reason), "{toml}");
    }
}

#[test]
fn the_older_single_call_is_a_list_of_one() {
    let provider = provider(r#"turns = [{ tool_call = { id = "1", name = "t", arguments = "{}" } }]"#);
    let expected = ToolCall { id: "1".into(), name: "t".into(), arguments: "{}".into() };
    assert_eq!(ask(&provider).unwrap().tool_calls, [expected]);
}

#[test]
fn an_error_comes_after_what_was_said_and_a_blocking_chat_raises_it_alone() {
    let toml = r#"turns = [{ content = "well", error = "overloaded" }]"#;
    let overloaded = BackendError::new("overloaded");
    assert_eq!(ask(&provider(toml)), Err(overloaded.clone()));
    let said = ChatDelta {
        content: Some("well".into()),
        finish_reason: Some("stop".into()),
        ..ChatDelta::default()
    };
    assert_eq!(stream(&provider(toml)), (vec![Ok(said), Err(overloaded.clone())], true));
    assert_eq!(stream(&provider(r#"turns = [{ error = "overloaded" }]"#)), (vec![Err(overloaded)], true));
}

#[test]
fn a_pending_turn_never_answers_and_the_next_chat_gets_the_next_turn() {
    let provider = provider(r#"turns = [{ pending = true, content = "never" }, { content = "next" }]"#);
    let mut stuck = provider.chat(request("?"));
    assert_eq!(poll(&mut stuck), None);
    assert_eq!(ask(&provider).unwrap().content.as_deref(), Some("next"));
    assert_eq!(poll(&mut stuck), None);
}

#[test]
fn models_are_listed() {
    assert_eq!(now(provider("").list_models()).unwrap(), ["mock-model"]);
    assert_eq!(now(provider(r#"models = ["b", "a"]"#).list_models()).unwrap(), ["b", "a"]);
}

#[test]
fn a_snapshot_tells_what_was_asked_and_what_is_left() {
    let provider = provider(
        r#"
        models = ["m"]
        turns = [
            { content = "one" },
            { content = "two", tool_call = { id = "1", name = "add", arguments = {} } },
            { error = "broken" },
            { pending = true },
            {},
        ]
        "#,
    );
    ask(&provider).unwrap();
    let snapshot = provider.snapshot().unwrap();
    assert_eq!(
        remaining(&snapshot),
        [
            r#"turns[1]: "two", calls add"#,
            r#"turns[2]: fails with "broken""#,
            "turns[3]: never answers",
            "turns[4]: says nothing",
        ]
    );
    let delta = json!({"content": "one", "reasoning": null, "tool_calls": [], "finish_reason": "stop", "usage": null});
    let message =
        json!({"role": "user", "content": "?", "reasoning": null, "tool_calls": [], "tool_call_id": null});
    let call = json!({"model": "m", "messages": [message], "tools": [], "params": null, "deltas": [delta]});
    assert_eq!(
        snapshot,
        json!({
            "kind": "provider", "turns_total": 5, "turns_consumed": 1, "turns_remaining": 4, "chat_calls": 1,
            "models": ["m"], "calls_dropped": 0, "calls": [call], "remaining": snapshot["remaining"],
        })
    );
}

#[test]
fn counts_stay_within_the_script_and_the_latest_calls_are_kept() {
    let toml = r#"turns = [{ content = "one" }, { content = "two" }]"#;
    let (some, all) = (provider(toml), MockProvider::new(&params(toml), &dumping()).unwrap());
    for provider in [&some, &all] {
        for number in 0..300 {
            now(provider.chat(request(&number.to_string()))).unwrap();
        }
    }
    let some = some.snapshot().unwrap();
    assert_eq!(
        [&some["turns_consumed"], &some["turns_remaining"], &some["chat_calls"], &some["calls_dropped"]],
        [2, 0, 300, 100]
    );
    assert_eq!(some["calls"].as_array().unwrap().len(), 200);
    assert_eq!(some["calls"][0]["messages"][0]["content"], "100");
    assert_eq!(all.snapshot().unwrap()["calls"].as_array().unwrap().len(), 300);
}
