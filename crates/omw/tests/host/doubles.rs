//! Back ends that a test holds in its hands.

use std::sync::Mutex;
use std::time::Duration;

use async_trait::async_trait;
use futures::StreamExt as _;
use omw::gate::Gate;
use omw::prelude::*;
use serde_json::{Value, json};
use tokio::sync::oneshot;

/// Answers by the model's name: `never`, `fails`, `breaks` in the middle, `panics`, `slow`, and any other at once, with that name.
pub(crate) struct Voice(pub(crate) Pace);

#[async_trait]
impl Provider for Voice {
    fn kind(&self) -> &'static str {
        "voice"
    }

    fn pace(&self) -> Pace {
        self.0
    }

    async fn list_models(&self) -> Result<Vec<String>, BackendError> {
        Ok(vec!["a".to_owned(), "b".to_owned()])
    }

    async fn chat_stream(&self, request: ChatRequest) -> Result<DeltaStream, BackendError> {
        let said = ChatDelta { content: Some(request.model.clone()), ..ChatDelta::default() };
        let last = ChatDelta {
            finish_reason: Some("stop".to_owned()),
            usage: Some(r#"{"total_tokens":3}"#.to_owned()),
            ..ChatDelta::default()
        };
        match request.model.as_str() {
            "never" => std::future::pending().await,
            "fails" => Err(BackendError::new("the model failed")),
            "breaks" => {
                Ok(futures::stream::iter([Ok(said), Err(BackendError::new("the line broke"))]).boxed())
            }
            "panics" => panic!("a bug of the provider"),
            model => {
                if model == "slow" {
                    tokio::time::sleep(Duration::from_millis(20)).await;
                }
                Ok(futures::stream::iter([Ok(said), Ok(last)]).boxed())
            }
        }
    }
}

/// Asks a model one thing.
pub(crate) fn ask(model: &str) -> ChatRequest {
    let hello = Message { role: "user".to_owned(), content: Some("hello".to_owned()), ..Message::default() };
    ChatRequest { model: model.to_owned(), messages: vec![hello], ..ChatRequest::default() }
}

/// Tools by their name: `never`, `fails`, `panics`, `slow`, `gated`, and any other at once. Every other request waits for ever if it is `mute`.
pub(crate) struct Tools {
    pub(crate) pace: Pace,
    pub(crate) gate: Gate,
    pub(crate) is_mute: bool,
}

impl Tools {
    pub(crate) fn new(pace: Pace) -> Self {
        Self { pace, gate: Gate::open(), is_mute: false }
    }

    async fn speak(&self) {
        if self.is_mute {
            std::future::pending::<()>().await;
        }
    }
}

#[async_trait]
impl Tooling for Tools {
    fn kind(&self) -> &'static str {
        "tools"
    }

    fn pace(&self) -> Pace {
        self.pace
    }

    async fn list_tools(&self) -> Result<Vec<Tool>, BackendError> {
        self.speak().await;
        Ok(vec![Tool { name: "add".to_owned(), input_schema: json!({"type": "object"}), ..Tool::default() }])
    }

    async fn call_tool(
        &self,
        tool: &str,
        arguments: Value,
        _mode: CallMode,
    ) -> Result<ToolResult, BackendError> {
        match tool {
            "never" => std::future::pending().await,
            "fails" => return Err(BackendError::new("the tool failed")),
            "panics" => panic!("a bug of the tooling"),
            "slow" => tokio::time::sleep(Duration::from_millis(20)).await,
            "gated" => self.gate.opened().await,
            _ => {}
        }
        Ok(ToolResult {
            name: tool.to_owned(),
            arguments: arguments.to_string(),
            content: json!([{"type": "text", "text": "done"}]).to_string(),
            structured_content: None,
            is_error: false,
        })
    }

    async fn list_resources(&self) -> Result<Vec<ResourceInfo>, BackendError> {
        self.speak().await;
        Ok(vec![ResourceInfo { uri: "a:b".to_owned(), name: "b".to_owned(), ..ResourceInfo::default() }])
    }

    async fn read_resource(&self, uri: &str) -> Result<Vec<ResourceContent>, BackendError> {
        self.speak().await;
        let content = "text".to_owned();
        Ok(vec![ResourceContent { uri: uri.to_owned(), mime_type: None, content }])
    }

    async fn list_resource_templates(&self) -> Result<Vec<ResourceTemplate>, BackendError> {
        self.speak().await;
        Ok(Vec::new())
    }

    async fn subscribe_resource_list(&self) -> Result<UpdateStream<Vec<ResourceInfo>>, BackendError> {
        let first = futures::stream::iter([Ok(self.list_resources().await?), Ok(Vec::new())]);
        Ok(first.chain(futures::stream::pending()).boxed())
    }

    async fn subscribe_resource(
        &self,
        uri: &str,
    ) -> Result<UpdateStream<Vec<ResourceContent>>, BackendError> {
        Ok(futures::stream::iter([Ok(self.read_resource(uri).await?)]).boxed())
    }
}

/// Hands its router to the test, which plays the client.
pub(crate) struct Door(Mutex<Option<oneshot::Sender<Routes>>>);

/// The agents, as the endpoint sees them.
pub(crate) type Routes = std::sync::Arc<dyn EndpointRouter>;

impl Door {
    pub(crate) fn new() -> (std::sync::Arc<Self>, oneshot::Receiver<Routes>) {
        let (sender, receiver) = oneshot::channel();
        (std::sync::Arc::new(Self(Mutex::new(Some(sender)))), receiver)
    }
}

#[async_trait]
impl Endpoint for Door {
    fn kind(&self) -> &'static str {
        "door"
    }

    async fn serve(&self, router: Routes) -> Result<(), BackendError> {
        let sender = self.0.lock().unwrap().take().expect("it is served once");
        let _ = sender.send(router);
        std::future::pending().await
    }
}
