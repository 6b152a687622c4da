//! The built-in server: reads, writes, lists and deletes files inside the workspace of the case.

mod files;
mod rpc;

use std::sync::Arc;

use windtunnel_spi::ToolError;

pub(crate) use files::Files;

use crate::outbox::Inbox;
use crate::relay::{Outgoing, Session};

/// Serves one session, one message after the other.
pub(crate) async fn serve(files: Arc<Files>, mut inbox: Inbox<Outgoing>, session: Arc<Session>) {
    loop {
        let outgoing = tokio::select! {
            biased;
            () = session.cancel().cancelled() => return,
            outgoing = inbox.recv() => outgoing,
        };
        let Some(Outgoing { text, .. }) = outgoing else { return };
        let answer = if rpc::touches_files(&text) {
            let files = Arc::clone(&files);
            match tokio::task::spawn_blocking(move || rpc::answer(&files, &text)).await {
                Ok(answer) => answer,
                Err(error) => return session.gone(&format!("the workspace tools failed: {error}")),
            }
        } else {
            rpc::answer(&files, &text)
        };
        if let Some(answer) = answer {
            session.server_sends(&answer, None);
        }
    }
}

/// The workspace of a case as something to serve.
pub(crate) fn open(server: &str, root: &camino::Utf8Path) -> Result<Arc<Files>, ToolError> {
    Files::new(root)
        .map(Arc::new)
        .map_err(|error| ToolError::new(server, format!("the workspace {root} cannot be used: {error}")))
}
