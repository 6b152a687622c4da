//! How sessions and the endpoint itself end.

use std::sync::Arc;
use std::time::Duration;

use omw::endpoint::openai::{OpenAiEndpoint, OpenAiEndpointParams};
use omw::prelude::*;
use reqwest::StatusCode;
use serde_json::{Value, json};
use tokio::net::TcpStream;

use crate::agents::{Noted, Served, ask};
use crate::servers::says;

#[tokio::test]
async fn an_agent_that_stops_serving_breaks_the_stream_off_with_an_error() {
    let mut served = Served::new().await;
    let response = served.post(&ask(true));
    let session = served.opened().await;
    session.say(says("one"));
    session.fail("endpoint subscription \"u\" unsubscribed");
    let text = response.await.unwrap().text().await.unwrap();
    let last = text.trim_end().rsplit("\n\n").next().unwrap().strip_prefix("data: ").unwrap();
    assert_eq!(
        serde_json::from_str::<Value>(last).unwrap(),
        json!({"error": {"message": "endpoint subscription \"u\" unsubscribed", "type": "omw_error", "code": null}})
    );
    assert_eq!(session.noted().await, [Noted::Dropped]);
}

#[tokio::test]
async fn an_agent_that_stops_serving_is_an_error_instead_of_a_whole_answer() {
    let mut served = Served::new().await;
    let response = served.post(&ask(false));
    let session = served.opened().await;
    session.say(says("one"));
    session.fail("endpoint subscription \"u\" unsubscribed");
    let response = response.await.unwrap();
    assert_eq!(response.status(), StatusCode::SERVICE_UNAVAILABLE);
    let body: Value = response.json().await.unwrap();
    assert_eq!(body["error"]["message"], "endpoint subscription \"u\" unsubscribed");
}

#[tokio::test]
async fn an_agent_whose_client_is_gone_hears_of_it() {
    let mut served = Served::new().await;
    let response = served.post(&ask(true));
    let session = served.opened().await;
    session.say(says("one"));
    drop(response.await.unwrap());
    assert_eq!(session.noted().await, [Noted::Dropped], "in the middle of a stream");

    let response = served.post(&ask(false));
    let session = served.opened().await;
    response.abort();
    assert_eq!(session.noted().await, [Noted::Dropped], "before a whole answer");
}

#[tokio::test]
async fn clients_are_told_when_the_endpoint_ends() {
    let mut served = Served::new().await;
    let streamed = served.post(&ask(true));
    let first = served.opened().await;
    first.say(says("one"));
    let mut streamed = streamed.await.unwrap();
    streamed.chunk().await.unwrap().unwrap();
    let whole = served.post(&ask(false));
    let _second = served.opened().await;
    let waiting = served.post(&json!({"model": "full", "messages": []}));
    // It is with the router by the time that this one is refused.
    let _ = served.post(&json!({"model": "nobody", "messages": []})).await.unwrap();
    tokio::time::sleep(Duration::from_millis(100)).await;

    served.serving.abort();
    let rest = streamed.text().await.unwrap();
    assert!(rest.contains("the agents are shutting down") && !rest.contains("[DONE]"), "{rest}");
    for response in [whole, waiting] {
        let response = response.await.unwrap();
        assert_eq!(response.status(), StatusCode::SERVICE_UNAVAILABLE);
        let body: Value = response.json().await.unwrap();
        assert_eq!(body["error"]["message"], "the agents are shutting down");
    }
    assert_eq!(first.noted().await, [Noted::Dropped]);
    TcpStream::connect(served.address).await.expect_err("nobody listens any more");
}

#[tokio::test]
async fn an_address_that_is_taken_is_named() {
    let served = Served::new().await;
    let second = OpenAiEndpoint::new(OpenAiEndpointParams::on(served.address)).unwrap();
    let error = second.prepare().await.unwrap_err().to_string();
    let start = format!("cannot listen on {}: ", served.address);
    assert!(error.starts_with(&start) && error.ends_with("; name a free port, or port 0 for any"), "{error}");
    assert_eq!(second.address(), None);
}

#[tokio::test]
async fn serving_again_is_on_the_same_port() {
    struct Nobody;

    #[async_trait::async_trait]
    impl EndpointRouter for Nobody {
        fn models(&self) -> Vec<String> {
            Vec::new()
        }

        async fn served(&self, _model: &str) {}

        async fn open(&self, request: EndpointRequest) -> Result<Session, omw::endpoint::RouteError> {
            Err(omw::endpoint::RouteError::UnknownModel(request.model))
        }
    }

    let served = Served::new().await;
    served.serving.abort();
    let _ = served.serving.await;
    let endpoint = Arc::clone(&served.endpoint);
    let again = tokio::spawn(async move { endpoint.serve(Arc::new(Nobody)).await });
    let models = format!("http://{}/v1/models", served.address);
    let answer = loop {
        match served.http.get(&models).send().await {
            Ok(response) => break response.json::<Value>().await.unwrap(),
            Err(error) if again.is_finished() => panic!("{error}, {:?}", again.await),
            Err(_) => tokio::time::sleep(Duration::from_millis(10)).await,
        }
    };
    assert_eq!(answer["data"], json!([]));
}
