//! What is asked for each operation, and what is made of the answer.

use serde_json::json;
use windtunnel_process::ItemRef;
use windtunnel_process::transport::{Comment, ControlPlane as _, ControlPlaneError, Operation};

use crate::server::{POSTED, Server, TOKEN, github, item, response};

#[tokio::test]
async fn a_comment_is_posted_to_the_issue() {
    let server = Server::always(201, &[], POSTED).await;
    let posted = server.github().add_comment(&item(), "hello\n\"you\"").await.unwrap();
    assert_eq!(posted, Comment { author: "process-bot".to_owned(), body: "hello".to_owned() });

    let [asked] = server.asked().try_into().unwrap();
    assert_eq!(asked.line, "POST /repos/e2e/process.rs/issues/42/comments");
    assert_eq!(asked.body, json!({ "body": "hello\n\"you\"" }));
    let header = |name: &str| asked.headers.get(name).map(|value| value.to_str().unwrap().to_owned());
    assert_eq!(header("authorization"), Some(format!("Bearer {TOKEN}")));
    assert_eq!(header("content-type").as_deref(), Some("application/json"));
    assert_eq!(header("accept").as_deref(), Some("application/vnd.github+json"));
    assert_eq!(header("x-github-api-version").as_deref(), Some("2022-11-28"));
    // GitHub refuses who does not say who asks.
    assert!(header("user-agent").is_some());
    assert!(asked.headers.keys().all(|name| asked.headers.get_all(name).iter().count() == 1));
}

#[tokio::test]
async fn labels_are_replaced() {
    let server = Server::always(200, &[], "[]").await;
    let labels = ["loop:design".to_owned(), "bug 🐞".to_owned()];
    server.github().set_labels(&item(), &labels).await.unwrap();

    let [asked] = server.asked().try_into().unwrap();
    assert_eq!(asked.line, "PUT /repos/e2e/process.rs/issues/42/labels");
    assert_eq!(asked.body, json!({ "labels": labels }));
    assert_eq!(asked.headers["authorization"], format!("Bearer {TOKEN}"));
}

#[tokio::test]
async fn all_pages_of_labels_are_read() {
    let server = Server::start(|before, _| {
        let next = r#"<https://elsewhere.example/?page=2>; rel="next", <https://elsewhere.example/?page=3>; rel="last""#;
        let name = |name: &str| json!([{ "id": 1, "name": name, "color": "ffffff" }]).to_string();
        match before {
            0 => response(200, &[("link", next)], &name("one")),
            1 => response(200, &[("link", next)], "[]"),
            _ => response(200, &[("link", r#"<https://elsewhere.example/?page=1>; rel="first""#)], &name("two")),
        }
    })
    .await;
    assert_eq!(server.github().get_labels(&item()).await.unwrap(), ["one", "two"]);
    assert_eq!(
        server.lines(),
        [1, 2, 3].map(|page| format!("GET /repos/e2e/process.rs/issues/42/labels?per_page=100&page={page}"))
    );
}

#[tokio::test]
async fn comments_come_oldest_first_with_who_wrote_them() {
    let server = Server::start(|before, _| {
        let first = json!([
            { "id": 1, "user": { "login": "owner", "id": 7 }, "body": "first" },
            { "id": 2, "user": null, "body": "by an account that is gone" },
        ]);
        let second = json!([{ "id": 3, "user": { "login": "guest" }, "body": null }]);
        match before {
            0 => response(200, &[("link", r#"<x>; rel="next""#)], &first.to_string()),
            _ => response(200, &[], &second.to_string()),
        }
    })
    .await;
    let comment = |author: &str, body: &str| Comment { author: author.to_owned(), body: body.to_owned() };
    assert_eq!(
        server.github().list_comments(&item()).await.unwrap(),
        [comment("owner", "first"), comment("ghost", "by an account that is gone"), comment("guest", "")]
    );
    assert_eq!(server.lines()[1], "GET /repos/e2e/process.rs/issues/42/comments?per_page=100&page=2");
}

#[tokio::test]
async fn a_list_without_end_is_given_up() {
    let server = Server::always(200, &[("link", r#"<x>; rel="next""#)], "[]").await;
    let error = server.github().list_comments(&item()).await.unwrap_err();
    assert_eq!(
        error.to_string(),
        "list-comments: GET /repos/e2e/process.rs/issues/42/comments: there are more than 5000 of them"
    );
    assert_eq!(server.asked().len(), 50);
}

#[tokio::test]
async fn a_message_is_a_comment_on_the_issue_for_messages() {
    let server = Server::always(201, &[], POSTED).await;
    let messages = ItemRef { repo: "e2e/news".parse().unwrap(), number: 1 };
    let github = windtunnel_process::transport::github::GitHub::builder(windtunnel_api::Secret::new(TOKEN))
        .base_url(&server.url)
        .messages(messages)
        .build()
        .unwrap();
    github.post_message(&item(), "issue-42 stands at complete").await.unwrap();
    let [asked] = server.asked().try_into().unwrap();
    assert_eq!(asked.line, "POST /repos/e2e/news/issues/1/comments");
    assert_eq!(asked.body, json!({ "body": "e2e/process.rs#42: issue-42 stands at complete" }));
}

#[tokio::test]
async fn without_an_issue_for_them_there_are_no_messages() {
    let server = Server::always(201, &[], POSTED).await;
    let error = server.github().post_message(&item(), "hello").await.unwrap_err();
    assert!(matches!(error, ControlPlaneError::Unsupported { operation: Operation::PostMessage, .. }));
    assert_eq!(error.to_string(), "post-message is not set up: no issue was named that messages go to");
    assert!(server.asked().is_empty());
}

#[tokio::test]
async fn an_operation_outside_of_the_table_is_refused_unsent() {
    let server = Server::always(200, &[], "{}").await;
    let error = server.github().call(&item(), "delete-repo", json!({})).await.unwrap_err();
    assert_eq!(error, ControlPlaneError::UnknownOperation("delete-repo".to_owned()));
    assert!(server.asked().is_empty());
}

#[tokio::test]
async fn an_api_may_be_below_a_path() {
    for path in ["/api/v3", "/api/v3/", "/repos"] {
        let server = Server::always(201, &[], POSTED).await;
        github(&format!("{}{path}", server.url)).add_comment(&item(), "hello").await.unwrap();
        let path = path.trim_end_matches('/');
        assert_eq!(server.lines(), [format!("POST {path}/repos/e2e/process.rs/issues/42/comments")]);
        assert!(server.asked()[0].headers.contains_key("authorization"));
    }
}

#[tokio::test]
async fn operations_run_beside_each_other() {
    let server = Server::always(200, &[], "[]").await;
    let github = server.github();
    let item = item();
    let (labels, comments) = tokio::join!(github.get_labels(&item), github.list_comments(&item));
    assert_eq!((labels.unwrap().len(), comments.unwrap().len()), (0, 0));
}
