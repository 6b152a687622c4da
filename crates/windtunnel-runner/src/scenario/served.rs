//! The tools that are served to a case, asked for once.

use std::sync::Arc;
use std::time::Duration;

use futures::future::join_all;
use indexmap::IndexMap;
use tokio::time::timeout;
use windtunnel_spi::{ServedTool, ToolError, ToolHandle};

/// What the tool servers of a case serve.
#[derive(Debug, Default)]
pub(super) struct Served {
    /// The tools by server, in the order of the manifest; servers that could not tell are not in it.
    pub(super) by_server: Vec<(String, Vec<ServedTool>)>,
    /// Why some servers could not tell.
    pub(super) unknown: Vec<ToolError>,
}

impl Served {
    /// Asks every server.
    pub(super) async fn by(handles: &[Arc<dyn ToolHandle>], limit: Duration) -> Self {
        let lists = join_all(handles.iter().map(|handle| async move {
            let tools = timeout(limit, handle.served_tools()).await.unwrap_or_else(|_| {
                let seconds = limit.as_secs_f64();
                Err(ToolError::new(
                    handle.server(),
                    format!("listing its tools passed the start limit of {seconds} s (timeouts.start_s)"),
                ))
            });
            (handle.server().to_owned(), tools)
        }));
        let mut served = Self::default();
        for (server, tools) in lists.await {
            match tools {
                Ok(tools) => served.by_server.push((server, tools)),
                Err(error) => served.unknown.push(error),
            }
        }
        served
    }

    /// All tools, in the order of the manifest.
    pub(super) fn tools(&self) -> impl Iterator<Item = &ServedTool> {
        self.by_server.iter().flat_map(|(_, tools)| tools)
    }

    /// The names by server, as a trace keeps them.
    pub(super) fn names(&self) -> IndexMap<String, Vec<String>> {
        let names = |tools: &[ServedTool]| tools.iter().map(|tool| tool.name.clone()).collect();
        self.by_server.iter().map(|(server, tools)| (server.clone(), names(tools))).collect()
    }
}
