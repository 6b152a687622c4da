//! The tests' tool server as a program that speaks MCP over its standard streams.
//!
//! `SHELF_START_MS` makes it start slowly; `SHELF_FAIL_ONCE` names a file that makes it end at once when it is not there yet.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

#[path = "../tests/mcp/shelf.rs"]
mod shelf;

use std::path::Path;
use std::time::Duration;
use std::{env, fs, process};

use rmcp::ServiceExt;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    if let Some(marker) = env::var_os("SHELF_FAIL_ONCE")
        && !Path::new(&marker).exists()
    {
        fs::write(&marker, "")?;
        eprintln!("not today; my token is {}", env::var("SHELF_TOKEN").unwrap_or_default());
        process::exit(1);
    }
    if let Ok(millis) = env::var("SHELF_START_MS") {
        tokio::time::sleep(Duration::from_millis(millis.parse()?)).await;
    }
    let running = shelf::Shelf::default().serve((tokio::io::stdin(), tokio::io::stdout())).await?;
    running.waiting().await?;
    Ok(())
}
