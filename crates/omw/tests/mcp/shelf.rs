//! A real MCP server for tests: a shelf of texts that can be put there and watched, and tools that wait, fail and die.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use rmcp::model::{
    Annotations, CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock,
    ListResourceTemplatesResult, ListResourcesResult, ListToolsResult, PaginatedRequestParams,
    ReadResourceRequestParams, ReadResourceResponse, ReadResourceResult, Resource, ResourceContents,
    ResourceTemplate, ResourceUpdatedNotificationParam, Role, ServerCapabilities, ServerConfig,
    SubscribeRequestParams, Tool, ToolAnnotations, UnsubscribeRequestParams,
};
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer, ServerHandler};
use serde_json::{Value, json};

#[derive(Clone)]
pub(crate) struct Shelf(Arc<Mutex<State>>);

struct State {
    texts: BTreeMap<String, String>,
    watched: BTreeSet<String>,
    cancelled: u64,
}

impl Default for Shelf {
    fn default() -> Self {
        let texts = BTreeMap::from([("shelf://a".to_owned(), "apples".to_owned())]);
        Self(Arc::new(Mutex::new(State { texts, watched: BTreeSet::new(), cancelled: 0 })))
    }
}

impl Shelf {
    /// Puts a text on the shelf, and tells the client that asked.
    pub(crate) async fn put(&self, uri: &str, text: &str, context: &RequestContext<RoleServer>) {
        let (is_new, is_watched) = {
            let mut state = self.0.lock().unwrap();
            let is_new = state.texts.insert(uri.to_owned(), text.to_owned()).is_none();
            (is_new, state.watched.contains(uri))
        };
        if is_new {
            context.peer.notify_resource_list_changed().await.unwrap();
        }
        if is_watched {
            let changed = ResourceUpdatedNotificationParam::new(uri);
            context.peer.notify_resource_updated(changed).await.unwrap();
        }
    }
}

fn text(text: impl Into<String>) -> CallToolResult {
    CallToolResult::success(vec![ContentBlock::text(text)])
}

fn schema(schema: &Value) -> Arc<serde_json::Map<String, Value>> {
    Arc::new(schema.as_object().unwrap().clone())
}

impl ServerHandler for Shelf {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder()
            .enable_tools()
            .enable_resources()
            .enable_resources_list_changed()
            .enable_resources_subscribe()
            .build();
        ServerConfig::new(capabilities)
    }

    /// Two pages.
    async fn list_tools(
        &self,
        request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let mut page = ListToolsResult::default();
        if request.and_then(|request| request.cursor).is_none() {
            let numbers = json!({
                "type": "object",
                "properties": {"a": {"type": "integer", "default": null}, "b": {"type": "integer"}},
                "required": ["a", "b"],
            });
            let described =
                format!("Adds.\nThe token is {}.", std::env::var("SHELF_TOKEN").unwrap_or_default());
            page.tools = vec![
                Tool::new("add", described, schema(&numbers))
                    .with_title("Add")
                    .with_raw_output_schema(schema(&json!({"type": "object"})))
                    .with_annotations(ToolAnnotations::new().read_only(true)),
            ];
            page.next_cursor = Some("2".into());
        } else {
            let names =
                ["fail", "refuse", "slow", "cancelled", "die", "env", "pid", "put", "flood", "watched"];
            page.tools =
                names.map(|name| Tool::new_with_raw(name, None, schema(&json!({"type": "object"})))).to_vec();
        }
        Ok(page)
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let arguments = request.arguments.unwrap_or_default();
        let number = |name: &str| arguments.get(name).and_then(Value::as_u64).unwrap_or_default();
        let word = |name: &str| arguments.get(name).and_then(Value::as_str).unwrap_or_default();
        let result = match &*request.name {
            "add" => CallToolResult::structured(json!({ "sum": number("a") + number("b") })),
            "fail" => CallToolResult::error(vec![ContentBlock::text("the shelf is empty")]),
            "refuse" => {
                let token = std::env::var("SHELF_TOKEN").unwrap_or_default();
                return Err(ErrorData::invalid_params(format!("{token} is not my token"), None));
            }
            "slow" => {
                tokio::select! {
                    () = context.ct.cancelled() => {
                        self.0.lock().unwrap().cancelled += 1;
                        text("cancelled")
                    }
                    () = tokio::time::sleep(Duration::from_millis(number("wait_ms"))) => text("done"),
                }
            }
            "cancelled" => text(self.0.lock().unwrap().cancelled.to_string()),
            "watched" => text(self.0.lock().unwrap().watched.len().to_string()),
            "env" => text(std::env::var(word("name")).unwrap_or_default()),
            "pid" => text(std::process::id().to_string()),
            "put" => {
                self.put(word("uri"), word("text"), &context).await;
                text("put")
            }
            "flood" => text("x".repeat(usize::try_from(number("bytes")).unwrap_or_default())),
            "die" => {
                eprintln!("the shelf fell over");
                std::process::exit(3);
            }
            other => return Err(ErrorData::invalid_params(format!("no tool {other}"), None)),
        };
        Ok(result.into())
    }

    /// A page for each.
    async fn list_resources(
        &self,
        request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        let cursor = request.and_then(|request| request.cursor);
        let state = self.0.lock().unwrap();
        let mut left = state.texts.keys().skip_while(|uri| Some(*uri) != cursor.as_ref() && cursor.is_some());
        let mut page = ListResourcesResult::default();
        if let Some(uri) = left.next() {
            let annotations = Annotations::default().with_audience(vec![Role::Assistant]).with_priority(0.7);
            let name = uri.trim_start_matches("shelf://");
            page.resources =
                vec![Resource::new(uri, name).with_mime_type("text/plain").with_annotations(annotations)];
        }
        page.next_cursor = left.next().cloned();
        if page.next_cursor.is_none() {
            page.resources.push(Resource::new("shelf://picture", "picture"));
        }
        Ok(page)
    }

    async fn list_resource_templates(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        let template = ResourceTemplate::new("shelf://{name}", "any").with_description("A text by its name.");
        Ok(ListResourceTemplatesResult::with_all_items(vec![template]))
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        if request.uri == "shelf://picture" {
            return Ok(ReadResourceResult::new(vec![ResourceContents::blob("AAEC", request.uri)]).into());
        }
        let text = self.0.lock().unwrap().texts.get(&request.uri).cloned();
        match text {
            Some(text) => Ok(ReadResourceResult::new(vec![ResourceContents::text(text, request.uri)]).into()),
            None => Err(ErrorData::resource_not_found(format!("nothing at {}", request.uri), None)),
        }
    }

    async fn subscribe(
        &self,
        request: SubscribeRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        self.0.lock().unwrap().watched.insert(request.uri);
        Ok(())
    }

    async fn unsubscribe(
        &self,
        request: UnsubscribeRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        self.0.lock().unwrap().watched.remove(&request.uri);
        Ok(())
    }
}
