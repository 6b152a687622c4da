//! A real MCP server for tests: tools that count, wait, ask and fail, a resource and a prompt.

#![expect(deprecated, reason = "roots are the simplest thing that a server can ask an agent for")]

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, GetPromptRequestParams,
    GetPromptResponse, GetPromptResult, ListPromptsResult, ListResourcesResult, ListToolsResult,
    PaginatedRequestParams, ProgressNotificationParam, Prompt, PromptMessage, ReadResourceRequestParams,
    ReadResourceResponse, ReadResourceResult, Resource, ResourceContents, Role, ServerCapabilities,
    ServerConfig, Tool, ToolAnnotations,
};
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer, ServerHandler};

#[derive(Clone, Default)]
pub(crate) struct Desk {
    count: Arc<AtomicU64>,
    cancelled: Arc<AtomicU64>,
}

fn text(text: impl Into<String>) -> CallToolResult {
    CallToolResult::success(vec![ContentBlock::text(text)])
}

impl ServerHandler for Desk {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(
            ServerCapabilities::builder().enable_tools().enable_resources().enable_prompts().build(),
        )
    }

    /// Two pages.
    async fn list_tools(
        &self,
        request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let schema = Arc::new(serde_json::Map::from_iter([("type".to_owned(), "object".into())]));
        let tool =
            |name: &'static str, description: &'static str| Tool::new(name, description, Arc::clone(&schema));
        let mut page = ListToolsResult::default();
        if request.and_then(|request| request.cursor).is_none() {
            page.tools = vec![
                tool("add", "a + b").with_annotations(ToolAnnotations::new().read_only(true)),
                tool("count", "Counts its calls."),
            ];
            page.next_cursor = Some("2".into());
        } else {
            page.tools =
                ["fail", "slow", "roots", "cancelled", "die", "env"].map(|name| tool(name, "")).to_vec();
        }
        Ok(page)
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let arguments = request.arguments.unwrap_or_default();
        let number = |name: &str| arguments.get(name).and_then(serde_json::Value::as_i64).unwrap_or_default();
        let result = match &*request.name {
            "add" => {
                tokio::time::sleep(Duration::from_millis(
                    u64::try_from(number("wait_ms")).unwrap_or_default(),
                ))
                .await;
                text((number("a") + number("b")).to_string())
            }
            "count" => {
                let count = self.count.fetch_add(1, Ordering::SeqCst) + 1;
                CallToolResult::structured(serde_json::json!({ "count": count }))
            }
            "fail" => CallToolResult::error(vec![ContentBlock::text("the desk is closed")]),
            "slow" => {
                if let Some(token) = context.meta.get_progress_token() {
                    for step in 0..5 {
                        let progress = ProgressNotificationParam::new(token.clone(), f64::from(step));
                        let _ = context.peer.notify_progress(progress).await;
                    }
                }
                let wait = Duration::from_millis(u64::try_from(number("wait_ms")).unwrap_or_default());
                tokio::select! {
                    () = context.ct.cancelled() => {
                        self.cancelled.fetch_add(1, Ordering::SeqCst);
                        text("cancelled")
                    }
                    () = tokio::time::sleep(wait) => text("done"),
                }
            }
            "cancelled" => text(self.cancelled.load(Ordering::SeqCst).to_string()),
            "roots" => match context.peer.list_roots().await {
                Ok(roots) => {
                    text(roots.roots.iter().map(|root| root.uri.as_str()).collect::<Vec<_>>().join(" "))
                }
                Err(error) => text(format!("no roots: {error}")),
            },
            "env" => {
                let name = arguments.get("name").and_then(serde_json::Value::as_str).unwrap_or_default();
                text(std::env::var(name).unwrap_or_default())
            }
            "die" => {
                eprintln!("the desk is on fire");
                std::process::exit(3);
            }
            other => return Err(ErrorData::invalid_params(format!("no tool {other}"), None)),
        };
        Ok(result.into())
    }

    async fn list_resources(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        Ok(ListResourcesResult::with_all_items(vec![Resource::new("desk://drawer", "drawer")]))
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        Ok(ReadResourceResult::new(vec![ResourceContents::text("pencils", request.uri)]).into())
    }

    async fn list_prompts(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        Ok(ListPromptsResult::with_all_items(vec![Prompt::new("greet", Some("Greets."), None)]))
    }

    async fn get_prompt(
        &self,
        _request: GetPromptRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<GetPromptResponse, ErrorData> {
        Ok(GetPromptResult::new(vec![PromptMessage::new_text(Role::User, "hello")]).into())
    }
}
