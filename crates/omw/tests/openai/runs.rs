//! Whole runs: agents behind the endpoint, and clients and other agents that ask them.

use std::net::SocketAddr;
use std::sync::Arc;

use omw::config::{Source, load};
use omw::endpoint::openai::{OpenAiEndpoint, OpenAiEndpointParams};
use omw::exchange::{ChatDelta, ChatRequest, EndpointSessionEnd, Event, Message};
use omw::prelude::*;
use serde_json::{Value, json};
use windtunnel_doc::Format;

use crate::agents::http;
use crate::servers::says;

/// What a brain does.
type Deeds = fn(&dyn Host) -> HostResult<Option<String>>;

/// A brain in code.
struct Code(Deeds);

impl Brain for Code {
    fn run(&self, host: &Arc<dyn Host>) -> Result<Option<String>, BrainError> {
        (self.0)(&**host).map_err(|error| BrainError::Failed(error.to_string()))
    }
}

/// Starts agents behind an endpoint, each with its brain; the provider `up` leads to that endpoint.
async fn start(agents: &[(&'static str, Deeds)]) -> (SocketAddr, RunHandle) {
    let endpoint =
        Arc::new(OpenAiEndpoint::new(OpenAiEndpointParams::on("127.0.0.1:0".parse().unwrap())).unwrap());
    endpoint.prepare().await.unwrap();
    let address = endpoint.address().unwrap();
    let mut registries = Registries::standard();
    registries.endpoints.add("bound", move |_, _| Ok(Arc::clone(&endpoint) as Arc<dyn Endpoint>));
    let mut config = json!({
        "endpoint": {"kind": "bound"},
        "providers": {"up": {"kind": "openai", "base_url": format!("http://{address}/v1")}},
        "agents": {}, "runtime": {},
    });
    for &(name, brain) in agents {
        config["agents"][name] = json!({"runtime": name, "script": "none"});
        config["runtime"][name] = json!({"kind": name});
        registries.runtimes.add(name, move |_, _| Ok(Arc::new(Native::new(name, Arc::new(Code(brain))))));
    }
    let config = load(&Source::text("omw.json", config.to_string(), Format::Json)).unwrap().config;
    (address, Run::builder(Arc::new(config), &registries).start().await.unwrap())
}

/// Answers one request in two pieces, and exits with what it hears of the session's end.
fn expert(host: &dyn Host) -> HostResult<Option<String>> {
    host.subscribe_endpoint("oracle")?;
    let Event::EndpointMessage(asked) = host.recv()?.event else {
        return Err(HostError::failed("no request"));
    };
    let question = asked.messages.last().and_then(|message| message.content.clone()).unwrap_or_default();
    host.stream_endpoint(&asked.session, says(&format!("You ask: {question} ")))?;
    host.stream_endpoint(
        &asked.session,
        ChatDelta { finish_reason: Some("stop".to_owned()), ..says("I say: 7") },
    )?;
    let Event::EndpointSessionEnd(end) = host.recv()?.event else { return Err(HostError::failed("no end")) };
    assert_eq!(end.session, asked.session);
    Ok(Some(format!("session end: {:?}", end.error)))
}

fn question(model: &str) -> ChatRequest {
    let message =
        Message { role: "user".to_owned(), content: Some("how many?".to_owned()), ..Message::default() };
    ChatRequest { model: model.to_owned(), messages: vec![message], ..ChatRequest::default() }
}

fn outcomes(report: &RunReport) -> Vec<(&str, &RunOutcome)> {
    report.agents.iter().map(|end| (end.name.as_str(), &end.outcome)).collect()
}

fn exited(text: &str) -> RunOutcome {
    RunOutcome::Exited(text.to_owned())
}

#[tokio::test]
async fn an_agent_chats_with_another_through_the_endpoint() {
    let asker = |host: &dyn Host| {
        while host.list_models("up")? != ["oracle"] {
            host.sleep_for(10)?;
        }
        Ok(host.chat("up", question("oracle"))?.content)
    };
    let (_, run) = start(&[("expert", expert), ("asker", asker)]).await;
    let report = run.finish().await;
    assert_eq!(
        outcomes(&report),
        [("expert", &exited("session end: None")), ("asker", &exited("You ask: how many? I say: 7")),]
    );
}

#[tokio::test]
async fn an_agent_streams_from_another_through_the_endpoint() {
    let asker = |host: &dyn Host| {
        while host.list_models("up")? != ["oracle"] {
            host.sleep_for(10)?;
        }
        let stream = host.chat_stream("up", question("oracle"))?;
        let mut heard = Vec::new();
        loop {
            let envelope = host.recv()?;
            assert_eq!(envelope.id, stream);
            match envelope.event {
                Event::ChatDelta(delta) => heard.extend(delta.content),
                Event::ChatEnd => return Ok(Some(heard.join("|"))),
                other => return Err(HostError::failed(format!("{other:?}"))),
            }
        }
    };
    let (_, run) = start(&[("expert", expert), ("asker", asker)]).await;
    let report = run.finish().await;
    assert_eq!(outcomes(&report)[1], ("asker", &exited("You ask: how many? |I say: 7")));
}

#[tokio::test]
async fn an_agent_hears_that_its_client_is_gone() {
    let patient = |host: &dyn Host| {
        host.subscribe_endpoint("oracle")?;
        let Event::EndpointMessage(asked) = host.recv()?.event else {
            return Err(HostError::failed("no request"));
        };
        host.stream_endpoint(&asked.session, says("one"))?;
        match host.recv()?.event {
            Event::EndpointSessionEnd(EndpointSessionEnd { error, .. }) => Ok(error),
            other => Err(HostError::failed(format!("{other:?}"))),
        }
    };
    let (address, run) = start(&[("patient", patient)]).await;
    let mut response = ask(address, true).await;
    response.chunk().await.unwrap().unwrap();
    drop(response);
    assert_eq!(outcomes(&run.finish().await), [("patient", &exited("endpoint session aborted"))]);
}

/// More than sockets hold.
const LONG: usize = 8 * 1024 * 1024;

/// The run, and the async runtime with it, ends with the agent's last word; the client has it all the same.
#[test]
fn a_client_gets_the_whole_answer_of_an_agent_that_ends_with_it() {
    let brief = |host: &dyn Host| {
        host.subscribe_endpoint("oracle")?;
        let Event::EndpointMessage(asked) = host.recv()?.event else {
            return Err(HostError::failed("no request"));
        };
        let text = "x".repeat(LONG);
        host.stream_endpoint(
            &asked.session,
            ChatDelta { finish_reason: Some("stop".to_owned()), ..says(&text) },
        )?;
        Ok(None)
    };
    let client = tokio::runtime::Runtime::new().unwrap();
    for streams in [true, false] {
        let server = tokio::runtime::Runtime::new().unwrap();
        let (address, run) = server.block_on(start(&[("brief", brief)]));
        let answer = client.spawn(async move { ask(address, streams).await.text().await });
        assert_eq!(outcomes(&server.block_on(run.finish())), [("brief", &RunOutcome::Completed)]);
        drop(server);
        let answer = client.block_on(answer).unwrap().unwrap();
        assert!(answer.len() > LONG && answer.contains("\"stop\""), "{}", answer.len());
    }
}

#[tokio::test]
async fn clients_are_told_that_the_run_ends() {
    let silent = |host: &dyn Host| {
        host.subscribe_endpoint("oracle")?;
        host.recv()?;
        host.recv().map(|_| None)
    };
    let (address, run) = start(&[("silent", silent)]).await;
    let response = ask(address, true).await;
    run.control().shutdown();
    let text = response.text().await.unwrap();
    assert!(text.contains("\"type\":\"omw_error\"") && !text.contains("[DONE]"), "{text}");
    run.finish().await;
}

/// Asks the oracle, as soon as somebody is.
async fn ask(address: SocketAddr, streams: bool) -> reqwest::Response {
    let body =
        json!({"model": "oracle", "messages": [{"role": "user", "content": "how many?"}], "stream": streams});
    let http = http();
    let models = format!("http://{address}/v1/models");
    loop {
        let listed: Value = http.get(&models).send().await.unwrap().json().await.unwrap();
        if listed["data"] != json!([]) {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(10)).await;
    }
    http.post(format!("http://{address}/v1/chat/completions")).json(&body).send().await.unwrap()
}
