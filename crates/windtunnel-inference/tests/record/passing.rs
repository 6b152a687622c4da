//! A client sees no difference, and neither does the provider.

use std::time::Duration;

use futures::StreamExt as _;
use serde_json::json;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use windtunnel_api::config::Wire;
use windtunnel_inference::record::{Recorder, Redaction, Upstreams, Witnessed};

use crate::upstream::{Answer, Stage, says};

#[tokio::test]
async fn what_is_sent_arrives_with_its_keys_and_what_is_answered_comes_back_with_its_headers() {
    let mut limited = Answer::json(429, &json!({"error": {"message": "slow down"}}));
    limited.headers.extend([("retry-after", "7".to_owned()), ("x-ratelimit-remaining", "0".to_owned())]);
    let stage = Stage::with(vec![limited]).await;
    let sent = stage.http.post(stage.url("/v1/chat/completions?beta=1"));
    let sent =
        sent.header("authorization", "Bearer the-key-itself").header("x-custom", "yes").body("{\"raw\":  1}");
    let answer = sent.send().await.unwrap();

    assert_eq!(answer.status(), 429);
    assert_eq!(answer.headers()["retry-after"], "7");
    assert_eq!(answer.headers()["x-ratelimit-remaining"], "0");
    assert_eq!(answer.text().await.unwrap(), r#"{"error":{"message":"slow down"}}"#);
    let [got] = &stage.got()[..] else { panic!("one request") };
    assert_eq!((got.method.as_str(), got.target.as_str()), ("POST", "/v1/chat/completions?beta=1"));
    assert_eq!(got.headers["authorization"], "Bearer the-key-itself");
    assert_eq!(got.headers["x-custom"], "yes");
    assert_eq!(&got.body[..], b"{\"raw\":  1}", "not a byte is changed");
}

#[tokio::test]
async fn other_paths_are_passed_on_and_only_their_names_are_kept() {
    let answers = vec![
        Answer::json(200, &json!({"data": ["canary-list"]})),
        Answer::json(200, &json!({"embedding": ["canary-vector"]})),
    ];
    let stage = Stage::with(answers).await;
    assert!(
        stage
            .http
            .get(stage.url("/models"))
            .send()
            .await
            .unwrap()
            .text()
            .await
            .unwrap()
            .contains("canary-list")
    );
    stage.post("/embeddings", &json!({"input": "canary-text"})).await.bytes().await.unwrap();
    let session = stage.session().await;
    let paths: Vec<_> =
        session.exchanges.iter().map(|exchange| (exchange.method.as_str(), exchange.path.as_str())).collect();
    assert_eq!(paths, [("GET", "/v1/models"), ("POST", "/v1/embeddings")]);
    assert!(!serde_json::to_string(&session.recording("r")).unwrap().contains("canary"));
    assert_eq!(session.requests(), 0);
}

#[tokio::test]
async fn a_stream_is_passed_on_piece_by_piece() {
    let event = |content: &str| json!({"choices": [{"index": 0, "delta": {"content": content}}]});
    let stage = Stage::with(vec![Answer::events(&[event("a"), event("b"), event("c")])]).await;
    let answer =
        stage.post("/chat/completions", &json!({"model": "m", "messages": [], "stream": true})).await;
    assert_eq!(answer.headers()["content-type"], "text/event-stream; charset=utf-8");
    let pieces: Vec<_> = answer.bytes_stream().collect().await;
    assert!(pieces.len() >= 3, "{} pieces", pieces.len());
}

#[tokio::test]
async fn an_answer_that_breaks_off_breaks_off_for_the_client_too() {
    let mut cut = Answer::events(&[json!({"choices": [{"index": 0, "delta": {"content": "half"}}]})]);
    cut.pieces.pop();
    cut.breaks_off = true;
    let stage = Stage::with(vec![cut]).await;
    let answer =
        stage.post("/chat/completions", &json!({"model": "m", "messages": [], "stream": true})).await;
    assert_eq!(answer.status(), 200);
    assert!(answer.bytes().await.is_err(), "a clean end would be taken for a whole answer");
    let session = stage.session().await;
    assert_eq!(session.exchanges[0].problem.as_deref(), Some("the provider's answer broke off"));
    assert!(session.turns.is_empty());
}

#[tokio::test]
async fn a_provider_that_is_not_there_is_named_without_what_may_be_secret() {
    let nobody = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let base = format!("http://ada:canary-word@{nobody}/v1");
    let upstreams = Upstreams::of(Some(&base), None, false).unwrap();
    let recorder =
        Recorder::start("127.0.0.1:0".parse().unwrap(), upstreams, Redaction::default()).await.unwrap();
    let answer = reqwest_client()
        .post(format!("{}/chat/completions?key=canary-key", recorder.base_url(Wire::OpenAiChat)));
    let answer = answer.json(&json!({"model": "m", "messages": []})).send().await.unwrap();
    assert_eq!(answer.status(), 502);
    let said = answer.text().await.unwrap();
    assert!(said.contains(&format!("wt: http://{nobody}/v1/chat/completions cannot be reached")), "{said}");
    assert!(!said.contains("canary"), "{said}");
}

#[tokio::test]
async fn a_web_socket_is_refused_at_once_so_that_the_client_falls_back() {
    let stage = Stage::with(Vec::new()).await;
    let mut socket = tokio::net::TcpStream::connect(stage.recorder.address()).await.unwrap();
    let request =
        "GET /v1/responses HTTP/1.1\r\nhost: x\r\nconnection: Upgrade\r\nupgrade: websocket\r\n\r\n";
    socket.write_all(request.as_bytes()).await.unwrap();
    let mut answer = [0; 12];
    tokio::time::timeout(Duration::from_secs(10), socket.read_exact(&mut answer)).await.unwrap().unwrap();
    assert_eq!(&answer, b"HTTP/1.1 426");
}

#[tokio::test]
async fn a_client_that_goes_away_after_the_last_event_has_had_its_answer() {
    let stage = Stage::with(vec![Answer::json(200, &says("done"))]).await;
    stage.chat(&json!({"model": "m", "messages": [{"role": "user", "content": "go"}]})).await;
    assert_eq!(stage.session().await.exchanges[0].problem, None);
}

#[tokio::test]
async fn a_recorder_that_would_pass_on_to_itself_does_not_start() {
    for is_openai in [true, false] {
        let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
        let itself = format!("http://localhost:{}/v1", free.port());
        let [openai, anthropic] = [is_openai, !is_openai].map(|is_it| is_it.then_some(itself.as_str()));
        let upstreams = Upstreams::of(openai, anthropic, false).unwrap();
        let error = Recorder::start(free, upstreams, Redaction::default()).await.err().unwrap().to_string();
        insta::allow_duplicates! {
            insta::assert_snapshot!(error.replace(&free.port().to_string(), "PORT"), @"http://localhost:PORT/v1 leads to 127.0.0.1:PORT, where this listens itself: requests would go in a circle");
        }
    }
}

#[tokio::test]
async fn a_request_that_comes_back_is_answered_at_once_and_a_chain_of_recorders_is_no_circle() {
    let listen = "127.0.0.1:0".parse().unwrap();
    let behind = |address: &str| Upstreams::of(Some(address), None, false).unwrap();
    // Another recorder in front of the first one, which is behind it.
    let gate = tokio::net::TcpListener::bind(listen).await.unwrap();
    let first = behind(&format!("http://{}/v1", gate.local_addr().unwrap()));
    let first = Recorder::start(listen, first, Redaction::default()).await.unwrap();
    let second = behind(&first.base_url(Wire::OpenAiChat));
    let second = Recorder::start(listen, second, Redaction::default()).await.unwrap();
    let to = second.address();
    tokio::spawn(async move {
        while let Ok((mut from, _)) = gate.accept().await {
            tokio::spawn(async move {
                let mut to = tokio::net::TcpStream::connect(to).await.unwrap();
                let _ = tokio::io::copy_bidirectional(&mut from, &mut to).await;
            });
        }
    });
    let asked = reqwest_client().post(format!("{}/chat/completions", second.base_url(Wire::OpenAiChat)));
    let answer = asked.json(&json!({"model": "m", "messages": []})).send().await.unwrap();
    assert_eq!(answer.status(), 508);
    assert_eq!(answer.headers()["x-should-retry"], "false");
    let said = answer.text().await.unwrap();
    assert!(said.contains("came back here"), "{said}");
    for (recorder, kept) in [(&second, 1), (&first, 1)] {
        let session = recorder.take(Witnessed::default()).await.unwrap();
        assert_eq!(session.exchanges.len(), kept, "what came back is no request of anybody's");
        assert!(!serde_json::to_string(&session.recording("r")).unwrap().contains("x-windtunnel"));
    }

    let stage = Stage::with(vec![Answer::json(200, &says("done"))]).await;
    let outer = behind(&stage.recorder.base_url(Wire::OpenAiChat));
    let outer = Recorder::start(listen, outer, Redaction::default()).await.unwrap();
    let asked = reqwest_client().post(format!("{}/chat/completions", outer.base_url(Wire::OpenAiChat)));
    assert_eq!(asked.json(&json!({"model": "m", "messages": []})).send().await.unwrap().status(), 200);
    assert_eq!(stage.got()[0].headers.get_all("x-windtunnel-recorder").iter().count(), 2);
}

fn reqwest_client() -> reqwest::Client {
    let _ = rustls::crypto::ring::default_provider().install_default();
    reqwest::Client::builder().no_proxy().build().unwrap()
}
