//! Agents that speak newline-delimited JSON: in this process over memory, or over the bridge's standard streams.

use std::sync::Arc;
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, AsyncWriteExt};

use super::AgentLink;
use crate::lines::{Line, Lines, write_line};
use crate::outbox::{Full, Inbox, Outbox, Unsent, outbox};
use crate::relay::{AgentSink, Delivery};

struct LineSink(Outbox<String>);

impl AgentSink for LineSink {
    fn deliver(&self, delivery: Delivery) -> Result<(), Full> {
        match self.0.send(delivery.text) {
            Err(Unsent::Full) => Err(Full),
            // Whoever has stopped writing to the agent leaves the session.
            Ok(()) | Err(Unsent::Closed(_)) => Ok(()),
        }
    }

    /// The session drops the sink, and that ends the queue behind it.
    fn close(&self) {}
}

/// Where a session's messages go, and come out as lines.
pub(crate) fn sink(queued_bytes: usize) -> (Arc<dyn AgentSink>, Inbox<String>) {
    let (outbox, inbox) = outbox(queued_bytes);
    (Arc::new(LineSink(outbox)), inbox)
}

/// Carries lines until one side is gone. Once the agent has said its last word, open answers are waited for that long.
pub(crate) async fn serve(
    link: AgentLink,
    mut inbox: Inbox<String>,
    reader: impl AsyncRead + Unpin,
    mut writer: impl AsyncWrite + Unpin,
    message_limit: usize,
    linger: Duration,
) {
    let reading = async move {
        let mut lines = Lines::new(reader, message_limit);
        while let Ok(Some(line)) = lines.next().await {
            match line {
                Line::Text(text) => link.send(&text),
                Line::TooLong => {
                    link.garbage(&format!("a message of more than {message_limit} bytes is refused"));
                }
                Line::NotText => link.garbage("not JSON-RPC: it is not UTF-8"),
            }
        }
        // What is still open then is not waited for any longer.
        let _ = tokio::time::timeout(linger, link.idle()).await;
        drop(link);
    };
    let writing = async {
        while let Some(text) = inbox.recv().await {
            if write_line(&mut writer, text).await.is_err() {
                return;
            }
        }
        // The other side may be gone already.
        let _ = writer.shutdown().await;
    };
    tokio::pin!(reading, writing);
    tokio::select! {
        () = &mut writing => {}
        () = &mut reading => writing.await,
    }
}
