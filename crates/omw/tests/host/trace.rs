//! The whole record of a brain that makes every call.

use std::sync::Arc;

use futures::StreamExt as _;
use omw::prelude::*;
use serde_json::json;

use crate::doubles::{Door, Tools, Voice, ask};
use crate::stage::{Counted, Stage, finish, value};

fn every_call(host: &dyn Host) -> HostResult<String> {
    host.whoami();
    host.list_models("voice")?;
    host.chat("voice", ChatRequest { params: Some(json!({"temperature": 0})), ..ask("hello") })?;
    host.chat("voice", ask("fails")).unwrap_err();
    let stream = host.chat_stream("voice", ask("never"))?;
    host.cancel(&stream);
    host.chat_stream("voice", ask("hello"))?;

    host.list_tools("tools")?;
    host.call_tool("tools", "add", json!({"a": 1}))?;
    host.call_tool_blocking("tools", "add", json!({"a": 2}))?;
    host.call_tool_blocking("tools", "fails", json!({})).unwrap_err();
    host.list_resources("tools")?;
    host.read_resource("tools", "a:b")?;
    host.list_resource_templates("tools")?;
    let list = host.subscribe_resource_list("tools")?;
    host.unsubscribe_resource_list("tools", &list)?;
    let one = host.subscribe_resource("tools", "a:b")?;
    host.unsubscribe_resource("tools", &one)?;
    while host.try_recv()?.is_some() {}

    let timer = host.wait_for(3_600_000)?;
    host.cancel_timer(&timer)?;
    host.wait_until(0).unwrap_err();
    host.wait_cron("nonsense").unwrap_err();
    host.sleep_for(0)?;
    host.sleep_until(0).unwrap_err();
    host.sleep_cron("* * *").unwrap_err();

    let lifecycle = host.subscribe_lifecycle()?;
    host.subscribe_lifecycle().unwrap_err();
    host.unsubscribe_lifecycle(&lifecycle)?;
    let own = host.subscribe_agent("alice")?;
    host.subscribe_agent("alice")?;
    host.send_agent("alice", "hello")?;
    host.recv()?;
    host.unsubscribe_agent(&own)?;

    host.memory_set("key", "value")?;
    host.memory_get("key")?;
    host.memory_remove("key")?;
    host.memory_get("key")?;

    let served = host.subscribe_endpoint("m")?;
    host.subscribe_endpoint("m").unwrap_err();
    let Event::EndpointMessage(asked) = host.recv()?.event else { panic!("another event") };
    let said = ChatDelta {
        content: Some("hi".to_owned()),
        finish_reason: Some("stop".to_owned()),
        ..ChatDelta::default()
    };
    host.stream_endpoint(&asked.session, said)?;
    host.stream_endpoint(&asked.session, ChatDelta::default()).unwrap_err();
    host.recv()?;
    host.unsubscribe_endpoint(&served)?;
    host.time_format(host.time_now(), "%F %T")
}

#[tokio::test]
async fn every_call_is_recorded_with_its_arguments_and_what_it_came_to() {
    let (door, routes) = Door::new();
    let stage = Stage::new()
        .provider("voice", Voice(Pace::Stepped))
        .tooling("tools", |_| Tools::new(Pace::Stepped))
        .endpoint(door)
        .agent("alice", every_call);
    let record = stage.record();
    let handle = stage.builder().seam(Arc::new(Counted::at(1_767_323_045_678))).start().await.unwrap();
    let routes = routes.await.unwrap();
    routes.served("m").await;
    let request = EndpointRequest { model: "m".to_owned(), ..EndpointRequest::default() };
    let session = routes.open(request).await.unwrap();
    assert_eq!(session.deltas.count().await, 1);
    session.closer.close();
    assert_eq!(value(&finish(handle).await, "alice"), "2026-01-02 03:04:05");
    let lines: Vec<_> = record.events().iter().map(|event| serde_json::to_string(event).unwrap()).collect();
    insta::assert_snapshot!(lines.join("\n"));
}
