//! Our provider asks our endpoint.

use omw::exchange::{ChatDelta, ChatReply, ChatRequest, Message, Tool, ToolCall, ToolCallDelta};
use omw::prelude::*;
use serde_json::json;

use crate::agents::Served;
use crate::servers::provider_at;

#[tokio::test]
async fn what_one_agent_says_another_hears() {
    let mut served = Served::new().await;
    let provider = provider_at(&served.url("/v1"));
    assert_eq!(provider.list_models().await.unwrap(), ["helper", "writer"]);

    let text = |text: &str| Some(text.to_owned());
    let call = ToolCall { id: "c1".to_owned(), name: "look".to_owned(), arguments: "{\"a\":1}".to_owned() };
    let message = |role: &str| Message { role: role.to_owned(), ..Message::default() };
    let messages = vec![
        Message { content: text("How many?"), ..message("user") },
        Message { tool_calls: vec![call.clone()], ..message("assistant") },
        Message { content: text("7"), tool_call_id: text("c1"), ..message("tool") },
    ];
    let tools =
        vec![Tool { name: "look".to_owned(), input_schema: json!({"type": "object"}), ..Tool::default() }];
    let params = Some(json!({"temperature": 0}));
    let request = ChatRequest {
        model: "helper".to_owned(),
        messages: messages.clone(),
        tools: tools.clone(),
        params: params.clone(),
    };
    let asking = tokio::spawn(async move { provider.chat(request).await });
    let session = served.opened().await;
    assert_eq!(
        session.request,
        EndpointRequest { model: "helper".to_owned(), messages, tools, params },
        "as it was asked"
    );
    session.say(ChatDelta { reasoning: text("hm"), ..ChatDelta::default() });
    session.say(ChatDelta { content: text("See"), ..ChatDelta::default() });
    session.say(ChatDelta {
        content: text(" there."),
        tool_calls: vec![ToolCallDelta {
            index: 0,
            id: text("c1"),
            name: text("look"),
            arguments: text("{\"a\":1}"),
        }],
        finish_reason: text("tool_calls"),
        usage: text("{\"total_tokens\":7}"),
        ..ChatDelta::default()
    });
    let expected = ChatReply {
        content: text("See there."),
        reasoning: text("hm"),
        tool_calls: vec![call],
        finish_reason: text("tool_calls"),
        usage: text("{\"total_tokens\":7}"),
    };
    assert_eq!(asking.await.unwrap().unwrap(), expected);
}

#[tokio::test]
async fn an_agent_that_stops_serving_is_an_error_of_the_other() {
    let mut served = Served::new().await;
    let provider = provider_at(&served.url("/v1"));
    let request = |model: &str| ChatRequest { model: model.to_owned(), ..ChatRequest::default() };
    let error = provider.chat(request("nobody")).await.unwrap_err();
    assert_eq!(
        error.to_string(),
        "the provider answered 404: model \"nobody\" is not served; the agents serve helper, writer"
    );
    let asking = tokio::spawn(async move { provider.chat(request("helper")).await });
    served.opened().await.fail("endpoint subscription \"u\" unsubscribed");
    assert_eq!(
        asking.await.unwrap().unwrap_err().to_string(),
        "the provider broke its answer off with an error: endpoint subscription \"u\" unsubscribed"
    );
}
