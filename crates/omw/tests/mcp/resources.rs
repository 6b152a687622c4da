//! Resources and subscriptions.

use omw::exchange::ResourceContent;
use omw::tooling::Tooling as _;
use serde_json::json;

use crate::support::{HttpShelf, call, call_text, has_more, next, pretty, program, put};

fn uris(resources: &[omw::exchange::ResourceInfo]) -> Vec<&str> {
    resources.iter().map(|resource| resource.uri.as_str()).collect()
}

fn text(contents: &[ResourceContent]) -> &str {
    &contents[0].content
}

#[tokio::test]
async fn resources_templates_and_contents_are_read() {
    let shelf = program(&json!({}));
    let resources = shelf.list_resources().await.unwrap();
    insta::assert_snapshot!(pretty(&resources), @r#"
    [
      {
        "uri": "shelf://a",
        "name": "a",
        "title": null,
        "description": null,
        "mime_type": "text/plain",
        "size": null,
        "annotations": {
          "audience": [
            "assistant"
          ],
          "priority": 0.7,
          "last_modified": null
        }
      },
      {
        "uri": "shelf://picture",
        "name": "picture",
        "title": null,
        "description": null,
        "mime_type": null,
        "size": null,
        "annotations": null
      }
    ]
    "#);
    let templates = shelf.list_resource_templates().await.unwrap();
    assert_eq!(templates[0].uri_template, "shelf://{name}");
    assert_eq!(text(&shelf.read_resource("shelf://a").await.unwrap()), "apples");
    assert_eq!(text(&shelf.read_resource("shelf://picture").await.unwrap()), "AAEC", "binary stays base64");
    let error = shelf.read_resource("shelf://none").await.unwrap_err().to_string();
    assert!(error.starts_with("tool server mcp_server says: nothing at shelf://none (code "), "{error}");
}

#[tokio::test]
async fn changes_of_the_list_and_of_a_watched_resource_are_told_once_each() {
    let server = HttpShelf::start();
    for shelf in [program(&json!({})), server.tooling()] {
        let mut list = shelf.subscribe_resource_list().await.unwrap();
        let mut one = shelf.subscribe_resource("shelf://a").await.unwrap();
        assert!(!has_more(&mut list).await && !has_more(&mut one).await, "nothing has changed yet");
        put(&shelf, "shelf://b", "bananas").await;
        assert_eq!(uris(&next(&mut list).await.unwrap()), ["shelf://a", "shelf://b", "shelf://picture"]);
        put(&shelf, "shelf://a", "apricots").await;
        assert_eq!(text(&next(&mut one).await.unwrap()), "apricots");
        assert!(!has_more(&mut list).await && !has_more(&mut one).await, "each change is told once");
        shelf.close().await;
    }
}

#[tokio::test]
async fn a_subscription_that_is_dropped_is_ended_at_the_server() {
    let shelf = program(&json!({}));
    let one = shelf.subscribe_resource("shelf://a").await.unwrap();
    let other = shelf.subscribe_resource("shelf://a").await.unwrap();
    drop(one);
    assert_eq!(call_text(&shelf, "watched", json!({})).await, "1", "the other one is still there");
    drop(other);
    for _ in 0..100 {
        if call_text(&shelf, "watched", json!({})).await == "0" {
            return;
        }
    }
    panic!("the server still tells of changes");
}

#[tokio::test]
async fn subscriptions_are_renewed_when_the_program_died() {
    let shelf = program(&json!({}));
    let mut list = shelf.subscribe_resource_list().await.unwrap();
    let mut one = shelf.subscribe_resource("shelf://a").await.unwrap();
    put(&shelf, "shelf://a", "apricots").await;
    assert_eq!(text(&next(&mut one).await.unwrap()), "apricots");
    call(&shelf, "die", json!({})).await.unwrap_err();
    assert_eq!(text(&next(&mut one).await.unwrap()), "apples", "a new session counts as a change");
    assert_eq!(next(&mut list).await.unwrap().len(), 2);
    put(&shelf, "shelf://a", "avocados").await;
    assert_eq!(text(&next(&mut one).await.unwrap()), "avocados");
}

#[tokio::test]
async fn subscriptions_are_renewed_when_the_http_server_was_restarted() {
    let server = HttpShelf::start();
    let shelf = server.tooling();
    let mut list = shelf.subscribe_resource_list().await.unwrap();
    let mut one = shelf.subscribe_resource("shelf://a").await.unwrap();
    put(&shelf, "shelf://a", "apricots").await;
    assert_eq!(text(&next(&mut one).await.unwrap()), "apricots");
    let _server = HttpShelf::start_at(server.kill().await, true);
    assert_eq!(text(&next(&mut one).await.unwrap()), "apples", "a new session counts as a change");
    assert_eq!(next(&mut list).await.unwrap().len(), 2);
    put(&shelf, "shelf://a", "avocados").await;
    assert_eq!(text(&next(&mut one).await.unwrap()), "avocados");
}

#[tokio::test]
async fn a_subscription_ends_with_an_error_when_the_server_does_not_come_back() {
    let folder = tempfile::tempdir().unwrap();
    let program_copy = folder.path().join("shelf");
    std::fs::copy(crate::support::shelf_program(), &program_copy).unwrap();
    let shelf =
        crate::support::tooling(json!({"transport": "stdio", "command": program_copy.to_str().unwrap()}));
    let mut list = shelf.subscribe_resource_list().await.unwrap();
    std::fs::remove_file(&program_copy).unwrap();
    call(&shelf, "die", json!({})).await.unwrap_err();
    let error = next(&mut list).await.unwrap_err().to_string();
    assert!(error.starts_with("tool server shelf cannot be reached: program `"), "{error}");
    assert!(futures::StreamExt::next(&mut list).await.is_none(), "the error is the last item");
}
