//! The built-in server over files: reads, writes, lists and deletes them inside the workspace of the case.

mod calls;
mod files;

use std::sync::Arc;

use windtunnel_spi::ToolError;

pub(crate) use files::Files;

use super::builtin;
use crate::outbox::Inbox;
use crate::relay::{Outgoing, Session};

/// Serves one session, one message after the other.
pub(crate) async fn serve(files: Arc<Files>, inbox: Inbox<Outgoing>, session: Arc<Session>) {
    builtin::serve(files, inbox, session).await;
}

/// The workspace of a case as something to serve.
pub(crate) fn open(server: &str, root: &camino::Utf8Path) -> Result<Arc<Files>, ToolError> {
    Files::new(root)
        .map(Arc::new)
        .map_err(|error| ToolError::new(server, format!("the workspace {root} cannot be used: {error}")))
}
