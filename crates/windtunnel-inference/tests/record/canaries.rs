//! No secret is kept, wherever it stands.

use serde_json::{Value, json};
use windtunnel_inference::record::{Recorder, Redaction, Upstreams, Witnessed};

use crate::upstream::{Answer, Stage, calls, says};

/// One per place, all of them looked for in everything that is kept.
const CANARY: &str = "canary-7f3a9b";

fn asked(text: &str) -> Value {
    json!({
        "model": "m", "messages": [{"role": "user", "content": text}],
        "tools": [{"type": "function", "function": {"name": "lookup", "description": text, "parameters": {"type": "object"}}}],
    })
}

/// Everything that is kept of the session on a stage, as text.
async fn kept(stage: &Stage) -> String {
    let session = stage.session().await;
    let universes: Vec<Value> = session.universes().iter().map(|(_, universe)| json!(universe)).collect();
    format!("{session:?} {} {}", json!(session.recording("r")), json!(universes))
}

#[tokio::test]
async fn a_secret_of_a_header_is_taken_out_of_everything() {
    let said = format!("you said {CANARY}");
    for (header, value) in [
        ("authorization", format!("Bearer {CANARY}")),
        ("authorization", format!("Basic {CANARY}")),
        ("x-api-key", CANARY.to_owned()),
        ("api-key", CANARY.to_owned()),
        ("x-goog-api-key", CANARY.to_owned()),
        ("xi-api-key", CANARY.to_owned()),
        ("cookie", format!("a=b; session={CANARY}")),
        ("proxy-authorization", format!("Bearer {CANARY}")),
        ("openai-organization", CANARY.to_owned()),
        ("openai-project", CANARY.to_owned()),
        ("x-amz-security-token", CANARY.to_owned()),
        ("x-secret-of-ours", CANARY.to_owned()),
    ] {
        let mut answer = Answer::json(200, &says(&said));
        answer.headers.push(("x-request-echo", CANARY.to_owned()));
        let stage = Stage::with(vec![answer]).await;
        let request = stage.http.post(stage.url("/chat/completions")).header(header, value);
        request
            .header("user-agent", format!("agent/{CANARY}"))
            .json(&asked(&said))
            .send()
            .await
            .unwrap()
            .bytes()
            .await
            .unwrap();
        let kept = kept(&stage).await;
        assert!(!kept.contains(CANARY), "{header}: {kept}");
        assert!(kept.contains("you said ***"), "{header}: {kept}");
    }
}

#[tokio::test]
async fn secrets_of_other_places_are_taken_out_of_everything() {
    // In the query, in the address of the provider, in a cookie that is set, in our environment.
    let said = format!("you said {CANARY}");
    let mut setting = Answer::json(200, &says(&said));
    setting.headers.push(("set-cookie", format!("session={CANARY}; HttpOnly")));
    let plain = || vec![Answer::json(200, &says(&said))];
    let variables = || Redaction::of_variables([("CRM_TOKEN", CANARY)]);
    let userinfo = format!("ada:{CANARY}@");
    for (place, answers, path, userinfo, redaction) in [
        ("query", plain(), format!("/chat/completions?api_key={CANARY}"), "", Redaction::default()),
        ("address", plain(), "/chat/completions".to_owned(), userinfo.as_str(), Redaction::default()),
        ("set-cookie", vec![setting], "/chat/completions".to_owned(), "", Redaction::default()),
        ("environment", plain(), "/chat/completions".to_owned(), "", variables()),
    ] {
        let stage = Stage::in_front_of(answers, userinfo, redaction).await;
        stage.post(&path, &asked(&said)).await.bytes().await.unwrap();
        let kept = kept(&stage).await;
        assert!(!kept.contains(CANARY), "{place}: {kept}");
        assert!(kept.contains("you said ***"), "{place}: {kept}");
    }
}

#[tokio::test]
async fn a_secret_in_any_part_of_an_answer_is_taken_out_also_where_it_comes_in_pieces() {
    let key = "sk-proj-canary7f3a9bcanary7f3a9b";
    let delta = |content: &str| json!({"choices": [{"index": 0, "delta": {"content": content}, "finish_reason": null}]});
    let end = json!({"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]});
    let (head, tail) = key.split_at(12);
    for (place, answer) in [
        ("whole", Answer::json(200, &says(key))),
        ("streamed in pieces", Answer::events(&[delta("the key "), delta(head), delta(tail), end])),
        ("error", Answer::json(401, &json!({"error": {"message": format!("wrong key {key}")}}))),
        (
            "error that is no JSON",
            Answer { pieces: vec![format!("<h1>{key}</h1>")], ..Answer::json(500, &json!(null)) },
        ),
        (
            "answer that is none",
            Answer { pieces: vec![format!("{{\"key\": \"{key}\"")], ..Answer::json(200, &json!(null)) },
        ),
        ("argument", Answer::json(200, &calls(&[("c1", "lookup", json!({"nested": {key: [key]}}))]))),
    ] {
        let stage = Stage::with(vec![answer]).await;
        stage.chat(&asked("go")).await;
        let kept = kept(&stage).await;
        assert!(!kept.contains(key) && !kept.contains(tail), "{place}: {kept}");
    }
}

#[tokio::test]
async fn a_secret_that_comes_late_is_taken_out_of_what_came_before() {
    let stage = Stage::with(vec![Answer::json(200, &says(CANARY)), Answer::json(200, &says("ok"))]).await;
    stage.chat(&asked(CANARY)).await;
    let request = stage.http.post(stage.url("/chat/completions")).bearer_auth(CANARY).json(&asked("go"));
    request.send().await.unwrap().bytes().await.unwrap();
    assert!(!kept(&stage).await.contains(CANARY));
}

#[tokio::test]
async fn a_request_that_cannot_be_read_leaves_no_trace_of_its_text() {
    let stage = Stage::with(vec![Answer::json(400, &json!({"error": "no"}))]).await;
    let request = stage.http.post(stage.url("/chat/completions")).body(format!("not json {CANARY}"));
    request.send().await.unwrap().bytes().await.unwrap();
    let kept = kept(&stage).await;
    assert!(!kept.contains(CANARY), "{kept}");
    assert!(kept.contains("the request is not JSON"), "{kept}");
}

#[tokio::test]
async fn a_key_in_the_path_of_a_provider_that_cannot_be_reached_is_not_told() {
    let key = "sk-proj-canary7f3a9bcanary7f3a9b";
    let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let upstreams = Upstreams::of(Some(&format!("http://{free}/v1")), None, false).unwrap();
    let recorder =
        Recorder::start("127.0.0.1:0".parse().unwrap(), upstreams, Redaction::default()).await.unwrap();
    let _ = rustls::crypto::ring::default_provider().install_default();
    let http = reqwest::Client::builder().no_proxy().build().unwrap();
    let answer = http.get(format!("http://{}/v1/files/{key}", recorder.address())).send().await.unwrap();
    assert_eq!(answer.status(), 502);
    let session = recorder.take(Witnessed::default()).await.unwrap();
    let kept = format!("{session:?} {}", json!(session.recording("r")));
    assert!(kept.contains("cannot be reached") && !kept.contains(key), "{kept}");
}
