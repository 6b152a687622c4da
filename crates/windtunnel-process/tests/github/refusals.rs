//! What is said of a request that failed, and when it is sent again.

use std::time::{Duration, Instant};

use tokio::io::AsyncReadExt as _;
use tokio::net::TcpListener;
use windtunnel_api::Secret;
use windtunnel_process::transport::ControlPlane as _;
use windtunnel_process::transport::github::GitHub;

use crate::server::{POSTED, Server, TOKEN, github, item, response};

type Headers<'a> = &'a [(&'static str, &'a str)];

/// What is said when labels are asked for, and how often they were.
async fn refused(status: u16, headers: Headers<'_>, body: &str) -> (String, usize) {
    let server = Server::always(status, headers, body).await;
    let error = server.github().get_labels(&item()).await.unwrap_err().to_string();
    let path = "/repos/e2e/process.rs/issues/42/labels?per_page=100&page=1";
    let error = error.strip_prefix(&format!("get-labels: GET {path}: ")).unwrap().to_owned();
    (error, server.asked().len())
}

#[tokio::test]
async fn a_refusal_says_what_github_says() {
    let limit: [(&str, &str); 2] = [("x-ratelimit-remaining", "0"), ("x-ratelimit-reset", "1767225600")];
    let table: [(u16, Headers, &str, &str); 11] = [
        (
            404,
            &[],
            r#"{"message":"Not Found","documentation_url":"https://docs.github.com/rest","status":"404"}"#,
            "404 Not Found: Not Found; it is not there, or the token may not see it",
        ),
        (401, &[], r#"{"message":"Bad credentials"}"#, "401 Unauthorized: Bad credentials"),
        (
            403,
            &limit,
            r#"{"message":"API rate limit exceeded for user ID 1."}"#,
            "403 Forbidden: API rate limit exceeded for user ID 1.; the rate limit is used up until 2026-01-01T00:00:00Z",
        ),
        (
            403,
            &[("x-ratelimit-remaining", "4999"), ("x-ratelimit-reset", "1767225600")],
            r#"{"message":"Resource not accessible by personal access token"}"#,
            "403 Forbidden: Resource not accessible by personal access token",
        ),
        (
            403,
            &[("retry-after", "60")],
            r#"{"message":"You have exceeded a secondary rate limit."}"#,
            "403 Forbidden: You have exceeded a secondary rate limit.; it may be asked again after 60 s",
        ),
        (
            429,
            &[("retry-after", "3600")],
            r#"{"message":"Slow down"}"#,
            "429 Too Many Requests: Slow down; it may be asked again after 3600 s",
        ),
        (
            422,
            &[],
            r#"{"message":"Validation Failed","errors":[{"resource":"Label","code":"invalid"},"too many"]}"#,
            "422 Unprocessable Entity: Validation Failed: {\"resource\":\"Label\",\"code\":\"invalid\"}: \"too many\"",
        ),
        (500, &[], "", "500 Internal Server Error"),
        (500, &[], "<html>\u{1b}[31mUnicorn</html>", "500 Internal Server Error"),
        (403, &[("x-ratelimit-remaining", "0"), ("x-ratelimit-reset", "soon")], "{}", "403 Forbidden"),
        (304, &[], "", "304 Not Modified"),
    ];
    for (status, headers, body, expected) in table {
        assert_eq!(refused(status, headers, body).await, (expected.to_owned(), 1), "{status} {headers:?}");
    }
}

#[tokio::test]
async fn what_a_server_says_is_cut_and_kept_on_one_line() {
    let message = format!("a\\n\\u001b[31mb{}", "x".repeat(10_000));
    let (error, _) = refused(400, &[], &format!("{{\"message\":\"{message}\"}}")).await;
    assert!(error.starts_with("400 Bad Request: a  [31mbxxx"), "{error}");
    assert!(error.len() < 400 && error.ends_with('…'), "{error}");
}

#[tokio::test]
async fn an_answer_of_another_shape_is_no_answer() {
    let table = [
        ("[{\"name\": ", "EOF while parsing a value at line 1 column 10"),
        ("<html>", "expected value at line 1 column 1"),
        ("{\"labels\": []}", "invalid type: map, expected a sequence at line 1 column 0"),
        ("[{\"name\": 7}]", "invalid type: integer `7`, expected a string at line 1 column 11"),
        ("", "EOF while parsing a value at line 1 column 0"),
    ];
    for (body, expected) in table {
        let (error, _) = refused(200, &[], body).await;
        assert_eq!(error, format!("the answer cannot be read: {expected}"));
    }
}

#[tokio::test]
async fn an_answer_that_is_too_long_is_not_read() {
    let (error, _) = refused(200, &[], &"x".repeat(17 * 1024 * 1024)).await;
    assert_eq!(error, "length limit exceeded");
}

#[tokio::test]
async fn who_is_asked_to_wait_waits_and_asks_again() {
    let server = Server::start(|before, _| match before {
        0 => response(429, &[("retry-after", "0")], ""),
        1 => response(503, &[("retry-after", "0")], ""),
        _ => response(200, &[], r#"[{"name":"bug"}]"#),
    })
    .await;
    assert_eq!(server.github().get_labels(&item()).await.unwrap(), ["bug"]);
    assert_eq!(server.asked().len(), 3);
}

#[tokio::test]
async fn nobody_asks_without_end() {
    let (error, asked) = refused(502, &[("retry-after", "0")], "").await;
    assert_eq!((error.as_str(), asked), ("502 Bad Gateway; it may be asked again after 0 s", 3));
}

#[tokio::test]
async fn a_comment_that_may_be_there_already_is_not_posted_again() {
    let server = Server::always(502, &[], "").await;
    let error = server.github().add_comment(&item(), "once").await.unwrap_err();
    assert_eq!(
        error.to_string(),
        "add-comment: POST /repos/e2e/process.rs/issues/42/comments: 502 Bad Gateway"
    );
    assert_eq!(server.asked().len(), 1);
}

#[tokio::test]
async fn a_comment_that_was_not_taken_is_posted_again() {
    let server = Server::start(|before, _| match before {
        0 => response(429, &[("retry-after", "0")], ""),
        _ => response(201, &[], POSTED),
    })
    .await;
    server.github().add_comment(&item(), "once").await.unwrap();
    assert_eq!(
        server.asked().iter().map(|asked| asked.body["body"].clone()).collect::<Vec<_>>(),
        ["once", "once"]
    );
}

#[tokio::test]
async fn a_server_that_says_nothing_is_given_up() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let mute = tokio::spawn(async move {
        let mut held = Vec::new();
        while let Ok((socket, _)) = listener.accept().await {
            held.push(socket);
        }
    });
    let limit = Duration::from_millis(300);
    let github = GitHub::builder(Secret::new(TOKEN)).base_url(&url).time_limit(limit).build().unwrap();
    let begun = Instant::now();
    let error = github.set_labels(&item(), &[]).await.unwrap_err();
    assert_eq!(error.to_string(), format!("set-labels: {url} did not answer within 300ms"));
    assert!(begun.elapsed() < Duration::from_secs(5));
    mute.abort();
}

#[tokio::test]
async fn a_server_that_hangs_up_is_a_failure() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let rude = tokio::spawn(async move {
        while let Ok((mut socket, _)) = listener.accept().await {
            let _ = socket.read(&mut [0; 1024]).await;
        }
    });
    let error = github(&url).get_labels(&item()).await.unwrap_err().to_string();
    assert!(error.starts_with("get-labels: GET /repos/e2e/process.rs/issues/42/labels"), "{error}");
    assert!(error.contains("connection"), "{error}");
    rude.abort();
}

#[tokio::test]
async fn where_nobody_listens_that_is_said() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    drop(listener);
    let error = github(&url).get_labels(&item()).await.unwrap_err().to_string();
    assert!(error.contains("Connect"), "{error}");
}
