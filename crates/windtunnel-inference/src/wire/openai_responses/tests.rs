//! Answers that are written are read back as they were, whole and streamed.

use serde_json::{Value, json};

use super::decode::decode;
use super::*;
use crate::chat::{CallRequest, Stop, TokenUsage};
use crate::wire::ToolForm;

fn to(delivery: Delivery, tool_forms: &[ToolForm]) -> ReplyTo<'_> {
    ReplyTo {
        number: 1,
        model: "m",
        delivery,
        previous: None,
        replayable_reasoning: false,
        stored: true,
        tool_forms,
    }
}

fn full_reply() -> ChatReply {
    let call = |id: &str, name: &str, arguments: Value| CallRequest {
        id: id.to_owned(),
        name: name.to_owned(),
        arguments: arguments.to_string(),
    };
    ChatReply {
        content: Some("Let me look at this long list of orders first. 😀".to_owned()),
        tool_calls: vec![
            call("call_1", "lookup", json!({"id": "a rather long identifier of an order"})),
            call("call_2", "exec", json!({"input": "1 + 1"})),
        ],
        reasoning: Some("The orders have to be counted.".to_owned()),
        stop: Stop::Done,
        usage: Some(TokenUsage { prompt: 30, cached: 10, completion: 20 }),
    }
}

#[test]
fn what_is_written_is_read_back_whole_and_streamed() {
    let exec =
        [ToolForm { offered: "exec".to_owned(), name: "exec".to_owned(), namespace: None, takes_text: true }];
    let says = |text: &str, stop| ChatReply { content: Some(text.to_owned()), stop, ..ChatReply::default() };
    for mut reply in [full_reply(), says("I will not.", Stop::Refusal), says("It is too lo", Stop::Length)] {
        reply.usage.get_or_insert_default();
        for delivery in [Delivery::Whole, Delivery::Stream { usage: true }] {
            let body = OpenAiResponses.reply(&reply, &to(delivery, &exec)).frames.concat();
            assert_eq!(decode(&body, delivery != Delivery::Whole).as_ref(), Ok(&reply));
        }
    }
}

#[test]
fn a_failure_is_read_as_what_the_provider_says() {
    let error = WireError::new(500, "the model is on fire");
    for delivery in [Delivery::Whole, Delivery::Stream { usage: true }] {
        let (status, payload) = OpenAiResponses.failing_reply(&full_reply(), &to(delivery, &[]), &error);
        assert_eq!(status, 200);
        let read = decode(&payload.frames.concat(), delivery != Delivery::Whole);
        assert_eq!(read, Err("the provider gave up with `server_error`: the model is on fire".to_owned()));
    }
}

#[test]
fn failures_have_the_code_of_their_status_or_their_own() {
    let code = |error: &WireError<'_>| {
        let (_, payload) = OpenAiResponses.failing_reply(&full_reply(), &to(Delivery::Whole, &[]), error);
        serde_json::from_slice::<Value>(&payload.frames.concat()).unwrap()["error"]["code"].clone()
    };
    for (status, expected) in
        [(429, "rate_limit_exceeded"), (400, "invalid_prompt"), (500, "server_error"), (529, "server_error")]
    {
        assert_eq!(code(&WireError::new(status, "")), expected);
    }
    assert_eq!(code(&WireError { code: Some("bio_policy"), ..WireError::new(400, "") }), "bio_policy");
}

#[test]
fn items_of_a_stream_count_where_its_end_does_not_repeat_them() {
    let stream = concat!(
        "event: response.created\ndata: {\"type\":\"response.created\",\"response\":{}}\n\n",
        ": keep-alive\n\n",
        "data: {\"type\":\"response.output_item.done\",\"item\":{\"type\":\"web_search_call\",\"id\":\"ws_1\"}}\n\n",
        "data: {\"type\":\"response.output_item.done\",\"item\":{\"type\":\"reasoning\",\"summary\":[],\"content\":[{\"type\":\"reasoning_text\",\"text\":\"hm\"}]}}\n\n",
        "data: {\"type\":\"response.output_item.done\",\"item\":{\"type\":\"message\",\"content\":[{\"type\":\"output_text\",\"text\":\"one\"},{\"type\":\"new\"},{\"type\":\"output_text\",\"text\":\"two\"}]}}\n\n",
        "data: {\"type\":\"response.completed\",\"response\":{\"status\":\"completed\",\"output\":[]}}\n\n",
        "data: [DONE]\n\n",
    );
    let read = decode(stream.as_bytes(), true).unwrap();
    assert_eq!((read.content.as_deref(), read.reasoning.as_deref()), (Some("one\n\ntwo"), Some("hm")));
    assert_eq!(read.usage, None);
}

#[test]
fn answers_that_are_none_say_why() {
    let mut said = Vec::new();
    for (body, streamed) in [
        ("<html>", false),
        (r#"{"status": "in_progress", "output": []}"#, false),
        (r#"{"status": "failed"}"#, false),
        (r#"{"output": [{"type": "function_call", "name": "lookup"}]}"#, false),
        ("data: {\"type\":\"response.created\",\"response\":{}}\n\n", true),
        ("data: {\"type\":\"error\",\"code\":null,\"message\":\"gone\"}\n\n", true),
        (
            "data: {\"type\":\"error\",\"error\":{\"code\":\"rate_limit_exceeded\",\"message\":\"slow down\"}}\n\n",
            true,
        ),
        ("data: {\"type\":\n\n", true),
    ] {
        said.push(decode(body.as_bytes(), streamed).unwrap_err());
    }
    insta::assert_snapshot!(said.join("\n"), @r"
    expected value at line 1 column 1
    the response is not finished
    the provider gave up without saying why
    missing field `call_id` at line 1 column 56
    the stream ends without `response.completed`
    the provider gave up: gone
    the provider gave up with `rate_limit_exceeded`: slow down
    EOF while parsing a value at line 1 column 8
    ");
}
