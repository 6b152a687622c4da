//! Streams, queued calls and subscriptions of back ends that go at their own pace.

use omw::prelude::*;
use serde_json::json;

use crate::doubles::{Tools, Voice, ask};
use crate::stage::{Stage, kinds, told, until};

fn stage() -> Stage {
    Stage::new().provider("voice", Voice(Pace::Free)).tooling("tools", |_| Tools::new(Pace::Free))
}

#[tokio::test]
async fn a_stream_brings_its_pieces_and_its_end() {
    let said = told(stage(), |host| {
        let id = host.chat_stream("voice", ask("slow"))?;
        assert!(host.is_open(&id));
        let kinds = kinds(host, 3)?.join(" ");
        assert!(!host.is_open(&id), "it is closed before its last event can be taken");
        Ok(kinds)
    });
    assert_eq!(said.await, "chat-delta chat-delta chat-end");
}

#[tokio::test]
async fn a_stream_that_fails_brings_an_error() {
    let said = told(stage(), |host| {
        let mut texts = Vec::new();
        for model in ["fails", "breaks", "panics"] {
            let id = host.chat_stream("voice", ask(model))?;
            loop {
                let envelope = host.recv()?;
                assert_eq!(envelope.id, id);
                if let Event::Error(text) = envelope.event {
                    texts.push(text);
                    break;
                }
            }
            assert!(!host.is_open(&id));
        }
        Ok(texts.join("; "))
    });
    assert_eq!(said.await, "the model failed; the line broke; provider \"voice\" panicked");
}

#[tokio::test]
async fn a_queued_call_brings_its_result_or_an_error() {
    let said = told(stage(), |host| {
        let mut texts = Vec::new();
        for tool in ["add", "fails", "panics"] {
            host.call_tool("tools", tool, json!({"a": 1}))?;
            texts.push(match host.recv()?.event {
                Event::ToolResult(result) => result.arguments,
                Event::Error(text) => text,
                other => panic!("{other:?}"),
            });
        }
        Ok(texts.join("; "))
    });
    assert_eq!(said.await, r#"{"a":1}; the tool failed; tooling "tools" panicked"#);
}

#[tokio::test]
async fn a_cancelled_source_brings_nothing_any_more() {
    let stage = stage();
    let record = stage.record();
    let said = told(stage, |host| {
        let stream = host.chat_stream("voice", ask("slow"))?;
        let call = host.call_tool("tools", "slow", json!({}))?;
        host.cancel(&stream);
        host.cancel(&call);
        host.cancel("no such id");
        assert!(!host.is_open(&stream) && !host.is_open(&call));
        host.sleep_for(60)?;
        assert_eq!(host.try_recv()?, None);
        Ok("done".to_owned())
    });
    assert_eq!(said.await, "done");
    let closed: Vec<_> = record.of("alice").into_iter().filter(|event| event["kind"] == "closed").collect();
    assert_eq!(
        closed,
        [
            json!({"kind": "closed", "source": "chat-stream", "reason": "cancelled"}),
            json!({"kind": "closed", "source": "tool-call", "reason": "cancelled"}),
        ]
    );
}

#[tokio::test]
async fn each_kind_of_source_has_its_own_way_to_be_closed() {
    let said = told(stage(), |host| {
        let timer = host.wait_for(3_600_000)?;
        let list = host.subscribe_resource_list("tools")?;
        let agent = host.subscribe_agent("bob")?;
        for id in [&timer, &list, &agent] {
            host.cancel(id);
            host.unsubscribe_resource("tools", id)?;
            host.unsubscribe_lifecycle(id)?;
            assert!(host.is_open(id));
        }
        host.cancel_timer(&timer)?;
        host.unsubscribe_resource_list("tools", &list)?;
        host.unsubscribe_agent(&agent)?;
        assert!(![timer, list, agent].iter().any(|id| host.is_open(id)));
        Ok("done".to_owned())
    });
    assert_eq!(said.await, "done");
}

#[tokio::test]
async fn subscriptions_bring_updates_until_there_are_no_more() {
    let said = told(stage(), |host| {
        let list = host.subscribe_resource_list("tools")?;
        let seen = kinds(host, 2)?.join(" ");
        assert!(host.is_open(&list));
        let one = host.subscribe_resource("tools", "a:b")?;
        let Event::ResourceUpdated(contents) = host.recv()?.event else { panic!("another event") };
        assert_eq!(contents[0].content, "text");
        until("the subscription has ended", || !host.is_open(&one));
        Ok(seen)
    });
    assert_eq!(said.await, "resource-list-updated resource-list-updated");
}

#[tokio::test]
async fn what_is_not_configured_is_told_by_its_name() {
    let said = told(Stage::new(), |host| {
        let errors = [
            host.provider_kind("p").unwrap_err(),
            host.chat("p", ask("a")).unwrap_err(),
            host.chat_stream("p", ask("a")).unwrap_err(),
            host.tooling_kind("t").unwrap_err(),
            host.call_tool("t", "add", json!({})).unwrap_err(),
            host.unsubscribe_resource("t", "1").unwrap_err(),
            host.subscribe_endpoint("m").unwrap_err(),
        ];
        Ok(errors.map(|error| error.to_string()).join("\n"))
    });
    insta::assert_snapshot!(said.await);
}

#[tokio::test]
async fn open_sources_are_limited() {
    let said = told(Stage::new(), |host| {
        for _ in 0..4_096 {
            host.wait_for(u64::MAX)?;
        }
        Ok(host.wait_for(u64::MAX).unwrap_err().to_string())
    });
    assert_eq!(
        said.await,
        r#"agent "alice" has 4096 open sources, which is the limit; cancel some before opening more"#
    );
}

#[tokio::test]
async fn a_run_that_ends_by_itself_closes_nothing_on_record_and_leaves_nothing_behind() {
    let stage = stage();
    let record = stage.record();
    told(stage, |host| {
        host.chat_stream("voice", ask("never"))?;
        host.wait_for(1)?;
        host.subscribe_agent("bob")?;
        Ok(String::new())
    })
    .await;
    let seen = record.events().len();
    tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    assert_eq!(record.events().len(), seen, "the timer is gone");
    assert!(!record.of("alice").iter().any(|event| event["reason"] == "cancelled"));
}
