//! The token goes to one place, and is shown in none.

use windtunnel_api::Secret;
use windtunnel_process::transport::ControlPlane as _;
use windtunnel_process::transport::github::GitHub;

use crate::server::{Server, TOKEN, github, item, response};

#[tokio::test]
async fn a_redirect_is_not_followed_to_another_host() {
    for status in [301, 302, 303, 307, 308] {
        let elsewhere = Server::always(200, &[], "[]").await;
        let to = format!("{}/repositories/1/issues/42/labels", elsewhere.url);
        let server = Server::always(status, &[("location", &to)], "").await;
        for error in [
            server.github().get_labels(&item()).await.unwrap_err(),
            server.github().add_comment(&item(), "hello").await.unwrap_err(),
        ] {
            let error = error.to_string();
            assert!(error.contains(&format!(": this goes on at {to}, where nobody follows")), "{error}");
        }
        assert!(elsewhere.asked().is_empty());
    }
}

#[tokio::test]
async fn a_next_page_on_another_host_is_not_asked_for() {
    let elsewhere = Server::always(200, &[], "[]").await;
    let next = format!("<{}/page/2>; rel=\"next\"", elsewhere.url);
    let server = Server::start(move |before, _| match before {
        0 => response(200, &[("link", &next)], "[]"),
        _ => response(200, &[], "[]"),
    })
    .await;
    server.github().get_labels(&item()).await.unwrap();
    assert_eq!(server.asked().len(), 2);
    assert!(elsewhere.asked().is_empty());
}

#[tokio::test]
async fn a_server_that_repeats_the_token_does_not_bring_it_into_an_error() {
    let echo = |status: u16, before: &'static str, after: &'static str| {
        Server::start(move |_, asked| {
            let authorization = asked.headers["authorization"].to_str().unwrap();
            let location = format!("https://elsewhere.example/{authorization}").replace(' ', "/");
            response(status, &[("location", &location)], &format!("{before}{authorization}{after}"))
        })
    };
    let long = "x".repeat(280);
    let cut: &'static str = Box::leak(format!("{{\"message\":\"{long}").into_boxed_str());
    for server in [
        echo(401, "{\"message\":\"no user has ", "\"}").await,
        echo(422, "{\"message\":\"no\",\"errors\":[\"", "\"]}").await,
        echo(400, cut, "\"}").await,
        echo(307, "", "").await,
        echo(200, "[\"", "\"]").await,
        echo(200, "[{\"name\": [\"", "\"]}]").await,
    ] {
        let error = server.github().get_labels(&item()).await.unwrap_err();
        for shown in [error.to_string(), format!("{error:?}")] {
            assert!(!shown.contains("canary") && !shown.contains("ghp_"), "{shown}");
        }
    }
}

#[tokio::test]
async fn neither_what_is_built_nor_what_builds_shows_it() {
    let builder = GitHub::builder(Secret::new(TOKEN)).base_url("http://127.0.0.1:1");
    assert!(!format!("{builder:?}").contains("canary"));
    let github = builder.build().unwrap();
    assert_eq!(format!("{github:?}"), r#"GitHub { base: "http://127.0.0.1:1", messages: None, .. }"#);
}

#[tokio::test]
async fn an_unreachable_server_is_told_of_without_it() {
    let error = github("http://127.0.0.1:1").get_labels(&item()).await.unwrap_err();
    assert!(!format!("{error} {error:?}").contains("canary"));
}
