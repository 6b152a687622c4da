//! Tests made of deployments, against real back ends.

#![cfg(all(feature = "scaffold", feature = "mcp", feature = "openai", feature = "mock"))]
#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::routing::get;
use axum::{Json, Router};
use omw::config::{Config, Loaded, Source, load};
use omw::exchange::{Tool, ToolAnnotations};
use omw::gate::Gates;
use omw::registry::{BuildContext, Registries};
use omw::scaffold::{Options, Scaffold, scaffold};
use serde_json::json;
use windtunnel_doc::Format;

fn loaded(text: &str) -> Loaded {
    load(&Source::text("omw.toml", text, Format::Toml)).unwrap()
}

async fn scaffolded(text: &str, resources: bool) -> Scaffold {
    scaffold(&loaded(text).config, &Registries::standard(), &Options { resources }).await
}

fn shelf_program() -> String {
    let tests = std::env::current_exe().unwrap();
    let program = tests.parent().and_then(|deps| deps.parent()).unwrap().join("examples/mcp_server");
    let program = program.with_extension(std::env::consts::EXE_EXTENSION);
    assert!(program.exists(), "build the examples first: {}", program.display());
    program.to_str().unwrap().to_owned()
}

/// A server of models, and a part of its error that repeats what it was asked with.
async fn models() -> String {
    let list = json!({"object": "list", "data": [{"id": "m-large"}, {"id": "m-small"}]});
    let router = Router::new().route("/v1/models", get(move || async move { Json(list) }));
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move { axum::serve(listener, router).await });
    address.to_string()
}

/// A deployment in which every back end has secrets; each of them holds the word canary.
async fn deployment() -> String {
    let (models, shelf) = (models().await, shelf_program());
    format!(
        r#"
[runtime.main]
kind = "rhai"
args = ["kept"]

[runtime.main.env]
API_KEY = "canary-runtime"
MODE = "test"

[agents.alice]
runtime = "main"
script = "brains/alice.rhai"

[memory.alice]
handle = "seed-42"
visits = 3
profile = {{ langs = ["en"], since = 2020 }}

[tunables]
inbox_bound = 1024
recv_timeout_secs = 5

[providers.main]
kind = "openai"
base_url = "http://canary-user:canary-pass@{models}/v1"
api_key = "canary-key"
model = "m-large"
params = {{ user = "canary-params" }}

[providers.gone]
kind = "openai"
base_url = "http://127.0.0.1:9/v1?key=canary-query"
api_key = "canary-key"

[tooling.shelf]
kind = "mcp"
transport = "stdio"
command = '{shelf}'
args = ["--token", "canary-argument", "--other=canary-other"]
env = {{ SHELF_TOKEN = "canary-env" }}

[tooling.failing]
kind = "mcp"
transport = "stdio"
command = "sh"
args = ["-c", "echo $1 $CRM_TOKEN >&2; exit 1", "sh", "canary-failing"]
env = {{ CRM_TOKEN = "canary-crm" }}

[tooling.gone]
kind = "mcp"
transport = "http"
url = "http://127.0.0.1:9/mcp/canary-in-the-path?key=canary-query"
auth_token = "canary-auth"

[tooling.odd]
kind = "canary"
note = "canary-note"

[endpoint]
kind = "openai"
listen = "127.0.0.1:0"
certificate = "canary-endpoint"
"#
    )
}

#[tokio::test]
async fn what_the_back_ends_offer_is_in_the_mocks_and_nothing_else_of_them() {
    let made = scaffolded(&deployment().await, true).await;
    insta::assert_snapshot!(made.text);
    let places: Vec<_> = made.warnings.iter().map(|warning| warning.split(' ').next().unwrap()).collect();
    assert_eq!(
        places,
        ["providers.gone:", "tooling.failing:", "tooling.gone:", "tooling.odd:", "runtime.main.env:"],
        "{:#?}",
        made.warnings
    );
}

#[tokio::test]
async fn no_secret_is_in_the_text_or_in_a_warning() {
    let made = scaffolded(&deployment().await, true).await;
    // The kind of a back end is no secret.
    let warnings = made.warnings.join("\n").replace("unknown kind \"canary\"", "");
    for secret in ["canary", "127.0.0.1:0"] {
        assert!(!made.text.contains(secret), "{}", made.text);
        assert!(!warnings.contains(secret), "{warnings}");
    }
    assert!(made.text.contains("The token is ***."), "what the server repeats is taken out");
    assert!(warnings.contains("its last words: *** ***"), "{warnings}");
}

#[tokio::test]
async fn the_test_is_a_config_whose_mocks_offer_the_same() {
    let made = scaffolded(&deployment().await, true).await;
    let Loaded { config, sections, warnings } = loaded(&made.text);
    assert!(sections.is_empty() && warnings.is_empty(), "{warnings:?}");
    assert_eq!(config.memory["alice"]["profile"], r#"{"langs":["en"],"since":2020}"#);
    assert_eq!(config.memory["alice"]["visits"], "3");
    assert_eq!((config.tunables.inbox_bound, config.tunables.recv_timeout_secs), (1024, 5));
    assert_eq!(config.endpoint.as_ref().unwrap().kind, "mock");

    let (registries, context) = (Registries::standard(), context(&config));
    let provider =
        registries.providers.get("mock").unwrap()(&config.providers["main"].params, &context).unwrap();
    assert_eq!(provider.list_models().await.unwrap(), ["m-large", "m-small"]);
    for name in ["shelf", "failing", "gone", "odd"] {
        let tooling =
            registries.tooling.get("mock").unwrap()(&config.tooling[name].params, &context).unwrap();
        let tools = tooling.list_tools().await.unwrap();
        if name != "shelf" {
            assert!(tools.is_empty());
            continue;
        }
        let expected = Tool {
            name: "add".to_owned(),
            title: Some("Add".to_owned()),
            description: Some("Adds.\nThe token is ***.".to_owned()),
            // The null that TOML cannot hold is gone.
            input_schema: json!({
                "type": "object",
                "properties": {"a": {"type": "integer"}, "b": {"type": "integer"}},
                "required": ["a", "b"],
            }),
            output_schema: Some(json!({"type": "object"})),
            annotations: Some(ToolAnnotations { read_only_hint: Some(true), ..ToolAnnotations::default() }),
        };
        assert_eq!(tools[0], expected);
        let resources = tooling.list_resources().await.unwrap();
        assert_eq!(resources[0].annotations.as_ref().unwrap().priority, Some(0.7));
        assert_eq!(tooling.list_resource_templates().await.unwrap().len(), 1);
        for (uri, content) in [("shelf://a", "apples"), ("shelf://picture", "AAEC")] {
            assert_eq!(tooling.read_resource(uri).await.unwrap()[0].content, content);
        }
    }
}

fn context(config: &Config) -> BuildContext {
    BuildContext {
        tunables: Arc::new(config.tunables.clone()),
        gates: Gates::default(),
        keep_everything: false,
    }
}

#[tokio::test]
async fn resources_are_left_alone_when_they_are_not_wanted() {
    let made = scaffolded(&deployment().await, false).await;
    assert!(made.text.contains("name = \"add\""));
    assert!(!made.text.contains("shelf://"), "{}", made.text);
}

#[tokio::test]
async fn the_same_deployment_gives_the_same_text() {
    let deployment = deployment().await;
    let (one, two) = tokio::join!(scaffolded(&deployment, true), scaffolded(&deployment, true));
    assert_eq!(one.text, two.text);
}

#[tokio::test]
async fn dead_servers_are_waited_for_at_the_same_time_and_not_for_long() {
    let dead = |name: &str| {
        format!("[tooling.{name}]\nkind = \"mcp\"\ntransport = \"stdio\"\ncommand = \"false\"\n")
    };
    let text: String = (0..4).map(|n| dead(&format!("dead{n}"))).collect();
    let start = Instant::now();
    let made = scaffolded(&text, true).await;
    assert_eq!(made.warnings.len(), 4, "one for each server");
    assert!(start.elapsed() < Duration::from_secs(10), "{:?}", start.elapsed());
}
