//! Answers and refusals as clients get them.

use omw::exchange::{ChatDelta, Message, ToolCallDelta};
use reqwest::StatusCode;
use serde_json::{Value, json};

use crate::agents::{Noted, Served, ask};
use crate::servers::says;

fn calls(pieces: Vec<ToolCallDelta>) -> ChatDelta {
    ChatDelta { tool_calls: pieces, ..ChatDelta::default() }
}

fn piece(index: u32, id: Option<&str>, name: Option<&str>, arguments: Option<&str>) -> ToolCallDelta {
    let text = |text: Option<&str>| text.map(str::to_owned);
    ToolCallDelta { index, id: text(id), name: text(name), arguments: text(arguments) }
}

/// An answer with everything that an agent can say; one call has no id, one no arguments.
fn rich_answer() -> Vec<ChatDelta> {
    vec![
        ChatDelta { reasoning: Some("hm".to_owned()), ..ChatDelta::default() },
        says("Let me look."),
        calls(vec![piece(0, Some("c1"), Some("look"), None)]),
        calls(vec![piece(0, Some("c1"), Some("look"), Some("{\"a\":"))]),
        calls(vec![piece(0, None, None, Some("1}")), piece(1, None, Some("find"), None)]),
        ChatDelta {
            finish_reason: Some("tool_calls".to_owned()),
            usage: Some("{\"total_tokens\": 7}".to_owned()),
            ..ChatDelta::default()
        },
    ]
}

#[tokio::test]
async fn the_models_that_agents_serve_are_listed() {
    let served = Served::new().await;
    let models: Value = served.http.get(served.url("/v1/models")).send().await.unwrap().json().await.unwrap();
    let model = |id: &str| json!({"id": id, "object": "model", "created": 0, "owned_by": "omw"});
    assert_eq!(models, json!({"object": "list", "data": [model("helper"), model("writer")]}));
}

#[tokio::test]
async fn a_streamed_answer_as_clients_see_it() {
    let mut served = Served::new().await;
    let response = served.post(&ask(true));
    let session = served.opened().await;
    for delta in rich_answer() {
        session.say(delta);
    }
    let response = response.await.unwrap();
    assert_eq!(response.headers()["content-type"], "text/event-stream");
    insta::assert_snapshot!(response.text().await.unwrap(), @r#"
    data: {"id":"chatcmpl-s0","object":"chat.completion.chunk","created":0,"model":"helper","choices":[{"index":0,"delta":{"role":"assistant","reasoning_content":"hm"},"finish_reason":null}]}

    data: {"id":"chatcmpl-s0","object":"chat.completion.chunk","created":0,"model":"helper","choices":[{"index":0,"delta":{"content":"Let me look."},"finish_reason":null}]}

    data: {"id":"chatcmpl-s0","object":"chat.completion.chunk","created":0,"model":"helper","choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"c1","type":"function","function":{"name":"look","arguments":""}}]},"finish_reason":null}]}

    data: {"id":"chatcmpl-s0","object":"chat.completion.chunk","created":0,"model":"helper","choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":"{\"a\":"}}]},"finish_reason":null}]}

    data: {"id":"chatcmpl-s0","object":"chat.completion.chunk","created":0,"model":"helper","choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":"1}"}},{"index":1,"id":"call_s0_1","type":"function","function":{"name":"find","arguments":""}}]},"finish_reason":null}]}

    data: {"id":"chatcmpl-s0","object":"chat.completion.chunk","created":0,"model":"helper","choices":[{"index":0,"delta":{"tool_calls":[{"index":1,"function":{"arguments":"{}"}}]},"finish_reason":"tool_calls"}]}

    data: {"id":"chatcmpl-s0","object":"chat.completion.chunk","created":0,"model":"helper","choices":[],"usage":{"total_tokens": 7}}

    data: [DONE]
    "#);
    assert_eq!(session.noted().await, [Noted::Closed, Noted::Dropped], "the client has the whole answer");
}

#[tokio::test]
async fn a_whole_answer_as_clients_see_it() {
    let mut served = Served::new().await;
    let response = served.post(&ask(false));
    let session = served.opened().await;
    for delta in rich_answer() {
        session.say(delta);
    }
    let response = response.await.unwrap();
    assert_eq!(response.headers()["content-type"], "application/json");
    insta::assert_snapshot!(response.text().await.unwrap(), @r#"{"id":"chatcmpl-s0","object":"chat.completion","created":0,"model":"helper","choices":[{"index":0,"message":{"role":"assistant","content":"Let me look.","reasoning_content":"hm","tool_calls":[{"id":"c1","type":"function","function":{"name":"look","arguments":"{\"a\":1}"}},{"id":"call_s0_1","type":"function","function":{"name":"find","arguments":"{}"}}]},"finish_reason":"tool_calls"}],"usage":{"total_tokens": 7}}"#);
    assert_eq!(session.noted().await, [Noted::Closed, Noted::Dropped]);
}

#[tokio::test]
async fn pieces_reach_the_client_while_the_agent_is_still_talking() {
    let mut served = Served::new().await;
    let response = served.post(&ask(true));
    let session = served.opened().await;
    let mut response = response.await.unwrap();
    session.say(says("one"));
    let first = response.chunk().await.unwrap().unwrap();
    assert!(String::from_utf8_lossy(&first).contains("\"content\":\"one\""), "{first:?}");
    session.finish("two");
    assert!(response.text().await.unwrap().ends_with("data: [DONE]\n\n"));
}

#[tokio::test]
async fn an_agent_is_told_the_conversation_and_what_else_the_client_wants() {
    let mut served = Served::new().await;
    let mut body = ask(false);
    body.as_object_mut().unwrap().extend([("temperature".to_owned(), json!(0))]);
    let response = served.post(&body);
    let session = served.opened().await;
    let user =
        Message { role: "user".to_owned(), content: Some("How many?".to_owned()), ..Message::default() };
    assert_eq!(session.request.model, "helper");
    assert_eq!(session.request.messages, [user]);
    assert_eq!(session.request.params, Some(json!({"temperature": 0})));
    session.finish("7");
    let answer: Value = response.await.unwrap().json().await.unwrap();
    assert_eq!(answer["choices"][0]["message"], json!({"role": "assistant", "content": "7"}));
    assert_eq!(answer.get("usage"), None);
}

#[tokio::test]
async fn a_slow_agent_holds_nobody_up() {
    let mut served = Served::new().await;
    let slow = served.post(&ask(false));
    let slow_session = served.opened().await;
    let quick = served.post(&ask(false));
    served.opened().await.finish("at once");
    let answer: Value = quick.await.unwrap().json().await.unwrap();
    assert_eq!(answer["choices"][0]["message"]["content"], "at once");
    slow_session.finish("at last");
    assert_eq!(slow.await.unwrap().status(), StatusCode::OK);
}

#[tokio::test]
async fn refusals_say_why() {
    let served = Served::new().await;
    let chat = served.url("/v1/chat/completions");
    let post = |body: String| served.http.post(&chat).header("content-type", "application/json").body(body);
    let to = |model: &str| post(json!({"model": model, "messages": []}).to_string());
    let requests = [
        to("nobody"),
        to("crowded"),
        to("ending"),
        post("{".to_owned()),
        post("x".repeat(33 * 1024 * 1024)),
        to("helper").header("content-encoding", "gzip"),
        to("helper").header("origin", "https://example.com"),
        served.http.get(&chat),
        served.http.post(served.url("/v1/models")),
        served.http.get(served.url("/v1/embeddings")),
    ];
    let mut texts = Vec::new();
    for request in requests {
        let response = request.send().await.unwrap();
        let status = response.status().as_u16();
        let allow = response.headers().get("allow").map_or("", |allow| allow.to_str().unwrap()).to_owned();
        let body: Value = response.json().await.unwrap();
        assert_eq!(body["error"]["type"], "omw_error");
        assert_eq!(body["error"]["code"], Value::Null);
        texts.push(format!("{status} {allow}: {}", body["error"]["message"].as_str().unwrap()));
    }
    insta::assert_snapshot!(texts.join("\n"), @r#"
    404 : model "nobody" is not served; the agents serve helper, writer
    429 : model "crowded" has too many open sessions
    503 : the agents are shutting down
    400 : the body is no request for a chat completion: EOF while parsing an object at line 1 column 1
    413 : the body of the request is larger than 32 MiB
    415 : bodies with content-encoding "gzip" are not decoded here; send plain JSON
    403 : requests of web pages are not answered: Origin is not this machine
    405 POST: /v1/chat/completions is there for POST
    405 GET: /v1/models is there for GET
    404 : there is no /v1/embeddings; expected GET /v1/models or POST /v1/chat/completions
    "#);
}
