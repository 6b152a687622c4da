//! A server that is asked for its tools and resources.

use std::time::Duration;

use rmcp::RoleClient;
use rmcp::model::{
    CallToolRequestParams, ErrorCode, ListResourceTemplatesResult, ListResourcesResult, ListToolsResult,
    PaginatedRequestParams, ReadResourceRequestParams, SubscribeRequestParams, UnsubscribeRequestParams,
};
use rmcp::service::{Peer, ServiceError};
use serde_json::Value;
use tokio::time::timeout;
use windtunnel_api::secret::Redactor;

use super::backoff::Patience;
use super::convert;
use super::failure::Failure;
use super::link::Link;
use super::session::Session;
use crate::backend::BackendError;
use crate::exchange::{ResourceContent, ResourceInfo, ResourceTemplate, Tool, ToolResult};

/// Entries of one list.
const MAX_ENTRIES: usize = 10_000;
/// Pages of one list; a server that never ends one is not followed for ever.
const MAX_PAGES: usize = 1_000;
/// Characters of an error that are shown.
const MAX_SHOWN: usize = 2_000;

/// One server.
pub(super) struct Server {
    label: String,
    link: Link,
    redactor: Redactor,
    /// The longest that one request may take.
    limit: Option<Duration>,
}

impl Server {
    pub(super) fn new(label: String, link: Link, redactor: Redactor, limit: Option<Duration>) -> Self {
        Self { label, link, redactor, limit }
    }

    /// The server's name in messages.
    pub(super) fn label(&self) -> &str {
        &self.label
    }

    pub(super) fn link(&self) -> &Link {
        &self.link
    }

    pub(super) async fn tools(&self) -> Result<Vec<Tool>, BackendError> {
        let list = |peer: Peer<RoleClient>, page| async move { peer.list_tools(page).await };
        Ok(self.list(list).await?.into_iter().map(convert::tool).collect())
    }

    pub(super) async fn resources(&self) -> Result<Vec<ResourceInfo>, BackendError> {
        let list = |peer: Peer<RoleClient>, page| async move { peer.list_resources(page).await };
        Ok(self.list(list).await?.into_iter().map(convert::resource).collect())
    }

    pub(super) async fn templates(&self) -> Result<Vec<ResourceTemplate>, BackendError> {
        let list = |peer: Peer<RoleClient>, page| async move { peer.list_resource_templates(page).await };
        Ok(self.list(list).await?.into_iter().map(convert::template).collect())
    }

    pub(super) async fn call(&self, tool: &str, arguments: Value) -> Result<ToolResult, BackendError> {
        let text = arguments.to_string();
        let arguments = match arguments {
            Value::Object(arguments) => Some(arguments),
            Value::Null => None,
            _ => return Err(self.error("takes the arguments of a tool as an object only")),
        };
        let mut request = CallToolRequestParams::new(tool.to_owned());
        request.arguments = arguments;
        let result = self
            .ask(|peer| {
                let request = request.clone();
                async move { Ok(peer.call_tool(request).await?) }
            })
            .await?;
        convert::tool_result(tool, text, &result).map_err(|error| self.error(error))
    }

    pub(super) async fn read(&self, uri: &str) -> Result<Vec<ResourceContent>, BackendError> {
        let request = ReadResourceRequestParams::new(uri);
        let result = self
            .ask(|peer| {
                let request = request.clone();
                async move { Ok(peer.read_resource(request).await?) }
            })
            .await?;
        Ok(result.contents.into_iter().filter_map(convert::content).collect())
    }

    /// Asks a session to tell of changes of a resource.
    #[expect(deprecated, reason = "it is deprecated for sessions without a handshake, and ours have one")]
    pub(super) async fn subscribe(&self, session: &Session, uri: &str) -> Result<(), Failure> {
        let request = SubscribeRequestParams::new(uri);
        self.ask_in(session, |peer| async move { Ok(peer.subscribe(request).await?) }).await
    }

    /// Asks a session not to any more.
    #[expect(deprecated, reason = "it is deprecated for sessions without a handshake, and ours have one")]
    pub(super) async fn unsubscribe(&self, session: &Session, uri: &str) -> Result<(), Failure> {
        let request = UnsubscribeRequestParams::new(uri);
        self.ask_in(session, |peer| async move { Ok(peer.unsubscribe(request).await?) }).await
    }

    /// All pages of a list. A server that does not know the request has none of these things.
    async fn list<P: Page, F: Future<Output = Result<P, ServiceError>>>(
        &self,
        list: impl Fn(Peer<RoleClient>, Option<PaginatedRequestParams>) -> F,
    ) -> Result<Vec<P::Entry>, BackendError> {
        let entries = self.ask(|peer| {
            let list = &list;
            async move {
                match all_pages(|page| list(peer.clone(), page)).await {
                    Err(Failure::Refused { code: ErrorCode::METHOD_NOT_FOUND, .. }) => Ok(Vec::new()),
                    entries => entries,
                }
            }
        });
        entries.await
    }

    /// Asks, in a new session if there is none or if it turns out that the server has not seen the request.
    async fn ask<T, F: Future<Output = Result<T, Failure>>>(
        &self,
        request: impl Fn(Peer<RoleClient>) -> F,
    ) -> Result<T, BackendError> {
        let session = self.session(Patience::Call).await?;
        let failure = match self.ask_in(&session, &request).await {
            Ok(result) => return Ok(result),
            Err(failure) => failure,
        };
        if !matches!(failure, Failure::Unsent(_)) || session.is_live() {
            return Err(self.failure(failure));
        }
        drop(session);
        let session = self.session(Patience::Call).await?;
        self.ask_in(&session, &request).await.map_err(|failure| self.failure(failure))
    }

    async fn ask_in<T, F: Future<Output = Result<T, Failure>>>(
        &self,
        session: &Session,
        request: impl FnOnce(Peer<RoleClient>) -> F,
    ) -> Result<T, Failure> {
        let answer = request(session.peer());
        let result = match self.limit {
            None => answer.await,
            Some(limit) => timeout(limit, answer).await.unwrap_or(Err(Failure::TimedOut(limit))),
        };
        match result {
            Ok(result) => Ok(result),
            Err(failure) => Err(session.explain(failure).await),
        }
    }

    /// The session, in which a server that had to be waited for is named.
    pub(super) async fn session(&self, patience: Patience) -> Result<std::sync::Arc<Session>, BackendError> {
        self.link.session(patience).await.map_err(|text| self.error(text))
    }

    /// What a brain is told of a failure.
    pub(super) fn failure(&self, failure: Failure) -> BackendError {
        match failure {
            Failure::Unsent(why) => self.error(format_args!("cannot be reached: {why}")),
            Failure::Broken(why) => self.error(format_args!("was lost during the call: {why}")),
            Failure::Refused { code, message } => {
                self.error(format_args!("says: {message} (code {})", code.0))
            }
            Failure::Odd(why) => self.error(format_args!("cannot be understood: {why}")),
            Failure::TimedOut(limit) => self.error(format_args!(
                "did not answer within {} s; `timeout_secs` allows more",
                limit.as_secs()
            )),
        }
    }

    fn error(&self, text: impl std::fmt::Display) -> BackendError {
        let text = format!("tool server {} {text}", self.label);
        BackendError::new(self.redactor.excerpt(&text, MAX_SHOWN))
    }
}

/// One page of a list.
trait Page {
    type Entry;

    fn into_parts(self) -> (Vec<Self::Entry>, Option<String>);
}

macro_rules! page {
    ($page:ident, $entry:ident, $entries:ident) => {
        impl Page for $page {
            type Entry = rmcp::model::$entry;

            fn into_parts(self) -> (Vec<Self::Entry>, Option<String>) {
                (self.$entries, self.next_cursor)
            }
        }
    };
}

page!(ListToolsResult, Tool, tools);
page!(ListResourcesResult, Resource, resources);
page!(ListResourceTemplatesResult, ResourceTemplate, resource_templates);

async fn all_pages<P: Page, F: Future<Output = Result<P, ServiceError>>>(
    list: impl Fn(Option<PaginatedRequestParams>) -> F,
) -> Result<Vec<P::Entry>, Failure> {
    let mut all = Vec::new();
    let mut cursor = None;
    for _ in 0..MAX_PAGES {
        let page = cursor.map(|cursor: String| PaginatedRequestParams::default().with_cursor(Some(cursor)));
        let (entries, next) = list(page).await?.into_parts();
        all.extend(entries);
        if all.len() > MAX_ENTRIES {
            return Err(Failure::Odd(format!("it lists more than {MAX_ENTRIES} entries")));
        }
        match next {
            Some(next) => cursor = Some(next),
            None => return Ok(all),
        }
    }
    Err(Failure::Odd(format!("its list has more than {MAX_PAGES} pages")))
}
