//! What a control plane over GitHub can be made with.

use windtunnel_api::Secret;
use windtunnel_process::transport::github::{GitHub, GitHubError};

use crate::server::TOKEN;

fn built(url: &str) -> Result<(), String> {
    GitHub::builder(Secret::new(TOKEN)).base_url(url).build().map(drop).map_err(|error| error.to_string())
}

#[tokio::test]
async fn an_address_of_an_api_is_https_or_on_this_machine() {
    for url in [
        "https://api.github.com",
        "https://github.example.com/api/v3",
        "https://github.example.com:8443/api/v3/",
        "http://127.0.0.1:8080",
        "http://127.9.9.9",
        "http://[::1]:8080/api",
        "http://localhost:3000",
    ] {
        assert_eq!(built(url), Ok(()), "{url}");
    }
    let table = [
        ("http://api.github.com", "only this machine may be spoken to over http, as the token could be read"),
        (
            "http://127.0.0.1.example.com",
            "only this machine may be spoken to over http, as the token could be read",
        ),
        (
            "http://localhost.example.com",
            "only this machine may be spoken to over http, as the token could be read",
        ),
        ("http://[::2]", "only this machine may be spoken to over http, as the token could be read"),
        ("ftp://127.0.0.1", "expected https://<host>"),
        ("api.github.com", "expected https://<host>"),
        ("/api/v3", "expected https://<host>"),
        ("https://api.github.com/?a=b", "it has a query"),
        ("https://", "empty string"),
        ("", "empty string"),
        ("https://a b", "invalid uri character"),
    ];
    for (url, reason) in table {
        let expected =
            format!("{url:?} is no address of a GitHub API: {reason}; as in \"https://api.github.com\"");
        assert_eq!(built(url), Err(expected));
    }
}

#[tokio::test]
async fn an_address_with_a_password_is_refused_and_not_shown() {
    for url in ["https://me:canary@github.example.com", "http://canary@127.0.0.1"] {
        let error = built(url).unwrap_err();
        assert!(error.starts_with("\"***\" is no address"), "{error}");
        assert!(!error.contains("canary"), "{error}");
    }
}

#[tokio::test]
async fn a_token_that_cannot_stand_in_a_header_is_refused_and_not_shown() {
    let table = [
        ("", "the GitHub token is empty"),
        ("canary\n", "the GitHub token has white space or characters in it that no token has"),
        ("canary token", "the GitHub token has white space or characters in it that no token has"),
        ("canäry", "the GitHub token has white space or characters in it that no token has"),
    ];
    for (token, expected) in table {
        let error = GitHub::builder(Secret::new(token)).build().unwrap_err();
        assert_eq!(error.to_string(), expected);
        assert!(!format!("{error:?}").contains("can"), "{error:?}");
    }
}

#[test]
fn outside_of_a_runtime_there_is_nothing_for_requests_to_run_on() {
    let error = GitHub::builder(Secret::new(TOKEN)).build().unwrap_err();
    assert_eq!(error, GitHubError::NoRuntime);
}
