//! Making back ends, and closing them.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use async_trait::async_trait;
use omw::config::{Source, load};
use omw::prelude::*;
use windtunnel_doc::Format;

use crate::doubles::{Door, Routes, Tools, Voice};
use crate::stage::{Stage, finish, until_in};

/// The error of a run that cannot start.
async fn refused(text: &str, registries: &Registries) -> String {
    let source = Source::text("omw.toml", text, Format::Toml).scripts_relative_to("/");
    let config = load(&source).unwrap_or_else(|faults| panic!("{faults}")).config;
    match Run::builder(Arc::new(config), registries).start().await {
        Ok(_) => panic!("it has started"),
        Err(error) => error.to_string(),
    }
}

fn registries() -> Registries {
    let mut registries = Registries::default();
    registries.providers.add("voice", |_, _| Ok(Arc::new(Voice(Pace::Stepped))));
    registries.providers.add("broken", |_, _| Err(BackendError::new("no luck today").into()));
    registries.tooling.add("tools", |_, _| Ok(Arc::new(Tools::new(Pace::Stepped))));
    registries.endpoints.add("shut", |_, _| Ok(Arc::new(Shut)));
    registries
}

/// An endpoint that cannot get ready.
struct Shut;

#[async_trait]
impl Endpoint for Shut {
    fn kind(&self) -> &'static str {
        "shut"
    }

    async fn prepare(&self) -> Result<(), BackendError> {
        Err(BackendError::new("the address is taken"))
    }

    async fn serve(&self, _router: Routes) -> Result<(), BackendError> {
        Ok(())
    }
}

#[tokio::test]
async fn unknown_kinds_are_reported_together_with_their_places() {
    let text = r#"
[providers.main]
kind = "voise"

[tooling.files]
kind = "mcp"

[endpoint]
kind = "shout"

[providers.spare]
kind = "broken"
"#;
    insta::assert_snapshot!(refused(text, &registries()).await, @r#"
    omw.toml:3:8: providers.main.kind: unknown kind "voise"; expected one of broken, voice; did you mean "voice"?
    omw.toml:6:8: tooling.files.kind: unknown kind "mcp"; expected one of tools
    omw.toml:9:8: endpoint.kind: unknown kind "shout"; expected one of shut; did you mean "shut"?
    "#);
}

#[tokio::test]
async fn a_back_end_that_cannot_be_made_is_named() {
    let text = "[providers.spare]\nkind = \"broken\"\n";
    insta::assert_snapshot!(refused(text, &registries()).await, @"cannot set up providers.spare: no luck today");
}

#[tokio::test]
async fn an_endpoint_that_cannot_get_ready_keeps_the_run_from_starting() {
    insta::assert_snapshot!(refused("endpoint = { kind = \"shut\" }\n", &registries()).await, @"cannot set up endpoint: the address is taken");
}

/// Counts how often it is closed.
struct Closing(Arc<AtomicUsize>);

#[async_trait]
impl Tooling for Closing {
    fn kind(&self) -> &'static str {
        "closing"
    }

    async fn list_tools(&self) -> Result<Vec<Tool>, BackendError> {
        Ok(Vec::new())
    }

    async fn call_tool(
        &self,
        _tool: &str,
        _arguments: serde_json::Value,
        _mode: CallMode,
    ) -> Result<ToolResult, BackendError> {
        std::future::pending().await
    }

    async fn close(&self) {
        self.0.fetch_add(1, Ordering::SeqCst);
    }

    fn snapshot(&self) -> Option<serde_json::Value> {
        Some(serde_json::json!({"closed": self.0.load(Ordering::SeqCst)}))
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn back_ends_are_closed_once_after_the_last_agent_whatever_is_going_on() {
    let closed = Arc::new(AtomicUsize::new(0));
    let (count, (door, routes)) = (Arc::clone(&closed), Door::new());
    let handle = Stage::new()
        .tooling("tools", move |_| Closing(Arc::clone(&count)))
        .endpoint(door)
        .agent("alice", |host| {
            host.subscribe_endpoint("m")?;
            host.call_tool("tools", "never", serde_json::json!({}))?;
            host.wait_for(1)?;
            host.sleep_for(3_600_000)?;
            Ok(String::new())
        })
        .agent("bob", |_| Ok(String::new()))
        .start()
        .await;
    let routes = routes.await.unwrap();
    let waiting = tokio::spawn({
        let routes = Arc::clone(&routes);
        async move { routes.served("never").await }
    });
    until_in(handle.control(), "alice", "sleep_for");
    assert_eq!(closed.load(Ordering::SeqCst), 0);
    handle.control().halt();
    let report = finish(handle).await;
    assert_eq!(closed.load(Ordering::SeqCst), 1);
    assert!(report.snapshots.tooling.contains_key("tools"));
    let late = EndpointRequest { model: "m".to_owned(), ..EndpointRequest::default() };
    assert_eq!(routes.open(late).await.err(), Some(RouteError::ShuttingDown));
    waiting.abort();
}
